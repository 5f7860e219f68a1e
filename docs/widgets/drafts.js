// What a reader typed into an editor, by file: nothing of it is lost when the editor closes, when
// another page is shown, or when this tab loads its page anew.

/** @type {Map<string, string>} */
const drafts = new Map();

const nameOf = (/** @type {string} */ file) => `specdec draft of ${file}`;

/**
 * @param {string} file
 * @returns {string | null}
 */
export function draftOf(file) {
  return drafts.get(file) ?? inStorage((storage) => storage.getItem(nameOf(file)));
}

/**
 * @param {string} file
 * @param {string} text
 */
export function keepDraft(file, text) {
  drafts.set(file, text);
  inStorage((storage) => storage.setItem(nameOf(file), text));
}

/** @param {string} file */
export function dropDraft(file) {
  drafts.delete(file);
  inStorage((storage) => storage.removeItem(nameOf(file)));
}

/**
 * @template Result
 * @param {(storage: Storage) => Result} work
 * @returns {Result | null} null where the browser refuses: then a page loaded anew knows nothing
 */
function inStorage(work) {
  try {
    return work(sessionStorage);
  } catch {
    return null;
  }
}
