// What docs/scenes/sampling_knobs.py returns.

import type { SceneState } from "../scene_types";

export interface WordLaw {
  word: string;
  /** Below the greatest; after the knobs null where it is cut. */
  logit: number;
  logit_after: number | null;
  before: number;
  after: number;
  after_other: number;
  cut_by: string | null;
}

export interface LawFigures {
  entropy: number;
  perplexity: number;
  words: number;
}

export interface Against {
  log10_e: number | null;
  rejected: boolean;
}

export interface KnobsState extends SceneState {
  context: string;
  words: WordLaw[];
  law: { before: LawFigures; after: LawFigures };
  other: LawFigures & { order: string; distance: number };
  text: { word: string; kind: "sampled" | "accepted" | "recovered" | "bonus" }[];
  tokens: number;
  counted: {
    steps: number;
    drafted: number;
    accepted: number;
    tokens: number;
    words_left: number;
    rate: number | null;
  };
  acceptance: {
    temperatures: number[];
    both: number[];
    alone: number[];
    now: { both: number; alone: number };
  };
  evidence: { tokens: number; level: number; with_knobs: Against; without_knobs: Against };
}

export interface WiringFound {
  on_target: boolean;
  on_draft: boolean;
  in_ratio: boolean;
  state: "exact" | "not exact" | "could not check";
  law: string;
  paths: number;
  with_knobs: number;
  without_knobs: number;
}

export interface KnobsExamined {
  model: string;
  changed: number;
  wirings: WiringFound[];
}
