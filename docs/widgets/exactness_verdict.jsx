// The badge, the two checks behind it, and the sequence that is worst off.

import { python } from "./python.js";
import { VERDICT_MARKS } from "./verdict_marks.js";

/**
 * @typedef {import("./exactness_check.js").ExactnessCheck} ExactnessCheck
 * @typedef {import("./exactness_types").CheckResult} CheckResult
 * @typedef {import("./exactness_types").EmittedLaw} EmittedLaw
 * @typedef {import("./exactness_types").ExactnessFrame} ExactnessFrame
 * @typedef {import("./exactness_types").ExactNumber} ExactNumber
 * @typedef {import("./exactness_types").VerdictState} VerdictState
 */

/** @param {number} count */
const grouped = (count) => count.toLocaleString("en");

/** @param {{value: number, exact: string}} number */
const decimal = ({ value, exact }) => (exact === "0" || exact === "1" ? exact : value.toPrecision(3));

/**
 * One wrong law is enough; only the joint law can say "exact" of more than one step.
 *
 * @param {ExactnessCheck} check
 * @returns {CheckResult}
 */
function decisive({ oneStep, sequences, sequencesAreOld }) {
  if (sequencesAreOld || (oneStep.state === "not exact" && sequences.state !== "not exact")) {
    return oneStep;
  }
  return sequences;
}

/** @param {{frame: ExactnessFrame, check: ExactnessCheck, edited: boolean}} props */
export function ExactnessVerdict({ frame, check, edited }) {
  const { oneStep, sequences } = check;
  const result = decisive(check);
  return (
    <section class="exactness-verdict" aria-label="Is it exact?">
      <div class="badge" data-verdict={result.state}>
        <b role="status">
          <span aria-hidden="true">{VERDICT_MARKS[result.state]} </span>
          {result.state}
        </b>
        <Distance law={result.law} oneStep={oneStep.law} />
      </div>
      <table class="checks">
        <thead>
          <tr>
            <th scope="col">checked</th>
            <th scope="col">tokens</th>
            <th scope="col">paths</th>
            <th scope="col">verdict</th>
          </tr>
        </thead>
        <tbody>
          <CheckRow name="one step, then the target" result={oneStep} />
          {check.sequencesAreOld ? (
            <tr data-check="sequences">
              <th scope="row">step after step</th>
              <td>{check.model.gamma + 2}</td>
              <td>{check.progress ? grouped(check.progress.paths) : "–"}</td>
              <td>{pending(check)}</td>
            </tr>
          ) : (
            <CheckRow name="step after step" result={sequences} />
          )}
        </tbody>
      </table>
      <p class="finding">
        <Finding result={result} oneStep={oneStep} error={check.error} />
      </p>
      <p class="enumerated">
        Enumerated: <span data-stat="model">{result.model}</span>;{" "}
        {edited ? "the code as you edited it" : "the file as it stands"},{" "}
        {check.checkedHere ? "in this tab" : "when this page was built"}. The budget is{" "}
        {grouped(frame.max_paths)} paths.
      </p>
    </section>
  );
}

/** @param {{name: string, result: CheckResult}} props */
function CheckRow({ name, result }) {
  return (
    <tr data-check={name === "step after step" ? "sequences" : "one-step"}>
      <th scope="row">{name}</th>
      <td>{result.tokens}</td>
      <td>{result.law ? grouped(result.law.paths) : "–"}</td>
      <td data-verdict={result.state}>
        <span aria-hidden="true">{VERDICT_MARKS[result.state]} </span>
        {result.state}
      </td>
    </tr>
  );
}

/** @param {ExactnessCheck} check whose joint law is not there yet */
function pending({ held, progress, error }) {
  if (error || python.status.status === "failed") return "not done";
  if (held) return "when you let go";
  if (!progress) return "to come";
  return `${Math.floor(100 * progress.share)}% of all`;
}

/** @param {{law: EmittedLaw | null, oneStep: EmittedLaw | null}} props */
function Distance({ law, oneStep }) {
  const distance = (law ?? oneStep)?.distance;
  if (!distance) return <span class="distance">no law to compare</span>;
  const { exact, value } = distance;
  return (
    <span class="distance">
      {law ? "" : "one step: "}total variation{" "}
      <b data-stat="total-variation">{exact || `about ${value.toPrecision(2)}`}</b>
      {exact.includes("/") && ` ≈ ${value.toPrecision(3)}`}
    </span>
  );
}

/**
 * @param {{result: CheckResult, oneStep: CheckResult, error: string}} props
 */
function Finding({ result, oneStep, error }) {
  if (error) return `Python did not answer: ${error}. What you see is the last answer.`;
  if (result.state === "could not check") {
    const stands = result !== oneStep && oneStep.state !== "could not check";
    return (
      <>
        {result.reason.charAt(0).toUpperCase() + result.reason.slice(1)}.{" "}
        {stands && `The check of one step stands: ${oneStep.state}.`}
      </>
    );
  }
  const { law, tokens } = result;
  if (!law?.worst) {
    return `No sequence differs: each of the ${grouped(law?.total ?? 0)} sequences of ${tokens} tokens that can come out does so with exactly the target's probability.`;
  }
  const { worst, first_token } = law;
  return (
    <>
      Worst: <b class="sequence">{[...worst.words].join(" ")}</b> comes out with probability{" "}
      <Probability number={worst.emitted} />, where the target gives{" "}
      <Probability number={worst.target} />.{" "}
      {first_token.exact === "0"
        ? "The first token alone is right: a test of single tokens could not see this."
        : `The first token alone is ${decimal(first_token)} away.`}
    </>
  );
}

/** @param {{number: ExactNumber}} props */
function Probability({ number }) {
  return (
    <>
      <b>{decimal(number)}</b>
      {number.exact.includes("/") && ` (${number.exact})`}
    </>
  );
}
