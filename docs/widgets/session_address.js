// A session as an address: ?seed=7&quality=0.85&gamma=4&moves=9:0.05:4&steps=12&cost=0.05
// quality, gamma and seed alone are the short form. Nothing in an address can crash the page:
// numbers are clamped, what is no number is left out.

/**
 * @typedef {import("./types").Settings} Settings
 * @typedef {import("./types").FirstFrame} FirstFrame
 * @typedef {{seed: number, costRatio: number, steps: number, log: [number, Settings][]}} Opening
 *   log: never empty, its first entry at step 0; an entry at `steps` has not been run yet
 */

/**
 * @param {string} search
 * @param {FirstFrame} first its defaults stand for what the address leaves out
 * @returns {Opening | null} null when the address says nothing about a session
 */
export function parseAddress(search, first) {
  const params = new URLSearchParams(search);
  if (!["seed", "quality", "gamma", "moves", "steps", "cost"].some((name) => params.has(name))) {
    return null;
  }
  const { defaults } = first;
  const number = (/** @type {string} */ name, /** @type {number} */ otherwise) =>
    finite(params.get(name)) ?? otherwise;
  const steps = clamp(Math.round(number("steps", first.first_run_steps)), 0, first.max_steps);
  /** @type {[number, Settings][]} */
  const log = [
    [0, settings(number("quality", defaults.quality), number("gamma", defaults.gamma), first)],
  ];
  for (const move of (params.get("moves") ?? "").split(",").slice(0, first.max_steps)) {
    const [at, quality, gamma, ...rest] = move.split(":").map(finite);
    if (at == null || quality == null || gamma == null || rest.length) continue;
    const step = Math.round(at);
    if (step > log[log.length - 1][0] && step <= steps) {
      log.push([step, settings(quality, gamma, first)]);
    }
  }
  return {
    seed: clamp(Math.round(number("seed", defaults.seed)), 0, first.max_seed),
    costRatio: clampCostRatio(number("cost", defaults.cost_ratio)),
    steps,
    log,
  };
}

/**
 * @param {Opening} session
 * @returns {string} "?…"
 */
export function formatAddress({ seed, costRatio, steps, log }) {
  const [[, first], ...moves] = log;
  const parts = [`seed=${seed}`, `quality=${first.quality}`, `gamma=${first.gamma}`];
  if (moves.length) {
    parts.push(`moves=${moves.map(([at, s]) => `${at}:${s.quality}:${s.gamma}`).join(",")}`);
  }
  parts.push(`steps=${steps}`, `cost=${costRatio}`);
  return `?${parts.join("&")}`;
}

/** @param {number} ratio */
export const clampCostRatio = (ratio) => clamp(hundredths(ratio), 0, 1);

/**
 * @param {number} quality
 * @param {number} gamma
 * @param {FirstFrame} first
 * @returns {Settings}
 */
function settings(quality, gamma, first) {
  return {
    quality: clamp(hundredths(quality), 0, 1),
    gamma: clamp(Math.round(gamma), 1, first.max_gamma),
  };
}

/** @param {string | null} text */
function finite(text) {
  const value = text?.trim() ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : null;
}

/** @param {number} value */
const hundredths = (value) => Math.round(value * 100) / 100;

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
