"""The numbers that the pages' prose states, each computed by the package at build."""

from specdec import sample_size, theory
from specdec.certificate import small_models
from specdec.models import draft_of_quality, playground_target


def stated_numbers() -> dict[str, str]:
    """Returns what `{{ name }}` in a page stands for."""
    target = playground_target()
    tokens = theory.expected_tokens(0.8, 4)

    def alpha(quality: float) -> float:
        return theory.mean_acceptance_rate(
            target.table, draft_of_quality(target, quality).table)

    def pace(quality: float, gamma: int) -> float:
        return theory.expected_tokens(alpha(quality), gamma)

    def speedup(quality: float, gamma: int) -> float:
        return theory.walltime_speedup(alpha(quality), gamma, 0.05)

    return {
        "words": str(len(target.words)),
        "start_alpha": f"{alpha(0.85):.2f}",
        "guesser_alpha": f"{alpha(0):.2f}",
        "passes_saved_low": f"{theory.expected_tokens(0.6, 4):.0f}",
        "passes_saved_high": f"{theory.expected_tokens(0.9, 4):.0f}",
        "tokens_at_8_4": f"{tokens:.2f}",
        "accept_rate_at_8_4": f"{(tokens - 1) / 4:.2f}",
        "token_rate_at_8_4": f"{tokens / 5:.2f}",
        "position_rates_at_8_4": ", ".join(f"{0.8**i:.2f}" for i in range(1, 5)),
        "speedup_at_8_4": f"{theory.walltime_speedup(0.8, 4, 0.05):.2f}",
        "ceiling_at_8": f"{1 / (1 - 0.8):.0f}",
        "good_draft_tokens": f"{pace(0.95, 4):.1f}",
        "bad_draft_tokens": f"{pace(0.02, 4):.1f}",
        "weak_short_speedup": f"{speedup(0.1, 2):.2f}",
        "weak_long_speedup": f"{speedup(0.1, 8):.2f}",
        "start_rate": f"{(pace(0.85, 4) - 1) / 4:.2f}",
        "guesser_rate": f"{(pace(0, 4) - 1) / 4:.2f}",
        "test_tokens": f"{sample_size.TOKENS:,}",
        "test_level": f"{sample_size.LEVEL:.0%}",
        "test_power": f"{sample_size.POWER:.0%}",
        "small_models": str(len(small_models())),
    }
