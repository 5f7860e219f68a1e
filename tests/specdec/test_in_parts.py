"""Work done in parts: asked until it comes to something."""

from specdec.in_parts import completed


def test_parts_are_asked_for_until_there_is_a_result_even_an_empty_one():
    answers = iter([None, None, {}, None])
    assert completed(lambda: next(answers)) == {}
    assert list(answers) == [None]
