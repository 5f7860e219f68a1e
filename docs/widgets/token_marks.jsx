// What happened to a token, as a shape and a word: colour is never the only mark.

/** @typedef {import("./types").CellKind} CellKind */

/** @type {Record<CellKind, {mark: string, label: string}>} */
export const TOKEN_KINDS = {
  accepted: { mark: "✓", label: "accepted" },
  rejected: { mark: "✗", label: "rejected" },
  recovered: { mark: "↺", label: "resampled" },
  discarded: { mark: "–", label: "discarded" },
  bonus: { mark: "+", label: "bonus" },
};

/** Explains the marks. */
export function Legend() {
  return (
    <ul class="legend" aria-label="Legend">
      {Object.entries(TOKEN_KINDS).map(([kind, { mark, label }]) => (
        <li key={kind} data-kind={kind}>
          <span class="mark" aria-hidden="true">
            {mark}
          </span>
          {label}
        </li>
      ))}
    </ul>
  );
}
