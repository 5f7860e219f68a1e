// What a playground with a scene of its own is made of: see "A further playground" in
// CONTRIBUTING.md. Controls are declared in Python (specdec/controls.py).

import type { ComponentChildren } from "preact";
import type { Speed } from "./pacing";

export type SceneSettings = Record<string, number | string | boolean>;

export interface SliderControl {
  kind: "slider";
  name: string;
  label: string;
  default: number;
  least: number;
  most: number;
  step: number;
  off: number | null;
  ends: [string, string];
}

export interface ChoiceControl {
  kind: "choice";
  name: string;
  label: string;
  default: string;
  options: [id: string, label: string][];
}

export interface SwitchControl {
  kind: "switch";
  name: string;
  label: string;
  default: boolean;
}

export type Control = SliderControl | ChoiceControl | SwitchControl;

export interface SceneLog {
  seed: number;
  steps: number;
  log: [step: number, settings: SceneSettings][];
}

/** What every scene's state holds beside its own picture. */
export interface SceneState {
  session: SceneLog;
  finished: boolean;
}

/** What a scene's first_frame() returns. */
export interface SceneFrame<State extends SceneState = SceneState, Examined = unknown> {
  controls: Control[];
  max_seed: number;
  max_steps: number;
  /** Where the first run ended, made under the default settings. */
  state: State;
  /** What the scene's `examine` found of the default settings, if it has one. */
  examined?: Examined;
}

/** A session as a widget shows it: at build none that goes on, in the tab a SceneSession. */
export interface ShownSession<State extends SceneState = SceneState, Examined = unknown> {
  first: SceneFrame<State, Examined>;
  seed: number;
  settings: SceneSettings;
  state: State;
  /** The state is not yet that of the settings. */
  stale: boolean;
  /** What the scene's `examine` found, and whether that is of other settings. */
  examined: Examined | null;
  examinedIsOld: boolean;
  running: boolean;
  waiting: number;
  speed: Speed;
  speeds: Speed[];
  set(change: SceneSettings): void;
  setSpeed(speed: Speed): void;
  run(): void;
  pause(): void;
  step(): void;
  reset(seed?: number): void;
}

export interface ViewProps<State extends SceneState = SceneState, Examined = unknown> {
  session: ShownSession<State, Examined>;
  /** Where Python is: nothing at build. */
  note: ComponentChildren;
}
