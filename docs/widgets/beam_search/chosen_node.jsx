// The hypothesis that the reader has selected in the tree: its figures, and what became of it.

import { NODE_KINDS, nats, text } from "./node_kinds.js";
import { weight } from "./search_tree.jsx";

/** @typedef {import("./state").TreeNode} TreeNode */

/**
 * @param {{columns: TreeNode[][], node: TreeNode | undefined, words: string[], width: number}} props
 */
export function ChosenNode({ columns, node, words, width }) {
  return (
    <section class="chosen" aria-label="Selected hypothesis" aria-live="polite">
      {node ? (
        <>
          <h2>“{text(node.tokens.map((token) => words[token]))}”</h2>
          <p class="fate" data-kind={node.kind}>
            <span class="mark" aria-hidden="true">
              {NODE_KINDS[node.kind].mark}{" "}
            </span>
            {fate(node, columns[node.tokens.length - 1].length, width)}
            {node.on_best && <span class="star"> ★ On the way to the best of all.</span>}
          </p>
          <dl>
            <Figure name="node-log-prob" label="log-probability" value={nats(node.log_prob)} />
            <Figure name="node-last" label="of the last token" value={nats(weight(columns, node))} />
            <Figure name="node-length" label="length" value={String(node.tokens.length)} />
            <Figure name="node-score" label="score" value={nats(node.score)} />
          </dl>
        </>
      ) : (
        <p>Nothing is searched yet: press Step. Then select any node.</p>
      )}
    </section>
  );
}

/** @param {{name: string, label: string, value: string}} props */
function Figure({ name, label, value }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd data-stat={name}>{value}</dd>
    </div>
  );
}

/**
 * @param {TreeNode} node
 * @param {number} count how many arose in its step
 * @param {number} width
 */
function fate(node, count, width) {
  const place = `number ${node.rank} of ${count} by log-probability`;
  const among = width === 1 ? "the first" : `the first ${width}`;
  if (node.kind === "finished") return `Finished: it ends, and is ${place}, among ${among}.`;
  if (node.kind === "live") return `Kept: ${place}; ${among} that ${width === 1 ? "goes" : "go"} on may stay.`;
  return `Pruned: ${place}; the beam had no place for it.`;
}
