// The lines of the code that made one step, as a reader walks through them: a stop a line.

/**
 * @typedef {import("./types").FrameLines} FrameLines
 * @typedef {import("./types").ExecutedLine} ExecutedLine
 * @typedef {{name: string, text: string, changed: boolean}} Variable
 *   changed: since the line before it in the same call
 * @typedef {{line: number, call: string, variables: Variable[], parts: [string, string][],
 *   uniforms: string[], returned: string | undefined, shown: import("./types").Shown}} Stop
 *   what is known before the line runs; uniforms, returned: what comes of it
 */

export class ExecutedLines {
  #data;
  /** @type {number[]} where the stops are among all lines */
  #stops;

  /**
   * @param {FrameLines} data
   * @param {boolean} intoChecks whether the argument checks are walked through too
   */
  constructor(data, intoChecks) {
    this.#data = data;
    const all = [...data.lines.keys()];
    const isCheck = (/** @type {ExecutedLine} */ { call }) => data.argument_checks.includes(data.calls[call]);
    const others = all.filter((index) => !isCheck(data.lines[index]));
    this.#stops = intoChecks || !others.length ? all : others;
  }

  get length() {
    return this.#stops.length;
  }

  /** Whether no line of the step is missing at the end. */
  get complete() {
    return this.#data.complete;
  }

  /**
   * @param {number} at
   * @returns {Stop}
   */
  at(at) {
    const { calls, lines } = this.#data;
    const here = lines[this.#stops[at]];
    return {
      line: here.line,
      call: calls[here.call],
      variables: variablesOf(lines, this.#stops[at]),
      parts: Object.entries(here.parts ?? {}),
      uniforms: (here.draws ?? []).map(({ uniform }) => uniform),
      returned: here.returned,
      shown: here.shown,
    };
  }

  /**
   * The same lines, with or without the argument checks, and the stop in them that is at
   * this one, or the one before it.
   *
   * @param {number} at
   * @param {boolean} intoChecks
   * @returns {[ExecutedLines, number]}
   */
  walkedOtherwise(at, intoChecks) {
    const others = new ExecutedLines(this.#data, intoChecks);
    const before = others.#stops.findLastIndex((index) => index <= this.#stops[at]);
    return [others, Math.max(before, 0)];
  }
}

/**
 * @param {ExecutedLine[]} lines each says only what is new in its call
 * @param {number} index
 * @returns {Variable[]}
 */
function variablesOf(lines, index) {
  const ofThisCall = lines.slice(0, index + 1).filter(({ call }) => call === lines[index].call);
  /** @type {Map<string, Variable>} */
  const variables = new Map();
  for (const [i, { changed = {} }] of ofThisCall.entries()) {
    for (const [name, text] of Object.entries(changed)) {
      const isNews = i > 0 && i === ofThisCall.length - 1;
      if (text === null) variables.delete(name);
      else variables.set(name, { name, text, changed: isNews });
    }
  }
  return [...variables.values()];
}
