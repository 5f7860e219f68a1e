// A small "?" beside a figure: hover, focus or tap shows how the figure is made.

import { useId, useState } from "preact/hooks";

/** @param {{label: string, text?: string, children: import("preact").ComponentChildren}} props */
export function Explained({ label, text = "?", children }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <div
      class="explained"
      data-open={open}
      onPointerEnter={(event) => event.pointerType === "mouse" && setOpen(true)}
      onPointerLeave={(event) => event.pointerType === "mouse" && setOpen(false)}
    >
      <button
        type="button"
        aria-label={label}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(true)}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={(event) => event.key === "Escape" && setOpen(false)}
      >
        {text}
      </button>
      <div class="explanation" id={id} role="note">
        {children}
      </div>
    </div>
  );
}
