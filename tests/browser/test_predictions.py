"""A reader answers first; the run just made then confronts the answer."""

import pytest
from playwright.sync_api import expect

from tests.browser.playground_page import PATH, PlaygroundPage
from tests.browser.prediction_card import card_of, expect_judged
from tests.scene_loading import load_scene, replay

predictions = load_scene("predictions")


def states_of(question: str) -> list[dict]:
    """Returns the states at the ends of the question's segments, from CPython."""
    plan = predictions.Predictions().plan(question=question)
    log, steps, states = [], 0, []
    for segment in plan["segments"]:
        log = [*log, [steps, segment["settings"]]]
        steps += segment["steps"]
        session = {"seed": plan["seed"], "steps": steps, "log": log}
        states.append(replay(session, plan["cost_ratio"])["state"])
    return states


@pytest.mark.parametrize("question", predictions.QUESTIONS)
def test_an_answer_meets_the_figures_of_the_run_just_made(open_page, question):
    playground = PlaygroundPage(open_page(PATH))
    card = card_of(playground.page, question)
    states = states_of(question)
    choices = predictions.QUESTIONS[question].choices
    assert [item.get_attribute("data-choice") for item in
            card.locator("[data-choice]").all()] == list(choices)
    judge = predictions.Predictions().judge
    expect_judged(
        card, choices, lambda answer: judge(question=question, answer=answer, states=states))
    expect(playground.stat("tokens-emitted")).to_have_text(
        f"{states[-1]['window']['tokens_emitted']:,}")


def test_a_prediction_interrupted_says_so_and_can_be_run_again(open_page):
    playground = PlaygroundPage(open_page(PATH))
    playground.wait_until_live()
    card = playground.page.locator('spec-prediction[question="long-draft"]')
    card.get_by_label("It falls").check()
    card.get_by_role("button", name="Run and see").click()
    expect(playground.pause).to_be_visible()
    playground.pause.click()
    expect(card.get_by_role("status")).to_contain_text("interrupted")
    card.get_by_role("button", name="Run and see").click()
    expect(card.locator(".judgement")).to_be_visible()
