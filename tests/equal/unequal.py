"""What two ways do not agree on, said so that it can be looked at again by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from kbrules.engine.game import Game
from kbrules.game.moves import MoveSet
from kbrules.game.state import State
from kbrules.scenario.writing import as_if_at_actions, scenario_text
from tests.equal.settings import Setting

LONGEST = 400


class Unequal(AssertionError):
    """Two ways that do not agree: on what, at which table and at which move."""

    def __init__(self, what: str, how: str) -> None:
        super().__init__(what, how)
        self.what, self.how = what, how
        self.where = ""
        self.position = ""

    def __str__(self) -> str:
        parts = (f"{self.what} differ", self.how, self.where, self.position)
        return "\n".join(part for part in parts if part)

    def place(self, setting: Setting, number: int, game: Game, state: State) -> None:
        """Say where it was found."""
        self.where = where(setting, f"move {number}", "games --games")
        self.position = position(game, state)


def where(setting: Setting, moment: str, command: str) -> str:
    """A moment of the game of a setting, and the command that comes there again."""
    return (
        f"seed {setting.seed}, {moment}: {setting}\n"
        f"again: python -m tests.equal.{command} 1 --seed {setting.seed} --with {setting.mix}"
    )


def position(game: Game, state: State) -> str:
    """A state as a scenario; as if nothing of what is half done had been begun."""
    try:
        return scenario_text(as_if_at_actions(game, state), game.board, "Where it was found")
    except Exception as error:  # no reason to lose what was found
        return f"{state!r}, which cannot be written as a scenario: {error!r}"


def told_apart(mine: Any, theirs: Any) -> str:
    """The innermost parts of two things that differ."""
    found = list(_apart("", mine, theirs))[:6] or [("", mine, theirs)]
    return "\n".join(f"  {at or 'all'}: {_said(a)}\n    but should be {_said(b)}"
                     for at, a, b in found)  # fmt: skip


def _said(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."


def _apart(at: str, mine: Any, theirs: Any) -> Iterator[tuple[str, Any, Any]]:
    if type(mine) is type(theirs) and mine == theirs:
        return
    ours, others = _parts(mine), _parts(theirs)
    if type(mine) is not type(theirs) or not ours or ours.keys() != others.keys():
        yield at, mine, theirs
    for name, a in ours.items() if ours.keys() == others.keys() else ():
        yield from _apart(f"{at}.{name}".lstrip("."), a, others[name])


def _parts(value: Any) -> Mapping[Any, Any]:
    """What a value is made of, by names or numbers; nothing if it is of one piece."""
    if isinstance(value, dict):
        return value
    if is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in fields(value) if field.compare}
    if isinstance(value, tuple | list):
        return dict(zip(getattr(value, "_fields", range(len(value))), value, strict=True))
    if isinstance(value, MoveSet):
        return {name: getattr(value, name) for name in MoveSet.__slots__}
    return {}
