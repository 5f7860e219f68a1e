"""A card that asks for a prediction, runs what it speaks of, and judges the answer by that run."""

from collections.abc import Callable, Sequence

from playwright.sync_api import Locator, Page, expect


def card_of(page: Page, question: str) -> Locator:
    """Returns the card of this question."""
    return page.locator(f'spec-prediction[question="{question}"]')


def expect_judged(card: Locator, choices: Sequence[str], judge: Callable[[str], dict]) -> None:
    """Gives a wrong answer, then the right one, and waits for what each is told.

    Args:
        card: not answered yet.
        choices: all that it should offer, in order.
        judge: from an answer to {"right": ..., "sentence": ...}.
    """
    expect(card.get_by_role("button", name="Run and see")).to_be_disabled()
    assert card.get_by_role("radio").evaluate_all(
        "radios => radios.map(({value}) => value)") == list(choices)
    judged = {choice: judge(choice) for choice in choices}
    right = next(choice for choice in choices if judged[choice]["right"])
    wrong = next(choice for choice in choices if not judged[choice]["right"])
    for answer in (wrong, right):
        card.locator(f'input[value="{answer}"]').check()
        card.get_by_role("button", name="Run and see").click()
        said = card.locator(".judgement")
        expect(said).to_have_attribute("data-right", str(answer == right).lower())
        expect(said).to_contain_text(judged[answer]["sentence"])
