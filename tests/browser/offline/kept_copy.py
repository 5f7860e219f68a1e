"""What a browser has kept of the site, asked for from a page of it."""

from playwright.sync_api import Page

# Answers when it is so: the caches themselves tell nobody.
PYTHON_KEPT = """async (roles) => {
    const lab = document.querySelector('script[type="module"][src*="/widgets/lab.js"]').src;
    const manifest = await (await fetch(new URL("../runtime/manifest.json", lab))).json();
    const root = new URL("../../../", lab);
    const wanted = manifest.files.filter(({role}) => roles.includes(role))
        .map(({url}) => new URL(url, root).href);
    for (;;) {
        const cache = await caches.open("specdec-runtime");
        const kept = new Set((await cache.keys()).map(({url}) => url));
        if (wanted.every((url) => kept.has(url))) return wanted.length;
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
}"""
PRECACHED = """async () => {
    const addresses = [];
    for (const name of (await caches.keys()).filter((name) => name.includes("precache")))
        for (const {url} of await (await caches.open(name)).keys()) addresses.push(url);
    return addresses;
}"""


def wait_until_copied(page: Page) -> None:
    """Waits until the service worker has its copy of the site, and serves this page."""
    page.evaluate("""async () => {
        await navigator.serviceWorker.ready;
        if (!navigator.serviceWorker.controller) await new Promise((resolve) =>
            navigator.serviceWorker.addEventListener("controllerchange", resolve));
    }""")


def wait_until_python_is_kept(page: Page, *roles: str) -> None:
    """Waits until the files of these roles in the runtime's manifest are in the cache."""
    assert page.evaluate(PYTHON_KEPT, roles or ("core", "package", "bytecode")) > 0


def copied_addresses(page: Page) -> list[str]:
    """Returns the addresses of what the service worker has copied, of any build."""
    return page.evaluate(PRECACHED)
