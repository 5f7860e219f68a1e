// The tree of a search: a column a step, an edge from each live hypothesis to what extends it.

import { NODE_KINDS, nats, text } from "./node_kinds.js";

/** @typedef {import("./state").TreeNode} TreeNode */
/** @typedef {TreeNode & {x: number, y: number}} Placed */

const COLUMN = 138;
const ROW = 27;
const NODE = { width: 58, height: 20 };
const ROOT = 22; // the width of the root's place
const MARGIN = 8;

/**
 * @param {{columns: TreeNode[][], words: string[], maxSteps: number, selected: TreeNode | undefined,
 *   onSelect: ((node: TreeNode) => void) | null}} props selected: one of the columns'; onSelect: null
 *   where nothing can be selected, without JavaScript
 */
export function SearchTree({ columns, words, maxSteps, selected, onSelect }) {
  const rows = Math.max(words.length, ...columns.map((column) => column.length));
  const height = rows * ROW + 2 * MARGIN;
  const placed = columns.map((column, i) =>
    column.map((node, row) => ({
      ...node,
      x: ROOT + (i + 1) * COLUMN - NODE.width / 2,
      y: height / 2 + (row - (column.length - 1) / 2) * ROW,
    })),
  );
  const root = { x: MARGIN + 5, y: height / 2 };
  const parentOf = (/** @type {Placed} */ node) =>
    placed[node.tokens.length - 2]?.find((one) => isParent(one, node)) ?? root;
  const all = placed.flat();
  const move = (/** @type {KeyboardEvent} */ event) => {
    const next = selected && neighbour(columns, selected, event.key);
    if (!next || !onSelect) return;
    event.preventDefault();
    onSelect(next);
    const svg = /** @type {SVGElement} */ (event.currentTarget);
    /** @type {SVGElement | null} */ (svg.querySelector(`[data-path="${next.tokens}"]`))?.focus();
  };
  return (
    // The region scrolls on narrow screens; what is in it can be focused, so it need not be.
    <div class="tree">
      {/* biome-ignore lint/a11y/useSemanticElements: SVG has no fieldset */}
      <svg
        viewBox={`0 0 ${ROOT + maxSteps * COLUMN + MARGIN} ${height}`}
        style={{ minWidth: `${(ROOT + maxSteps * COLUMN) * 0.8}px` }}
        role="group"
        aria-label="Search tree; arrow keys go from node to node"
        onKeyDown={move}
      >
        <circle class="root" cx={root.x} cy={root.y} r={5} />
        {all.map((node) => (
          <Edge key={`${node.tokens}`} node={node} parent={parentOf(node)} weight={weight(columns, node)} />
        ))}
        {all.map((node) => (
          <Node
            key={`${node.tokens}`}
            node={node}
            words={words}
            isSelected={isSame(node, selected)}
            onSelect={onSelect && (() => onSelect(node))}
          />
        ))}
      </svg>
    </div>
  );
}

/** @param {{node: Placed, parent: {x: number, y: number}, weight: number}} props */
function Edge({ node, parent, weight }) {
  const [from, to] = [parent.x + ("tokens" in parent ? NODE.width / 2 : 5), node.x - NODE.width / 2];
  const middle = from + 0.35 * (to - from);
  return (
    <g class="edge" data-kind={node.kind} data-found={node.on_found}>
      <path d={`M${from},${parent.y}C${middle},${parent.y} ${middle},${node.y} ${to - 36},${node.y}H${to}`} />
      <text x={to - 4} y={node.y - 3.5} text-anchor="end">
        {nats(weight)}
      </text>
    </g>
  );
}

/**
 * @param {{node: Placed, words: string[], isSelected: boolean,
 *   onSelect: (() => void) | null}} props
 */
function Node({ node, words, isSelected, onSelect }) {
  const { mark, word } = NODE_KINDS[node.kind];
  const { width, height } = NODE;
  const said = text(node.tokens.map((token) => words[token]));
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onSelect?.();
  };
  /** @type {import("preact").SVGAttributes<SVGGElement>} */
  const use = onSelect
    ? {
        role: "button",
        tabindex: isSelected ? 0 : -1, // in SVG its case counts
        "aria-pressed": isSelected,
        onClick: onSelect,
        onKeyDown: press,
      }
    : { role: "img" };
  return (
    <g
      class="node"
      data-kind={node.kind}
      data-path={`${node.tokens}`}
      data-selected={isSelected}
      {...use}
      aria-label={`“${said}”, ${word}, log-probability ${nats(node.log_prob)}${node.on_best ? ", on the way to the best of all" : ""}`}
      transform={`translate(${node.x},${node.y})`}
    >
      <rect
        x={-width / 2}
        y={-height / 2}
        width={width}
        height={height}
        rx={node.kind === "finished" ? 0 : height / 2}
      />
      <text dy="0.32em" text-anchor="middle">
        <tspan class="mark">{mark} </tspan>
        <tspan class="word">{words[node.tokens[node.tokens.length - 1]]}</tspan>
        {node.on_best && <tspan class="star"> ★</tspan>}
      </text>
    </g>
  );
}

/**
 * @param {TreeNode} parent
 * @param {TreeNode} child
 */
const isParent = (parent, child) => `${child.tokens.slice(0, -1)}` === `${parent.tokens}`;

/**
 * @param {TreeNode} node
 * @param {TreeNode | undefined} other
 */
const isSame = (node, other) => `${node.tokens}` === `${other?.tokens}`;

/**
 * @param {TreeNode[][]} columns
 * @param {TreeNode} node
 * @returns {number} of the edge to it: the log-probability of its last token
 */
export function weight(columns, node) {
  const parent = columns[node.tokens.length - 2]?.find((one) => isParent(one, node));
  return node.log_prob - (parent?.log_prob ?? 0);
}

/**
 * @param {TreeNode[][]} columns
 * @param {TreeNode} from
 * @param {string} key
 * @returns {TreeNode | undefined} where an arrow key leads
 */
function neighbour(columns, from, key) {
  const depth = from.tokens.length - 1;
  const column = columns[depth];
  const row = column.findIndex((one) => isSame(one, from));
  if (key === "ArrowUp") return column[row - 1];
  if (key === "ArrowDown") return column[row + 1];
  if (key === "ArrowLeft") return columns[depth - 1]?.find((one) => isParent(one, from));
  if (key === "ArrowRight") return columns[depth + 1]?.find((one) => isParent(from, one));
}
