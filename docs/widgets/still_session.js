// A session that does not go on: what a page shows of a scene's first frame, at build too.

import { SPEED_NAMES } from "./pacing.js";
import { defaultSettings } from "./scene_address.js";

const nothing = () => {};

/**
 * @param {import("./scene_types").SceneFrame} first
 * @returns {import("./scene_types").ShownSession}
 */
export function stillSession(first) {
  const { seed, log } = first.state.session;
  return {
    first,
    seed,
    settings: log[log.length - 1]?.[1] ?? defaultSettings(first.controls),
    state: first.state,
    stale: false,
    examined: first.examined ?? null,
    examinedIsOld: false,
    running: false,
    waiting: 0,
    speed: "normal",
    speeds: SPEED_NAMES,
    set: nothing,
    setSpeed: nothing,
    run: nothing,
    pause: nothing,
    step: nothing,
    reset: nothing,
  };
}
