// How often beams of each width miss the most probable text, over random models.

/** @param {{failures: import("./state").Failures | null, isOld: boolean}} props */
export function FailureChart({ failures, isOld }) {
  return (
    <section class="failures" aria-label="How often a beam fails">
      <h2>How often the best is missed</h2>
      {failures ? (
        <Rates failures={failures} isOld={isOld} />
      ) : (
        <p>Random models are being searched …</p>
      )}
    </section>
  );
}

/** @param {{failures: import("./state").Failures, isOld: boolean}} props */
function Rates({ failures: { seed, models, vocab, num_tokens, rates }, isOld }) {
  const most = Math.max(...rates.map(({ share }) => share));
  return (
    <>
      <table class="rates" data-old={isOld}>
        <thead class="visually-hidden">
          <tr>
            <th scope="col">width</th>
            <th scope="col">share of the models, as a bar</th>
            <th scope="col">share of the models</th>
          </tr>
        </thead>
        <tbody>
          {rates.map(({ width, share }) => (
            <tr key={width} data-width={width}>
              <th scope="row">{width === 1 ? "greedy" : `width ${width}`}</th>
              <td>
                <svg class="share" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                  <rect width={most ? (100 * share) / most : 0} height={10} />
                </svg>
              </td>
              <td>{Number((100 * share).toFixed(1))}%</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        Of {models} random models (seed {seed}), {vocab} words, {num_tokens} tokens, no stop token
        and no penalty; by the package’s own beam.py.
      </p>
    </>
  );
}
