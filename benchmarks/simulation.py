"""Tokens a second: `simulate` beside a plain Python loop over `speculative_decode`.

Run it with `python benchmarks/simulation.py`. The two take turns in one process, on one
core, on the playground's model; the medians and their ratio are printed.
"""

import time
from statistics import median

import numpy as np

from specdec.models import draft_of_quality, playground_target
from specdec.simulation import simulate
from specdec.speculative import speculative_decode

ROUNDS = 9
GAMMA, QUALITY = 4, 0.85
CHAINS, STEPS = 8192, 128  # some 4 million tokens
DECODES, TOKENS = 20, 250  # short, so that the prompt's growth costs the loop little


def simulated(target, draft, rng) -> int:
    """Returns the number of tokens that `simulate` emitted."""
    return simulate(target, draft, 0, GAMMA, STEPS, CHAINS, rng).num_tokens


def looped(target, draft, rng) -> int:
    """Returns the number of tokens that a loop over `speculative_decode` emitted."""
    return sum(len(step.tokens) for _ in range(DECODES)
               for step in speculative_decode(target, draft, [0], TOKENS, GAMMA, rng))


def rate(run, target, draft, rng) -> float:
    """Returns tokens a second of one run."""
    start = time.perf_counter()
    num_tokens = run(target, draft, rng)
    return num_tokens / (time.perf_counter() - start)


def main():
    """Measures both in turns and prints the medians."""
    target = playground_target()
    draft = draft_of_quality(target, QUALITY)
    rng = np.random.default_rng(0)
    rates = {simulated: [], looped: []}
    for _ in range(ROUNDS):
        for run, measured in rates.items():
            measured.append(rate(run, target, draft, rng))
    fast, slow = median(rates[simulated]), median(rates[looped])
    print(f"playground model, draft quality {QUALITY}, gamma {GAMMA}, one core, "
          f"median of {ROUNDS}:")
    print(f"  simulate            {fast / 1e6:10.2f} million tokens a second")
    print(f"  speculative_decode  {slow / 1e6:10.4f} million tokens a second")
    print(f"  ratio               {fast / slow:10.0f}")


if __name__ == "__main__":
    main()
