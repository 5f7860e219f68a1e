// docs/widgets/reader_output.js and last_lines.js: what code prints and draws, bounded.

import assert from "node:assert/strict";
import { test } from "node:test";
import { lastLines, MAX_CHARS, MAX_LINES } from "../../docs/widgets/last_lines.js";
import { ReaderOutput } from "../../docs/widgets/reader_output.js";

/** Stands where Pyodide stands: what is written to its streams goes to whoever took them. */
class FakePython {
  modules = new Map();
  kept = ""; // in the buffer of sys.stdout, which keeps a line without its end

  setStdout = ({ write }) => {
    this.print = (text) => write(new TextEncoder().encode(text));
    this.write = write;
  };

  setStderr = ({ write }) => {
    this.warn = (text) => write(new TextEncoder().encode(text));
  };

  pyimport(name) {
    assert.equal(name, "sys");
    const flush = () => {
      this.print(this.kept);
      this.kept = "";
    };
    return { __stdout__: { closed: false, flush }, modules: this.modules };
  }

  /** Draws figures, as docs/scenes/reader_figures.py would. */
  draw(figures) {
    const take = (wanted) => {
      const taken = wanted ? figures : [];
      figures = [];
      return { toJs: () => taken, destroy() {} };
    };
    this.modules.set("reader_figures", { take });
  }
}

/** A clock that stands, a Python and what it has sent to the page. */
function listening(t) {
  const clock = { ms: 0 };
  t.mock.method(performance, "now", () => clock.ms);
  const python = new FakePython();
  const sent = [];
  const output = new ReaderOutput(python, (message) => sent.push(message));
  return { clock, python, sent, output };
}

const numbered = (count) => Array.from({ length: count }, (_, line) => `line ${line}\n`);

test("a text within the bounds stays as it is", () => {
  for (const text of ["", "\n", "a", "a\n", "\n\na", numbered(MAX_LINES).join("")]) {
    assert.equal(lastLines(text), text);
  }
});

test("of a longer text the last lines are kept, and a mark for the rest", () => {
  const lines = numbered(MAX_LINES + 5);
  const kept = `…\n${lines.slice(5).join("")}`;
  assert.equal(lastLines(lines.join("")), kept);
  assert.equal(lastLines(kept), kept);
  assert.equal(lastLines(lines.join("").trimEnd()), kept.trimEnd());
});

test("one endless line is cut too", () => {
  assert.equal(lastLines(`${"a".repeat(9)}${"b".repeat(MAX_CHARS)}`), `…\n${"b".repeat(MAX_CHARS)}`);
});

test("what is printed to either stream is sent once, at the end, in order", (t) => {
  const { python, sent, output } = listening(t);
  output.begin(true);
  python.print("one\n");
  python.warn("two\n");
  python.kept = "three";
  assert.deepEqual(sent, []);
  output.end();
  output.end();
  assert.deepEqual(sent, [{ text: "one\ntwo\nthree", figures: [] }]);
});

test("nothing is sent when there is nothing", (t) => {
  const { python, sent, output } = listening(t);
  python.draw([]);
  output.begin(true);
  output.end();
  assert.deepEqual(sent, []);
});

test("a letter of two bytes may come in two pieces", (t) => {
  const { python, sent, output } = listening(t);
  output.begin(true);
  for (const byte of new TextEncoder().encode("γ")) python.write(new Uint8Array([byte]));
  output.end();
  assert.equal(sent[0].text, "γ");
});

test("a flood is sent in few pieces, each of them short, and its end is there", (t) => {
  const { clock, python, sent, output } = listening(t);
  output.begin(true);
  for (const line of numbered(100_000)) {
    python.print(line);
    clock.ms += 0.01; // a second in all
  }
  assert.equal(sent.length, 3); // while it runs: one that never ends is heard of, too
  output.end();
  assert.equal(sent.length, 4);
  for (const { text } of sent) assert.ok(text.split("\n").length <= MAX_LINES + 2);
  assert.ok(sent[3].text.endsWith("line 99999\n"));
});

test("what checks the code is not heard, and the next call is", (t) => {
  const { python, sent, output } = listening(t);
  python.draw([{ url: "data:,1", alt: "of the check" }]);
  output.begin(false);
  python.print("of the check\n");
  python.kept = "of the check too";
  output.end();
  output.begin(true);
  python.print("of the playground\n");
  output.end();
  assert.deepEqual(sent, [{ text: "of the playground\n", figures: [] }]);
});

test("figures come with what was printed", (t) => {
  const { python, sent, output } = listening(t);
  const figure = { url: "data:,1", alt: "a line" };
  output.begin(true);
  python.print("drawn\n");
  python.draw([figure]);
  output.end();
  output.begin(true);
  output.end();
  assert.deepEqual(sent, [{ text: "drawn\n", figures: [figure] }]);
});
