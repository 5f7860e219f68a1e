// What docs/scenes/beam_search.py returns.

import type { SceneFrame, SceneState } from "../scene_types";

/** A hypothesis of a step; ids in its place in the vocabulary. */
export interface TreeNode {
  tokens: number[];
  kind: "live" | "finished" | "pruned";
  /** By log-probability, among all that arose in its step, from 1. */
  rank: number;
  log_prob: number;
  score: number;
  /** Whether it begins the best of all continuations, or the one that this beam found. */
  on_best: boolean;
  on_found: boolean;
}

export interface Found {
  words: string[];
  tokens: number[];
  log_prob: number;
  score: number;
}

export interface BeamState extends SceneState {
  /** A column a step: its hypotheses in the tree's order. */
  columns: TreeNode[][];
  greedy: Found;
  best: Found;
  /** The best of all without a length penalty. */
  likeliest: Found;
  /** Both null until the search ends. */
  beam: Found | null;
  found: boolean | null;
  continuations: number;
  /** How many hypotheses the model was asked to continue. */
  extended: { beam: number; every: number };
}

export interface Failures {
  seed: number;
  models: number;
  vocab: number;
  num_tokens: number;
  rates: { width: number; share: number; mean_loss: number }[];
}

export interface BeamFrame extends SceneFrame<BeamState, Failures> {
  words: string[];
}
