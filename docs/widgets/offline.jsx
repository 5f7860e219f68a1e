// <spec-offline>: says what of the lab this browser keeps, and makes it keep everything.

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { inMegabytes, megabytes } from "./megabytes.js";
import { keepEverything, whatIsKept } from "./offline_files.js";
import { describe } from "./python_errors.js";

/** @typedef {Awaited<ReturnType<typeof whatIsKept>>} Kept */

export class OfflineElement extends HTMLElement {
  connectedCallback() {
    render(<Offline />, this);
  }

  disconnectedCallback() {
    render(null, this);
  }
}

function Offline() {
  const [kept, setKept] = useState(/** @type {Kept | null} */ (null));
  const [progress, setProgress] = useState(/** @type {import("./types").Progress | null} */ (null));
  const [failure, setFailure] = useState("");

  const look = () => whatIsKept().then(setKept, () => {}); // why not, the press will say
  useEffect(() => {
    look();
  }, []);

  const keepAll = async () => {
    setFailure("");
    setProgress({ stage: "downloading", loadedBytes: 0, totalBytes: 0, waitingFor: [] });
    try {
      await keepEverything(setProgress);
      await look();
    } catch (error) {
      setFailure(describe(error));
      look(); // some of it came
    }
    setProgress(null);
  };

  const isWhole = kept?.pages && kept.keptBytes === kept.totalBytes;
  return (
    <div class="offline">
      {!isWhole && (
        <button type="button" disabled={progress !== null} onClick={keepAll}>
          Make this lab available offline
        </button>
      )}
      <p role="status">
        {isWhole && (
          <>
            <b>✓ This lab is available offline</b>, in this browser: its pages, Python, and all that
            Python can load here, {inMegabytes(kept.totalBytes)}.
          </>
        )}
        {kept && !isWhole && !progress && offer(kept)}
        {progress && "Fetching the lab"}
        {progress && progress.totalBytes > 0 && (
          <span aria-hidden="true">: {megabytes(progress)}</span>
        )}
      </p>
      {progress && (
        <progress
          value={progress.loadedBytes}
          max={progress.totalBytes || 1}
          aria-label="Fetching the lab"
        />
      )}
      {failure && (
        <p role="alert">
          <b>It is not available offline yet:</b> {failure}. What came is kept; press again to go
          on.
        </p>
      )}
    </div>
  );
}

/** @param {Kept} kept */
function offer({ totalBytes, keptBytes }) {
  const missing = inMegabytes(totalBytes - keptBytes);
  if (!keptBytes) return `It fetches ${missing}: Python, and all that Python can load here.`;
  if (keptBytes < totalBytes) return `It fetches ${missing}; ${inMegabytes(keptBytes)} are here.`;
  return "Python is here; the pages are still to come.";
}
