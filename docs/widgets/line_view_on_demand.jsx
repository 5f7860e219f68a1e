// "Line by line", loaded when a reader first turns it on.

import { useEffect, useState } from "preact/hooks";
import { describe } from "./python_errors.js";

/** @typedef {typeof import("./line_view.jsx").LineView} LineView */

/** @param {Parameters<LineView>[0]} props */
export function LineViewOnDemand(props) {
  const [view, setView] = useState(/** @type {{LineView: LineView} | null} */ (null));
  const [problem, setProblem] = useState("");
  useEffect(() => {
    import("./line_view.jsx").then(setView, (error) => setProblem(describe(error)));
  }, []);
  if (view) return <view.LineView {...props} />;
  return (
    <p class="line-view" role="status">
      {problem && `“Line by line” could not be loaded: ${problem}. Turn it off and on to try again.`}
    </p>
  );
}
