// Where things stand in a chart: linear axes with round ticks, and lines through points.

import { nice, ticks } from "d3-array";

/**
 * A linear axis. (d3-scale's brings colours, dates and formats along, a fifth of all we load.)
 *
 * @param {[number, number]} domain values
 * @param {[number, number]} range where they stand, in the chart's units
 * @param {{nice?: number, clamp?: boolean}} [options] nice: round the domain's ends for so many
 *   ticks; clamp: nothing stands outside the range
 */
export function linearAxis([low, high], [from, to], options = {}) {
  const [first, last] = options.nice ? nice(low, high, options.nice) : [low, high];
  const at = (/** @type {number} */ value) => {
    const share = last === first ? 0.5 : (value - first) / (last - first);
    return from + (options.clamp ? Math.min(Math.max(share, 0), 1) : share) * (to - from);
  };
  return Object.assign(at, {
    /** @param {number} count about so many */
    ticks: (count) => ticks(first, last, count),
  });
}

/**
 * @param {[number, number][]} points
 * @returns {string} of a path: straight from one to the next
 */
export const lineThrough = (points) =>
  points.map(([x, y], i) => `${i ? "L" : "M"}${round(x)},${round(y)}`).join("");

const round = (/** @type {number} */ length) => Math.round(1000 * length) / 1000;
