// "Output = target?": exact, not exact, or could not check - and what that rests on.

import { codeInUse } from "./code_in_use.js";
import { Explained } from "./explained.jsx";
import { runningCode } from "./running_code.js";
import { useChanges } from "./use_changes.js";
import { VERDICT_MARKS } from "./verdict_marks.js";

/**
 * @typedef {import("./types").Certificate} Certificate
 * @typedef {import("./types").State} State
 */

const FILE = "speculative.py";

/**
 * Either check alone can say "not exact"; only both together say "exact".
 *
 * @param {Certificate | null} certificate every outcome of this code on the named small models
 * @param {State["evidence"]} evidence the running test on this stream, latched until Reset
 */
function judge(certificate, evidence) {
  return evidence.rejected ? "not exact" : (certificate?.state ?? "checking");
}

/**
 * @param {{built: Certificate, evidence: State["evidence"]}} props built: the original's
 *   certificate, made with the page; it serves until this tab has its own
 */
export function Verdict({ built, evidence }) {
  const [code, running] = [codeInUse(FILE), runningCode(FILE)];
  useChanges(running, code);
  const certifiedHere = running.certificate != null;
  const certificate = running.certificate ?? (code.edited ? null : built);
  const state = judge(certificate, evidence);
  return (
    <div class="tile verdict-tile" data-verdict={state}>
      <dt>
        Output = target?{" "}
        <Explained label="What the verdict rests on">
          {certificate ? (
            <Enumerated certificate={certificate} certifiedHere={certifiedHere} />
          ) : (
            <p>Your code is being run through every random outcome on small models.</p>
          )}
          <Running evidence={evidence} />
        </Explained>
      </dt>
      <dd>
        <b data-stat="exact" role="status">
          <span aria-hidden="true">{VERDICT_MARKS[state]} </span>
          {state}
        </b>
        <small>
          <span class="visually-hidden">checked </span>
          {certifiedHere ? "in this tab" : certificate ? "when built" : "not yet"}
        </small>
      </dd>
    </div>
  );
}

/** @param {{certificate: Certificate, certifiedHere: boolean}} props */
function Enumerated({ certificate, certifiedHere }) {
  const where = certifiedHere ? "in this tab" : "when this page was built";
  return (
    <>
      <p>Every random outcome of this code was run {where}, in exact fractions:</p>
      <ul>
        {certificate.findings.map((finding) => (
          <li key={finding.name}>
            a {finding.vocab}-word model with {finding.name} (γ = {finding.gamma},{" "}
            {finding.num_tokens} tokens):{" "}
            {finding.paths.toLocaleString("en")} paths, total variation {finding.total_variation}
          </li>
        ))}
      </ul>
      {certificate.reason && (
        <p>
          {certificate.state}: {certificate.reason}
        </p>
      )}
    </>
  );
}

/** @param {number | null} log10 */
function strength(log10) {
  if (log10 == null) return "beyond all bounds";
  return log10 < 4 ? (10 ** log10).toPrecision(2) : `10 to the power of ${log10.toFixed(0)}`;
}

/** @param {{evidence: State["evidence"]}} props */
function Running({ evidence }) {
  const alarm = Math.round(1 / evidence.level).toLocaleString("en");
  return (
    <p>
      Evidence against this stream: <b>{strength(evidence.log10_e)}</b> (1 or less: none). The alarm
      is at {alarm}. If all is well, at most one run in {alarm} ever reaches it, however long you
      watch.
    </p>
  );
}
