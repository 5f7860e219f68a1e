// The data that scenes return (docs/scenes/playground.py) and that widgets show.

export interface Settings {
  quality: number;
  gamma: number;
}

/** A seed and a log of settings: everything a widget shows is a function of it. */
export interface Session {
  seed: number;
  steps: number;
  log: [step: number, settings: Settings][];
}

export type CellKind = "accepted" | "rejected" | "recovered" | "discarded" | "bonus";

export interface Cell {
  kind: CellKind;
  position: number;
  token: number;
  word: string;
  context: string;
  p: number;
  q: number | null;
  ratio: number | null;
  uniform: number | null;
  target: number[];
  draft: number[] | null;
  residual: number[] | null;
}

export interface Pace {
  tokens: number;
  settings_changed: boolean;
  mean: number;
  predicted: number;
}

/** How much of a step is made or shown: guesses, those judged, the target's own token. */
export interface Shown {
  guesses: number;
  checked: number;
  own: boolean;
}

/** A line about to run: what is new in its call, parts of it, and what comes of it. */
export interface ExecutedLine {
  line: number;
  call: number;
  changed?: Record<string, string | null>;
  parts?: Record<string, string>;
  draws?: { method: "random" | "choice"; uniform: string }[];
  returned?: string;
  shown: Shown;
}

export interface FrameLines {
  calls: string[];
  lines: ExecutedLine[];
  complete: boolean;
  argument_checks: string[];
}

export interface Frame extends Settings {
  step: number;
  cells: Cell[];
  pace: Pace;
  lines?: FrameLines;
}

export interface Statistics {
  steps: number;
  drafted: number;
  accepted: number;
  thrown_away: number;
  tokens_emitted: number;
  draft_accept_rate: number | null;
  tokens_per_pass: number | null;
  speedup: number | null;
}

export interface Distribution {
  words: string[];
  emitted: number[];
  expected: number[];
  low: number[];
  high: number[];
  total: number;
  outside: string[];
}

export interface State {
  session: Session;
  finished: boolean;
  window: Statistics;
  run: Statistics;
  distribution: Distribution;
  evidence: { log10_e: number | null; level: number; rejected: boolean };
}

export interface Run {
  frames: Frame[];
  state: State;
}

export interface Finding {
  name: string;
  vocab: number;
  gamma: number;
  num_tokens: number;
  paths: number;
  total_variation: string;
}

export interface Certificate {
  state: "exact" | "not exact" | "could not check";
  reason: string;
  findings: Finding[];
}

export interface FirstFrame extends Run {
  blank: State;
  defaults: Settings & { seed: number; cost_ratio: number };
  max_steps: number;
  max_gamma: number;
  max_seed: number;
  first_run_steps: number;
  certificate: Certificate;
}

/** A changed code under the running evidence (docs/scenes/mistakes.py). */
export interface EvidenceRun {
  tokens: number;
  rejected: boolean;
  done: boolean;
  trail: [tokens: number, log10: number | null][];
  alarm: number;
  most_tokens: number;
  settings: Settings;
}

/** Where Python is, as every widget on the page sees it. */
export interface PythonStatus {
  status: "idle" | "booting" | "live" | "failed";
  stage: string;
  loadedBytes: number;
  totalBytes: number;
  slow: boolean;
  /** It has given no answer for a while. */
  late: boolean;
  /** ... while it may be running a reader's code, which can be stopped. */
  busy: boolean;
  /** Why the Python before this one stopped, if that was lately. */
  lost: string;
  /** What went wrong, when it failed, and why. */
  failure: string;
  message: string;
}

export interface RuntimeFile {
  name: string;
  url: string;
  bytes: number;
  sha256: string;
  /** Of what the file, packed by gzip, holds. */
  unpacked?: { sha256: string };
  role: "core" | "package" | "bytecode" | "memory" | "on-demand" | "specdec" | "scene";
}

export interface Manifest {
  files: RuntimeFile[];
}

export interface Progress {
  stage: "downloading" | "starting";
  loadedBytes: number;
  totalBytes: number;
  waitingFor: string[];
}

/** What a reader's code has printed and drawn since the last time. */
export interface CodeOutput {
  text: string;
  figures: { url: string; alt: string }[];
}

/** What Pyodide's own JavaScript calls its module: private, of the one build that is pinned. */
export interface PyodideModule {
  HEAPU8: Uint8Array<ArrayBuffer>;
  wasmTable: WebAssembly.Table;
  freeTableIndexes: number[];
  LDSO: {
    loadedLibsByName: Record<string, DynamicLibrary>;
    loadedLibsByHandle: Record<number, DynamicLibrary>;
  };
  API: { restoreSnapshot: (memory: Uint8Array) => object };
  growMemory(bytes: number): void;
  newDSO(path: string, handle: undefined, exports: "loading"): DynamicLibrary;
  loadWebAssemblyModule(
    binary: WebAssembly.Module, flags: object, path: string, scope: object,
  ): Record<string, unknown>;
}

export interface DynamicLibrary {
  name: string;
  global: boolean;
  exports: unknown;
}
