// Draws a component anew whenever something it shows says "change".

import { useLayoutEffect, useReducer } from "preact/hooks";

/** @param {EventTarget[]} sources the same ones, in the same order, at every call */
export function useChanges(...sources) {
  const [, again] = useReducer((count) => count + 1, 0);
  useLayoutEffect(() => { // at once: no change goes unseen between drawing and listening
    const refresh = () => again(undefined);
    for (const source of sources) source.addEventListener("change", refresh);
    return () => {
      for (const source of sources) source.removeEventListener("change", refresh);
    };
  }, sources);
}
