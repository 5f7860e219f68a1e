// The playground of this page, for what runs it, runs what it ran, or loads the page anew.

/** @returns {import("./playground.jsx").PlaygroundElement | null} */
const playgroundOfPage = () => document.querySelector("spec-playground");

export const sessionOfPage = () => playgroundOfPage()?.session;

/** The address holds all of the session from here on: a page loaded anew loses nothing. */
export const bringAddressUpToDate = () => playgroundOfPage()?.writeAddress();
