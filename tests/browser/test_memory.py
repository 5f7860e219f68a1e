"""Memory stays flat: over a long run, and over many stops and starts of Python."""

import subprocess

from playwright.sync_api import Page, expect

from tests.browser.code_panel import SOURCE, CodePanel
from tests.browser.playground_page import PATH, PlaygroundPage
from tests.browser.python_worker import expect_one_python
from tests.browser.waiting import wait_until

MEGABYTE = 2**20
ENDLESS = "while True: pass\n" + SOURCE


class PageMemory:
    """What a page holds: its own heap and nodes, and the process that it and its worker share."""

    def __init__(self, page: Page) -> None:
        self._page = page.context.new_cdp_session(page)
        self._browser = page.context.browser.new_browser_cdp_session()

    def heap_and_nodes(self) -> tuple[int, int]:
        """Returns (bytes of JavaScript's heap, DOM nodes), garbage collected."""
        for _ in range(3):  # what finalisers let go of is garbage only the next time
            self._page.send("HeapProfiler.collectGarbage")
        counters = self._page.send("Memory.getDOMCounters")
        return self._page.send("Runtime.getHeapUsage")["usedSize"], counters["nodes"]

    def resident(self) -> int:
        """Returns the bytes in memory of the largest renderer: this page's, with Python."""
        self.heap_and_nodes()
        processes = self._browser.send("SystemInfo.getProcessInfo")["processInfo"]
        ids = ",".join(str(process["id"]) for process in processes if process["type"] == "renderer")
        listing = subprocess.run(["ps", "-o", "rss=", "-p", ids], capture_output=True, text=True)
        return max(map(int, listing.stdout.split())) * 1024


def test_a_run_of_500_steps_leaves_no_more_behind_than_one_of_100(open_page):
    playground = PlaygroundPage(open_page(PATH))
    playground.wait_until_live()
    playground.wait_until_certified()
    playground.page.get_by_role("combobox", name="Speed").select_option("max")
    memory = PageMemory(playground.page)

    def run_past(steps: int) -> tuple[int, int, int]:
        playground.run.click()
        wait_until(
            playground.page,
            "steps => document.querySelector('spec-playground').session.state.run.steps >= steps",
            steps)
        playground.pause.click()
        assert playground.data()["state"]["run"]["steps"] >= steps
        return (*memory.heap_and_nodes(), memory.resident())

    heap, nodes, resident = run_past(100)
    later_heap, later_nodes, later_resident = run_past(600)
    print(f"heap {heap:,} → {later_heap:,}, nodes {nodes} → {later_nodes}, "
          f"process {resident:,} → {later_resident:,}")
    assert later_heap - heap < 1 * MEGABYTE
    assert later_nodes - nodes < 200
    assert later_resident - resident < 40 * MEGABYTE


def test_twenty_stops_leave_one_worker_and_no_memory_behind(open_page):
    playground = PlaygroundPage(open_page(PATH))
    code, memory = CodePanel(playground.page), PageMemory(playground.page)
    playground.wait_until_live()
    code.type(ENDLESS)
    resident = []
    for _ in range(20):
        code.apply.click()
        code.stop.click()
        code.expect_refused("You stopped it.")
        playground.wait_until_live()
        expect_one_python(playground.page)
        resident.append(memory.resident())
    print("process after each stop, MB:", [bytes_ // MEGABYTE for bytes_ in resident])
    # A worker that stayed would keep all of its Python: more than this for each stop.
    assert max(resident[-5:]) - max(resident[:5]) < 60 * MEGABYTE
    expect(playground.stat("exact")).to_have_text("✓ exact")
