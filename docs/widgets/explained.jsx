// A small "?" beside a figure: hover, focus or tap shows how the figure is made.

import { useId, useState } from "preact/hooks";

/** @param {{label: string, text?: string, children: import("preact").ComponentChildren}} props */
export function Explained({ label, text = "?", children }) {
  const [pinned, setPinned] = useState(false);
  const id = useId();
  return (
    <div class="explained" data-pinned={pinned}>
      <button
        type="button"
        aria-label={label}
        aria-expanded={pinned}
        aria-controls={id}
        onClick={() => setPinned(!pinned)}
        onKeyDown={(event) => event.key === "Escape" && setPinned(false)}
        onBlur={() => setPinned(false)}
      >
        {text}
      </button>
      <div class="explanation" id={id} role="note">
        {children}
      </div>
    </div>
  );
}
