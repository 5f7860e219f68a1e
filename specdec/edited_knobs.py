"""The knobs of the sampling.py in force: called as the package's own, and never trusted.

A reader's `stages` may raise, or give NaN or too few numbers. Here that becomes a
`CodeProblem`, so that no nonsense is drawn from or shown.
"""

from types import SimpleNamespace

import numpy as np

from specdec.edition import CodeProblem, current, problems_told

_FILE = "sampling.py"


def knobs_in_force() -> SimpleNamespace:
    """Returns `stages` and `softmax` of the sampling.py in force, for `specdec.wiring`.

    Both raise CodeProblem for whatever the code raises, for stages that are no logits
    [vocab] (NaN, or all cut) and for a softmax that is no distribution.
    """
    code = current(_FILE)

    def stages(logits, tokens, knobs, order):
        with problems_told(_FILE):  # copies: a reader's code may change them
            after = code.function("stages")(np.array(logits), list(tokens), knobs, order)
            rows = {str(name): np.asarray(row, dtype=float) for name, row in after.items()}
        if not rows:
            raise CodeProblem("stages should give the logits after each stage, but gave none",
                              file=_FILE)
        for name, row in rows.items():
            if row.shape != np.shape(logits) or not np.isfinite(row.max()):
                raise CodeProblem(
                    f"after {name} there should be {len(logits)} logits, none of them NaN and "
                    f"the greatest finite, but there are {row}", file=_FILE)
        return rows

    def softmax(logits):
        with problems_told(_FILE):
            law = np.asarray(code.function("softmax")(np.array(logits)), dtype=float)
        if law.shape != np.shape(logits) or not (
                np.all(law >= 0) and abs(law.sum() - 1) <= 1e-6):
            raise CodeProblem(
                f"softmax should give {len(logits)} numbers that are >= 0 and sum to 1, "
                f"but gave {law}", file=_FILE)
        return law

    return SimpleNamespace(stages=stages, softmax=softmax)
