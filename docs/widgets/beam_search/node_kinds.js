// How each kind of hypothesis is told from the others: a mark and a word, beside colour and shape.

export const NODE_KINDS = {
  live: { mark: "›", word: "kept" },
  finished: { mark: "■", word: "finished" },
  pruned: { mark: "✗", word: "pruned" },
};

/** @param {number} number a log-probability or a score */
export const nats = (number) => number.toFixed(2).replace("-", "−").replace(/^−(0\.0+)$/, "$1");

/** @param {string[]} words */
export const text = (words) => words.join(" ").replace(" .", ".");
