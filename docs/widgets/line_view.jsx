// "Line by line": the code in force with the line that runs lit, the values of that moment
// beside it, and the ways forward and back.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { CodeCopy } from "./code_copy.js";
import { LineValues } from "./line_values.jsx";

/** @typedef {import("./line_walk.js").LineWalk} LineWalk */

/** @param {{walk: LineWalk, running: boolean, finished: boolean}} props finished: no step is left */
export function LineView({ walk, running, finished }) {
  const { stop, place } = walk;
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const [code, setCode] = useState(/** @type {CodeCopy | null} */ (null));
  useLayoutEffect(() => {
    if (!box.current) return;
    const copy = new CodeCopy(box.current);
    setCode(copy);
    return () => copy.close();
  }, []);
  useLayoutEffect(() => code?.light(stop?.line ?? 0), [code, stop?.line]);

  const isFirst = !stop || place.at === 1;
  const isLast = !stop || place.at === place.of;
  const keys = {
    ArrowRight: () => walk.next(),
    ArrowLeft: () => walk.previous(),
    Home: () => walk.first(),
    End: () => walk.last(),
  };
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    const act = keys[/** @type {keyof typeof keys} */ (event.key)];
    if (!act || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act();
  };
  const text = (stop && code?.textOf(stop.line)) ?? "";
  return (
    <section class="line-view" aria-label="Line by line" onKeyDown={onKeyDown}>
      <header>
        <h2>
          {stop ? `Line ${stop.line}` : "No line yet"}{" "}
          <span>{stop ? `in ${stop.call}` : "press Next line"}</span>
        </h2>
        <p class="line-place">
          {stop && `${place.at} of ${place.of} in this step`}
          {!walk.complete && ", the rest is not shown"}
        </p>
        <div class="line-buttons">
          <Action name="Replay step" sign="↺" disabled={!stop} onPress={() => walk.replay()} />
          <Action name="Previous line" sign="‹" disabled={isFirst} onPress={() => walk.previous()} />
          <Action name="Next line" sign="›" disabled={isLast && finished} onPress={() => walk.next()} />
          <Action name="To the end of the step" sign="»" disabled={isLast} onPress={() => walk.last()} />
        </div>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <section class="code-copy highlight" aria-label="Code" tabIndex={0} ref={box} />
      <LineValues stop={stop} text={text} />
      <footer>
        <label>
          <input
            type="checkbox"
            checked={walk.intoChecks}
            onChange={(event) => walk.setIntoChecks(event.currentTarget.checked)}
          />
          Step into the argument checks
        </label>
        <p class="line-keys">
          <kbd>→</kbd> next line, <kbd>←</kbd> previous, <kbd>Home</kbd> first, <kbd>End</kbd> last
        </p>
      </footer>
      <p class="visually-hidden" aria-live="polite">
        {stop && !running && !walk.playing && `Line ${stop.line}, ${stop.call}: ${text}`}
      </p>
    </section>
  );
}

/**
 * A button that keeps the focus when there is nothing to do any more.
 *
 * @param {{name: string, sign: string, disabled: boolean, onPress: () => void}} props
 */
function Action({ name, sign, disabled, onPress }) {
  return (
    <button type="button" aria-disabled={disabled} onClick={() => disabled || onPress()}>
      <span aria-hidden="true">{sign} </span>
      {name}
    </button>
  );
}
