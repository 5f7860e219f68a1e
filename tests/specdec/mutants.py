"""The catalogue of mistakes: wrong variants that the checks of the law must catch.

Every one has been made in public code, or is one slip of the keyboard away. Each is a
function with the signature of what it replaces (`verify` takes its arguments by position
there, as `speculative_decode` passes them) and a docstring that says the mistake.
"""

from tests.specdec.decode_mutants import DECODE_MUTANTS, LAW_PRESERVING_DECODE_MUTANTS
from tests.specdec.verify_mutants import LAW_PRESERVING_MUTANTS, VERIFY_MUTANTS

__all__ = [
    "DECODE_MUTANTS", "LAW_PRESERVING_DECODE_MUTANTS", "LAW_PRESERVING_MUTANTS",
    "VERIFY_MUTANTS",
]
