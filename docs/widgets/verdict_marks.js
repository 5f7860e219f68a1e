// The sign of each verdict, so that it is never told by colour alone.

export const VERDICT_MARKS = { exact: "✓", "not exact": "✗", "could not check": "?", checking: "…" };
