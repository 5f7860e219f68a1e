// What can go wrong in Python, as whoever asked it hears of it.

/** A reader's code is at fault: it is no Python, raised, gave nonsense, or never ended. */
export class CodeProblem extends Error {
  name = "CodeProblem";

  /**
   * @param {{message: string, line?: number | null, file?: string | null}} problem line: from 1,
   *   if one is to blame; file: whose text it is, if that is known
   */
  constructor({ message, line, file }) {
    super(message);
    this.line = line ?? null;
    this.file = file ?? null;
  }
}

/** The Python that was asked is no more. Another one starts, and can be asked the same. */
export class PythonLost extends Error {
  name = "PythonLost";
}

/**
 * @param {unknown} error
 * @returns {string} one line a reader can use: of a Python traceback, its last
 */
export function describe(error) {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split("\n").at(-1) ?? text;
}
