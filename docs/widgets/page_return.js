// A page comes back: from behind another tab, or out of the browser's back/forward cache.

/** @param {() => void} callback */
export function onPageReturn(callback) {
  document.addEventListener("visibilitychange", () => document.hidden || callback());
  addEventListener("pageshow", ({ persisted }) => persisted && callback());
}
