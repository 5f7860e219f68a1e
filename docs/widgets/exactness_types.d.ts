// The data of the panel "Is it exact?" (docs/scenes/exactness.py).

export type Preset = "equal" | "disjoint" | "one-hot" | "context-dependent";
export type Part = "target" | "draft";
export type VerdictState = "exact" | "not exact" | "could not check";

/** Whole-number weights; a row for each last word, or one for all. */
export interface SmallModel {
  preset: Preset;
  vocab: number;
  gamma: number;
  context_dependent: boolean;
  target: number[][];
  draft: number[][];
}

/** `exact` is a fraction, or "" when it is too long to be read. */
export interface ExactNumber {
  value: number;
  exact: string;
}

export interface SequenceOdds {
  words: string;
  target: ExactNumber;
  emitted: ExactNumber;
}

export interface EmittedLaw {
  paths: number;
  distance: ExactNumber;
  first_token: ExactNumber;
  worst: SequenceOdds | null;
  total: number;
  sequences: SequenceOdds[];
}

export interface CheckResult {
  model: string;
  tokens: number;
  state: VerdictState;
  reason: string;
  law: EmittedLaw | null;
}

export interface SequencesPart {
  done: boolean;
  paths: number;
  share: number;
  result: CheckResult | null;
}

export interface ExactnessFrame {
  words: string;
  vocabs: number[];
  gammas: number[];
  max_weight: number;
  max_paths: number;
  presets: Record<Preset, Record<string, SmallModel>>;
  model: SmallModel;
  one_step: CheckResult;
  sequences: CheckResult;
}
