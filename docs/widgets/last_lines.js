// Text that grows without end, kept short: its last lines.

export const MAX_LINES = 200;
export const MAX_CHARS = 20_000;

/**
 * @param {string} text
 * @returns {string} its end, after a line "…" for what was before
 */
export function lastLines(text) {
  let start = text.length;
  for (let line = 0; line < MAX_LINES && start > 0; line += 1) {
    start = start < 2 ? 0 : text.lastIndexOf("\n", start - 2) + 1;
  }
  start = Math.max(start, text.length - MAX_CHARS);
  return start > 0 ? `…\n${text.slice(start)}` : text;
}
