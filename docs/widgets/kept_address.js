// Keeps the page's address up to date with its playground's session.

const ADDRESS_MS = 400; // browsers limit how often an address may change

export class KeptAddress {
  #session;
  #address;
  #path = location.pathname;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {EventTarget & {address: string}} session from now on; says "change" */
  constructor(session) {
    this.#session = session;
    this.#address = session.address;
    session.addEventListener("change", this.#keep);
    addEventListener("pagehide", this.write);
    addEventListener("click", this.#onClick, { capture: true });
  }

  end() {
    clearTimeout(this.#timer);
    this.#session.removeEventListener("change", this.#keep);
    removeEventListener("pagehide", this.write);
    removeEventListener("click", this.#onClick, { capture: true });
  }

  /** Writes it now: what is left may be loaded anew when the reader comes back. */
  write = () => {
    const { address } = this.#session;
    const here = location.pathname === this.#path; // not on its way out
    if (!here || address === this.#address) return;
    this.#address = address;
    history.replaceState(history.state, "", `${location.pathname}${address}${location.hash}`);
  };

  /** Instant navigation by a link: the next page's address takes the place of this one's. */
  #onClick = (/** @type {Event} */ { target }) => {
    if (target instanceof Element && target.closest("a")) this.write();
  };

  /** Writes at once, then not again for a while, then whatever came meanwhile. */
  #keep = () => {
    if (this.#timer) return;
    this.write();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.write();
    }, ADDRESS_MS);
  };
}
