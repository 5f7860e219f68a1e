// <spec-source>: Copy and Download for the file shown, and whether it is the one that runs.

import { render } from "preact";
import { useState } from "preact/hooks";
import { runningCode } from "./running_code.js";
import { useChanges } from "./use_changes.js";

/** Adds its bar above the highlighted file, which the build put there. */
export class SourceElement extends HTMLElement {
  #bar = document.createElement("div");

  connectedCallback() {
    const code = this.querySelector("code[data-source]");
    const sha256 = this.dataset.sha256;
    const file = this.getAttribute("file");
    if (!code || !sha256 || !file) return;
    this.#bar.className = "source-bar";
    this.querySelector(".source-facts")?.after(this.#bar);
    const text = code.textContent ?? "";
    render(<SourceBar text={text} file={file} sha256={sha256} />, this.#bar);
  }

  disconnectedCallback() {
    render(null, this.#bar);
    this.#bar.remove();
  }
}

/** @param {{text: string, file: string, sha256: string}} props */
function SourceBar({ text, file, sha256 }) {
  const [copied, setCopied] = useState("");
  useChanges(runningCode);
  const running = runningCode.sha256; // "" until Python is up
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied("Copied");
    } catch {
      setCopied("The browser did not allow copying: use Download");
    }
  };
  const same = running === sha256;
  return (
    <>
      <button type="button" onClick={copy}>
        Copy
      </button>
      <a class="button" download={file} href={`data:text/x-python;charset=utf-8,${encodeURIComponent(text)}`}>
        Download
      </a>
      <span role="status">{copied}</span>
      <p class="source-match" data-match={running ? String(same) : "unknown"}>
        {!running && "Nothing is compared with it until Python is up."}
        {running && same && "✓ This is the file Python imported in this tab: same SHA-256."}
        {running && !same && `✗ Python imported another file: SHA-256 ${running}.`}
      </p>
    </>
  );
}
