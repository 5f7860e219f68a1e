"""Waits for what only the page's own objects tell."""

from playwright.sync_api import Page

from tests.browser.conftest import WAIT_MS

WAIT = """([argument, timeout]) => new Promise((done, fail) => {
    const condition = %s;
    const deadline = performance.now() + timeout;
    const look = async () => {
        if (await condition(argument)) done();
        else if (performance.now() > deadline) fail(new Error("never: " + condition));
        else requestAnimationFrame(() => look().catch(fail));
    };
    look().catch(fail);
})"""


def wait_until(page: Page, condition: str, argument=None, *, timeout: int = WAIT_MS) -> None:
    """Waits until a function of JavaScript is true in the page, looking at every frame.

    The function may be async.

    `page.wait_for_function` would have the page evaluate text, which the site's policy
    forbids.
    """
    page.evaluate(WAIT % condition, [argument, timeout])
