// What the reader's code prints and draws, below the code.

import { useLayoutEffect, useRef } from "preact/hooks";
import { useChanges } from "./use_changes.js";

/** @param {{output: typeof import("./code_output.js").codeOutput}} props */
export function OutputView({ output }) {
  useChanges(output);
  const { text, figures } = output;
  if (!text && !figures.length) return null;
  return (
    <section class="code-output" aria-label="Output of your code">
      <div class="code-output-bar">
        <b aria-hidden="true">Output of your code</b>
        <button type="button" onClick={() => output.clear()}>
          Clear
        </button>
      </div>
      {text && <Printed text={text} />}
      {figures.length > 0 && (
        <div class="code-output-figures">
          {figures.map(({ url, alt }, place) => (
            <img key={place} src={url} alt={alt} />
          ))}
        </div>
      )}
    </section>
  );
}

/** @param {{text: string}} props */
function Printed({ text }) {
  const box = useRef(/** @type {HTMLPreElement | null} */ (null));
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    if (box.current && atEnd.current) box.current.scrollTop = box.current.scrollHeight;
  }, [text]);
  const noticeEnd = () => {
    const { scrollTop, clientHeight, scrollHeight } = /** @type {HTMLPreElement} */ (box.current);
    atEnd.current = scrollTop + clientHeight >= scrollHeight - 4;
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <pre class="code-output-text" ref={box} tabIndex={0} onScroll={noticeEnd}>
      {text}
    </pre>
  );
}
