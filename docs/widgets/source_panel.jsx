// <spec-source>: the code in force, to copy, to download, to edit and to run as edited.

import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { codeInUse } from "./code_in_use.js";
import { codeOutput } from "./code_output.js";
import { draftOf, dropDraft, keepDraft } from "./drafts.js";
import { EditedCode } from "./edited_code.jsx";
import { OutputView } from "./output_view.jsx";
import { describe } from "./python_errors.js";
import { runningCode } from "./running_code.js";
import { loadEditor, SourceListing } from "./source_listing.js";
import { startWhenNeeded } from "./start_policy.js";
import { useChanges } from "./use_changes.js";

/** @typedef {ReturnType<typeof import("./editor.js").openEditor>} Editor */

/** Adds its bar and the editor above the highlighted file, which the build put there. */
export class SourceElement extends HTMLElement {
  #bar = document.createElement("div");
  #output = document.createElement("div");
  /** @type {SourceListing | undefined} */
  #listing;

  connectedCallback() {
    const code = this.querySelector("code[data-source]");
    const { sha256 } = this.dataset;
    const file = this.getAttribute("file");
    if (!code || !sha256 || !file) return;
    this.#listing ??= new SourceListing(code);
    this.querySelector(".source-facts")?.after(this.#bar);
    const box = /** @type {HTMLElement} */ (code.closest(".highlight"));
    render(<SourcePanel {...{ listing: this.#listing, box, file, sha256 }} />, this.#bar);
    box.after(this.#output);
    render(<OutputView output={codeOutput} />, this.#output);
    startWhenNeeded(this);
  }

  disconnectedCallback() {
    for (const part of [this.#bar, this.#output]) {
      render(null, part);
      part.remove();
    }
  }
}

/**
 * @param {{listing: SourceListing, box: HTMLElement, file: string, sha256: string}} props
 *   box: holds the listing; sha256: the file's
 */
function SourcePanel({ listing, box, file, sha256 }) {
  const [code, running] = [codeInUse(file), runningCode(file)];
  useChanges(running, code);
  const [editing, setEditing] = useState(false);
  const [said, setSaid] = useState("");
  /** @type {[string | null, (text: string) => void]} */
  const [typed, setTyped] = useState(draftOf(file));
  const editor = useRef(/** @type {Editor | null} */ (null));
  const place = useRef(/** @type {HTMLDivElement | null} */ (null));

  const original = listing.fileText;
  const inForce = code.text ?? original;
  const onScreen = editing ? (typed ?? inForce) : inForce;
  const edited = onScreen !== original;
  const { problem } = code;

  useEffect(() => {
    listing.show(code.text).catch(() => {}); // then it stays without colours
  }, [code.text]);

  useEffect(() => listing.markChanged(running.changedLines), [running.changedLines]);

  useEffect(() => {
    box.hidden = editing;
    if (!editing) return;
    let open = true;
    loadEditor()
      .then(({ openEditor }) => {
        if (!open || !place.current) return;
        editor.current = openEditor(place.current, {
          text: onScreen,
          label: `Code of ${file}`,
          onChange: (text) => {
            keepDraft(file, text);
            setTyped(text);
            setSaid("");
          },
          onApply: () => apply(),
        });
        editor.current.mark(code.problem);
        editor.current.focus();
      })
      .catch((error) => {
        setSaid(`The editor could not be fetched: ${describe(error)}. Press Edit again.`);
        setEditing(false);
      });
    return () => {
      open = false;
      editor.current?.close();
      editor.current = null;
      box.hidden = false;
    };
  }, [editing]);

  useEffect(() => editor.current?.mark(problem), [problem]);

  const apply = async () => {
    const text = draftOf(file) ?? inForce;
    setSaid("");
    const done = text === original ? await code.restore() : await code.apply(text);
    if (done) setSaid("In force: the playground and its checks run it now.");
  };
  const restore = async () => {
    setSaid("");
    if (!(await code.restore())) return;
    editor.current?.replace(original);
    dropDraft(file);
    setSaid("The original is back.");
  };
  const edit = () => {
    setSaid("");
    setTyped(draftOf(file) ?? problem?.text ?? inForce);
    setEditing(true);
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(marked(onScreen, original, file, sha256));
      setSaid("Copied");
    } catch {
      setSaid("The browser did not allow copying: use Download");
    }
  };
  const download = encodeURIComponent(marked(onScreen, original, file, sha256));

  return (
    <>
      <div class="source-bar">
        {editing ? (
          <>
            <button type="button" class="primary" disabled={code.applying} onClick={apply}>
              Apply
            </button>
            <button type="button" onClick={() => setEditing(false)}>
              Close the editor
            </button>
          </>
        ) : (
          <button type="button" class="primary" onClick={edit}>
            Edit
          </button>
        )}
        {(edited || code.edited) && (
          <button type="button" disabled={code.applying} onClick={restore}>
            Restore
          </button>
        )}
        <button type="button" onClick={copy}>
          Copy
        </button>
        <a class="button" download={file} href={`data:text/x-python;charset=utf-8,${download}`}>
          Download
        </a>
        <span role="status">{said}</span>
        <Match file={file} sha256={sha256} pending={editing && onScreen !== inForce} />
      </div>
      <div class="source-state" role="status">
        <EditedCode file={file} />
        {editing && problem?.line != null && problem.text === onScreen && (
          <button type="button" onClick={() => editor.current?.goTo(problem.line ?? 1)}>
            Go to line {problem.line}
          </button>
        )}
      </div>
      {editing && (
        <>
          <div class="source-editor highlight" ref={place} />
          <p class="source-keys">
            Ctrl or ⌘ + Enter applies. Tab leaves the editor; Ctrl or ⌘ + ] indents.
          </p>
        </>
      )}
    </>
  );
}

/**
 * Whether the text shown is the code that runs in this tab.
 *
 * @param {{file: string, sha256: string, pending: boolean}} props pending: there are changes not applied
 */
function Match({ file, sha256, pending }) {
  const { sha256: running, failure } = runningCode(file); // "" until Python is up
  const { edited } = codeInUse(file);
  const state = !running ? "unknown" : edited ? "edited" : String(running === sha256);
  return (
    <p class="source-match" data-match={state}>
      {state === "unknown" &&
        (failure
          ? `Nothing could be compared with it: ${failure}.`
          : "Nothing is compared with it until Python is up.")}
      {state === "true" && "✓ This is the file Python imported in this tab: same SHA-256."}
      {state === "false" && `✗ Python imported another file: SHA-256 ${running}.`}
      {state === "edited" && "✎ Your edited code runs in this tab, not the file."}
      {pending && " What you typed runs only when you press Apply."}
    </p>
  );
}

/**
 * @param {string} text
 * @param {string} original
 * @param {string} file
 * @param {string} sha256 the original's
 * @returns {string} the text, with a first line that says so if it is not the original
 */
export function marked(text, original, file, sha256) {
  if (text === original) return text;
  return `# Edited from specdec/${file} (SHA-256 ${sha256}): not the file as published.\n${text}`;
}
