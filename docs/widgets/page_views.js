// Instant navigation: the theme changes the page, and what was loaded before stays.

import { BUILD } from "./this_build.js";

const STYLES_OF_A_BUILD = /\/build\/[0-9a-f]{12}\/stylesheets\//;

/** @param {() => void} callback called at every page view, the first one too */
export function onPageView(callback) {
  /** @type {any} */ (window).document$?.subscribe(callback); // the theme's own signal
}

/**
 * After a deploy the theme may bring a page of another build into a tab of this one. It is
 * loaded anew then, with all its own files: its style sheets tell.
 */
export function loadPagesOfOtherBuildsWhole() {
  onPageView(() => {
    if (stylesOnPage().some((address) => !address.startsWith(BUILD))) location.reload();
  });
}

function stylesOnPage() {
  return [...document.head.querySelectorAll("link")]
    .map(({ href }) => href)
    .filter((address) => STYLES_OF_A_BUILD.test(address));
}
