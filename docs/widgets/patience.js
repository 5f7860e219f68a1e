// How long Python may be silent: ours answers soon, a reader's code need not end at all. Only
// time in which the reader can see the page counts, for a hidden one may be held up.

/** @typedef {{lateMs: number, overMs: number}} Limits */

/** @type {Limits} */
const READERS = { lateMs: 600, overMs: 10000 };
/** @type {Limits} */
const OURS = { lateMs: 5000, overMs: 20000 }; // a slow phone's first call takes seconds

export class Patience {
  #awaited = 0;
  #paused = false;
  /** @type {ReturnType<typeof setTimeout>[]} */
  #timers = [];
  #readersMayRun;
  #onLate;
  #onOver;

  /**
   * @param {() => boolean} readersMayRun whether a reader's code may be running
   * @param {(late: boolean) => void} onLate it gives no answer just now, or it does again
   * @param {(seconds: number) => void} onOver its time is over, so long it was
   */
  constructor(readersMayRun, onLate, onOver) {
    this.#readersMayRun = readersMayRun;
    this.#onLate = onLate;
    this.#onOver = onOver;
    document.addEventListener("visibilitychange", () => this.#count(0));
  }

  /** Whether an answer is waited for. */
  get waits() {
    return this.#awaited > 0;
  }

  /**
   * @template Answer
   * @param {Promise<Answer>} asked
   */
  async wait(asked) {
    this.#count(1);
    try {
      return await asked;
    } finally {
      this.#count(-1);
    }
  }

  /** @param {boolean} on the worker is busy for us: no answer is late */
  pause(on) {
    this.#paused = on;
    this.#count(0);
  }

  /** @param {number} change in how many answers are waited for */
  #count(change) {
    this.#awaited += change;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
    this.#onLate(false);
    if (!this.#awaited || this.#paused || document.hidden) return;
    const { lateMs, overMs } = this.#readersMayRun() ? READERS : OURS;
    this.#timers = [
      setTimeout(() => this.#onLate(true), lateMs),
      setTimeout(() => this.#onOver(overMs / 1000), overMs),
    ];
  }
}
