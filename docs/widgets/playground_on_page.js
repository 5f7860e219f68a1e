// The playground of this page, for what runs it, runs what it ran, or loads the page anew.

/**
 * Of speculative decoding, or one with a scene of its own (playground_element.jsx).
 *
 * @returns {any}
 */
export const playgroundOfPage = () => document.querySelector("spec-playground, [data-playground]");

/** @returns {import("./playground_session.js").PlaygroundSession | undefined} */
export const sessionOfPage = () => playgroundOfPage()?.session;

/** The address holds all of the session from here on: a page loaded anew loses nothing. */
export const bringAddressUpToDate = () => playgroundOfPage()?.writeAddress();
