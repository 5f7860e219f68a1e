// What each way to search finds: greedy decoding, this beam, and a look at every continuation.

import { nats, text } from "./node_kinds.js";

/**
 * @typedef {import("./state").BeamState} BeamState
 * @typedef {import("./state").Found} Found
 */

/** @param {{state: BeamState, width: number, penalised: boolean}} props */
export function Winners({ state, width, penalised }) {
  const { greedy, beam, best, likeliest, continuations, extended } = state;
  return (
    <section class="winners" aria-label="What each search finds">
      <h2>What each search finds</h2>
      <table class="found">
        <thead>
          <tr>
            <th scope="col">search</th>
            <th scope="col">text</th>
            <th scope="col">log-prob.</th>
            <th scope="col">score</th>
          </tr>
        </thead>
        <tbody>
          <Row name="greedy" label="greedy" found={greedy} best={best} />
          <Row name="beam" label={`width ${width}`} found={beam} best={best} />
          <Row name="best" label="every text" found={best} best={best} />
          {penalised && <Row name="likeliest" label="no penalty" found={likeliest} best={best} />}
        </tbody>
      </table>
      <p class="asked">
        {beam
          ? `The beam asked the model ${extended.beam} times, the look at all ${continuations} texts ${extended.every} times.`
          : "The search is not at its end."}
      </p>
    </section>
  );
}

/** @param {{name: string, label: string, found: Found | null, best: Found}} props */
function Row({ name, label, found, best }) {
  const isBest = found !== null && found.score >= best.score;
  return (
    <tr data-search={name}>
      <th scope="row">{label}</th>
      <td>
        {found ? `“${text(found.words)}”` : "…"}
        {isBest && <span class="star"> ★</span>}
      </td>
      <td>{found ? nats(found.log_prob) : "…"}</td>
      <td>{found ? nats(found.score) : "…"}</td>
    </tr>
  );
}
