"""A playground's controls, declared once: for its scene, its fields and its address.

A scene lists them; the page draws a field for each and reads their values from its address,
and `checked` refuses what neither could have set.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from numbers import Integral, Real


@dataclass(frozen=True)
class Slider:
    """A number from `least` to `most`; a whole one if `step` is whole.

    Attributes:
        name, label: the setting's, and the field's for its reader.
        default: the value at the start.
        step: between two values of the field.
        off: the value at which it changes nothing, if there is one; shown as "off".
        ends: what is written at the field's ends.
    """

    name: str
    label: str
    default: float
    least: float
    most: float
    step: float
    off: float | None = None
    ends: tuple[str, str] = ("", "")
    kind: str = "slider"

    def allows(self, value) -> bool:
        """Returns whether a session may have this value."""
        number = Integral if isinstance(self.step, int) else Real
        return (isinstance(value, number) and not isinstance(value, bool)
                and self.least <= value <= self.most)


@dataclass(frozen=True)
class Choice:
    """One of several: `options` are pairs of an id and a label."""

    name: str
    label: str
    default: str
    options: tuple[tuple[str, str], ...]
    kind: str = "choice"

    def allows(self, value) -> bool:
        """Returns whether a session may have this value."""
        return value in [option for option, _ in self.options]


@dataclass(frozen=True)
class Switch:
    """Something that is on or off."""

    name: str
    label: str
    default: bool
    kind: str = "switch"

    def allows(self, value) -> bool:
        """Returns whether a session may have this value."""
        return isinstance(value, bool)


Control = Slider | Choice | Switch


def declared(controls: Sequence[Control]) -> list[dict]:
    """Returns the controls as JSON-able data, for the page."""
    return [asdict(control) for control in controls]


def defaults(controls: Sequence[Control]) -> dict:
    """Returns the settings at the start."""
    return {control.name: control.default for control in controls}


def checked(controls: Sequence[Control], settings: dict) -> dict:
    """Returns the settings.

    Args:
        controls: those of the scene.
        settings: a value for each, by name.

    Raises:
        ValueError: a value is missing, out of range or not asked for; it is named.
    """
    names = [control.name for control in controls]
    if settings.keys() != set(names):
        raise ValueError(f"settings must be {names}, got {sorted(settings)}")
    for control in controls:
        if not control.allows(settings[control.name]):
            raise ValueError(f"{control.name} = {settings[control.name]!r} is no value of "
                             f"{control}")
    return dict(settings)
