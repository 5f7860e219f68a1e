// The playground of this page, for widgets that run it or run what it ran.

/** @returns {import("./playground_session.js").PlaygroundSession | undefined} */
export function sessionOfPage() {
  const playground = /** @type {import("./playground.jsx").PlaygroundElement | null} */ (
    document.querySelector("spec-playground")
  );
  return playground?.session;
}
