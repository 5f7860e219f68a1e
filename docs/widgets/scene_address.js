// The session of a scene as an address: ?seed=7&temperature=0.5&moves=9:top_k:3&steps=12
// Each control by its name, where it differs from its default; then what changed, at which step.
// Nothing in an address can crash the page: numbers are clamped, what makes no sense is left out.

import { clamp } from "./session_address.js";

/**
 * @typedef {import("./scene_types").Control} Control
 * @typedef {import("./scene_types").SceneFrame} SceneFrame
 * @typedef {import("./scene_types").SceneSettings} SceneSettings
 * @typedef {import("./scene_types").SceneLog} SceneLog
 */

/**
 * @param {string} search
 * @param {SceneFrame} first
 * @returns {SceneLog | null} log: never empty, its first entry at step 0; an entry at `steps` has
 *   not been run yet; null when the address says nothing about a session
 */
export function parseSceneAddress(search, first) {
  const params = new URLSearchParams(search);
  const names = [...first.controls.map(({ name }) => name), "seed", "steps", "moves"];
  if (!names.some((name) => params.has(name))) return null;
  const steps = whole(params.get("steps"), first.state.session.steps, first.max_steps);
  const settings = defaultSettings(first.controls);
  for (const control of first.controls) take(settings, control, params.get(control.name));
  /** @type {SceneLog["log"]} */
  const log = [[0, settings]];
  for (const move of (params.get("moves") ?? "").split(",").slice(0, first.max_steps)) {
    const [at, ...changes] = move.split(":");
    const [last, before] = log[log.length - 1];
    const step = at.trim() ? Math.round(Number(at)) : Number.NaN;
    if (!(step > last && step <= steps)) continue;
    const changed = { ...before };
    for (let i = 0; i + 1 < changes.length; i += 2) {
      const control = first.controls.find(({ name }) => name === changes[i]);
      if (control) take(changed, control, changes[i + 1]);
    }
    log.push([step, changed]);
  }
  return { seed: whole(params.get("seed"), first.state.session.seed, first.max_seed), steps, log };
}

/**
 * @param {SceneLog} session
 * @param {Control[]} controls
 * @returns {string} "?…"
 */
export function formatSceneAddress({ seed, steps, log }, controls) {
  const params = new URLSearchParams({ seed: String(seed) });
  let before = defaultSettings(controls);
  const moves = [];
  for (const [i, [at, settings]] of log.entries()) {
    const changes = controls.filter(({ name }) => settings[name] !== before[name]);
    if (i === 0) for (const { name } of changes) params.set(name, text(settings[name]));
    else moves.push([at, ...changes.flatMap(({ name }) => [name, text(settings[name])])].join(":"));
    before = settings;
  }
  if (moves.length) params.set("moves", moves.join(","));
  params.set("steps", String(steps));
  return `?${String(params).replaceAll("%3A", ":").replaceAll("%2C", ",")}`;
}

/**
 * @param {Control[]} controls
 * @returns {SceneSettings}
 */
export const defaultSettings = (controls) =>
  Object.fromEntries(controls.map(({ name, default: value }) => [name, value]));

/**
 * @param {SceneSettings | undefined} one
 * @param {SceneSettings} other
 */
export const sameSettings = (one, other) =>
  one !== undefined && Object.keys(other).every((name) => one[name] === other[name]);

/**
 * @param {SceneSettings} settings
 * @param {Control} control its value is set, if the text is one, or near one
 * @param {string | null} given
 */
function take(settings, control, given) {
  if (given === null) return;
  if (control.kind === "slider") {
    const { least, most, step } = control;
    const value = given.trim() ? Number(given) : Number.NaN;
    if (Number.isFinite(value)) settings[control.name] = onGrid(clamp(value, least, most), step);
  } else if (control.kind === "switch") {
    if (given === "on" || given === "off") settings[control.name] = given === "on";
  } else if (control.options.some(([option]) => option === given)) {
    settings[control.name] = given;
  }
}

/**
 * @param {number} value
 * @param {number} step between two values
 */
const onGrid = (value, step) => Number((Math.round(value / step) * step).toFixed(6));

/** @param {SceneSettings[string]} value */
const text = (value) => (typeof value === "boolean" ? (value ? "on" : "off") : String(value));

/**
 * @param {string | null} given
 * @param {number} otherwise
 * @param {number} most
 */
function whole(given, otherwise, most) {
  const value = given?.trim() ? Number(given) : Number.NaN;
  return Number.isFinite(value) ? clamp(Math.round(value), 0, most) : otherwise;
}
