// <spec-new-version>: says that a newer version of the lab waits, and loads it when asked to.

import { render } from "preact";
import { useState } from "preact/hooks";
import { siteCopy } from "./site_copy.js";
import { useChanges } from "./use_changes.js";

export class NewVersionElement extends HTMLElement {
  connectedCallback() {
    render(<NewVersion />, this);
  }
}

function NewVersion() {
  useChanges(siteCopy);
  const { newer } = siteCopy;
  const [declined, setDeclined] = useState(0);
  // The region is there before it says anything: screen readers announce what changes in it.
  return (
    <div class="new-version" role="status">
      {newer > declined && (
        <div class="new-version-card">
          <p>A new version of the lab is here.</p>
          <span class="new-version-answers">
            <button type="button" onClick={() => siteCopy.takeNewer()}>
              Load it
            </button>
            <button type="button" onClick={() => setDeclined(newer)}>
              Not now
            </button>
          </span>
        </div>
      )}
    </div>
  );
}
