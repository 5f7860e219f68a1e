"""docs/scenes/beam_search.py: what the page states, against searches in plain Python."""

import math
from itertools import product

import numpy as np

from specdec.beam import beam_search
from specdec.beam_failures import RandomTree
from tests.scene_loading import load_scene
from tests.scenes.plain_search import every_text, greedy, kept_by_a_beam

scene = load_scene("beam_search")


def texts_of(name):
    return every_text(scene.model_of(name, 0), len(scene.WORDS), 4, scene.STOP)


def quoted(text):
    return f"“{' '.join(scene.WORDS[token] for token in text).replace(' .', '.')}”"


def test_the_pages_numbers_by_another_way():
    stated = scene.stated_numbers()
    assert stated["beam_words"] == str(len(scene.WORDS))
    first = scene.first_frame()["state"]
    assert stated["beam_first_steps"] == str(len(first["columns"])) and not first["finished"]
    model, asked = scene.model_of("greedy", 0), []
    texts = texts_of("greedy")
    found = {"greedy": greedy(model, 4, scene.STOP), "best": max(texts, key=texts.get)}
    for name, text in found.items():
        assert stated[f"beam_{name}_text"] == quoted(text)
        assert stated[f"beam_{name}_log_prob"] == f"{texts[text]:.2f}".replace("-", "−")

    def counting(tokens):
        asked.append(tuple(tokens))
        return model(tokens)

    beam_search(counting, (), 2, 4, stop_tokens=[scene.STOP])
    assert stated["beam_extended"] == str(len(asked))
    assert stated["beam_continuations"] == str(len(texts))
    assert stated["beam_every_extended"] == str(
        len({text[:end] for text in texts for end in range(len(text))}))

    texts = texts_of("beam")
    best = max(texts, key=texts.get)
    kept = kept_by_a_beam(scene.model_of("beam", 0), 2, 4, scene.STOP)
    lost = next(step for step, live in enumerate(kept, 1) if best[:step] not in live)
    assert (stated["beam_lost_text"], stated["beam_lost_step"]) == (quoted(best), str(lost))

    texts = texts_of("penalty")
    assert stated["beam_short_text"] == quoted(max(texts, key=texts.get))
    assert stated["beam_long_text"] == quoted(max(texts, key=lambda text: texts[text] / len(text)))


def test_the_pages_rates_by_another_way():
    stated, rng = scene.stated_numbers(), np.random.default_rng(scene.SEED)
    trees = [RandomTree(rng, 3, 4) for _ in range(int(stated["beam_rate_models"]))]
    missed = dict.fromkeys((1, 2, 5), 0)
    for tree in trees:
        best = max(product(range(3), repeat=4), key=lambda ids: math.prod(
            tree(ids[:i])[-1][ids[i]] for i in range(4)))
        for width in missed:
            missed[width] += kept_by_a_beam(tree, width, 4)[-1][0] != best
    assert {width: stated[f"beam_rate_{width}"] for width in missed} == {
        width: f"{count / len(trees):.0%}" for width, count in missed.items()}
