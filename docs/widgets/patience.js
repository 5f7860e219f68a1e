// How long an answer of Python may take while a reader's code runs, which need not end.

const BUSY_MS = 600; // no answer for so long: it can be stopped ...
const ANSWER_MS = 10000; // ... and now it is

export class Patience {
  #awaited = 0;
  #paused = false;
  /** @type {ReturnType<typeof setTimeout>[]} */
  #timers = [];
  #needed;
  #onBusy;
  #onOver;

  /**
   * @param {() => boolean} needed whether a reader's code may be running
   * @param {(busy: boolean) => void} onBusy it gives no answer just now, or it does again
   * @param {(why: string) => void} onOver its time is over
   */
  constructor(needed, onBusy, onOver) {
    this.#needed = needed;
    this.#onBusy = onBusy;
    this.#onOver = onOver;
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
    this.#onBusy(false);
    if (!this.#awaited || this.#paused || !this.#needed()) return;
    this.#timers = [
      setTimeout(() => this.#onBusy(true), BUSY_MS),
      setTimeout(
        () => this.#onOver(`It did not finish within ${ANSWER_MS / 1000} seconds and was stopped`),
        ANSWER_MS,
      ),
    ];
  }
}
