"""Loads the scenes of docs/scenes in CPython, by path, as the build does."""

import functools
import importlib.util
from pathlib import Path
from types import ModuleType

SCENES = Path(__file__).parent.parent / "docs" / "scenes"


@functools.cache
def load_scene(name: str) -> ModuleType:
    """Returns the module docs/scenes/<name>.py."""
    spec = importlib.util.spec_from_file_location(f"scene_{name}", SCENES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def session_of(seed: int, moves: list[tuple[int, float, int]]) -> dict:
    """Returns the session in which each (steps, quality, gamma) runs for its steps."""
    log, steps = [], 0
    for count, quality, gamma in moves:
        log.append([steps, {"quality": quality, "gamma": gamma}])
        steps += count
    return {"seed": seed, "steps": steps, "log": log}


def replay(session: dict, cost_ratio: float = 0.05) -> dict:
    """Returns {"frames", "state"} of the playground's session, run in CPython."""
    playground = load_scene("playground").Playground()
    run = playground.open(seed=session["seed"], cost_ratio=cost_ratio)
    frames = []
    ends = [step for step, _ in session["log"][1:]] + [session["steps"]]
    for (start, settings), end in zip(session["log"], ends, strict=True):
        run = playground.advance(**settings, count=end - start, cost_ratio=cost_ratio)
        frames += run["frames"]
    return {"frames": frames, "state": run["state"]}
