"""docs/scenes/stated_numbers.py: what the prose states, against numbers found another way."""

from fractions import Fraction

import numpy as np

from specdec.models import draft_of_quality, playground_target
from tests.scene_loading import load_scene

stated = load_scene("stated_numbers").stated_numbers()


def test_the_formulas_numbers():
    alpha = Fraction(8, 10)
    tokens = sum(alpha**i for i in range(5))
    assert stated["tokens_at_8_4"] == f"{float(tokens):.2f}"
    assert stated["accept_rate_at_8_4"] == f"{float((tokens - 1) / 4):.2f}"
    assert stated["ceiling_at_8"] == str(1 / (1 - alpha))
    assert (stated["passes_saved_low"], stated["passes_saved_high"]) == ("2", "4")


def test_the_playgrounds_acceptance_by_walking_its_chain():
    target = playground_target()
    law = np.linalg.matrix_power(target.table, 1000)[0]  # where a long walk is
    for name, quality in (("start_alpha", 0.85), ("guesser_alpha", 0)):
        draft = draft_of_quality(target, quality).table
        alpha = 1 - law @ abs(target.table - draft).sum(axis=1) / 2
        assert stated[name] == f"{alpha:.2f}"
    assert stated["words"] == str(len(target.words))
