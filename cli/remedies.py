"""What could be asked for instead, where a table cannot be had as asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .boxes import loaded, with_roots

if TYPE_CHECKING:
    from kbrules.library.ruleset import Ruleset

__all__ = ["remedy"]


def remedy(ruleset: Ruleset, players: int, part: str) -> str:
    """A word of help about the part of a set-up that cannot be had; empty if there is none."""
    match part:
        case "players" if players > ruleset.parts.players[1]:
            return _more_seats(ruleset, players)
        case "options":
            return f"the options are {', '.join(sorted(ruleset.options))}"
        case "setup":
            return f"the set-ups are {', '.join(['random', *sorted(ruleset.parts.setups)])}"
        case "grids":
            return _grids(ruleset)
    return ""


def _grids(ruleset: Ruleset) -> str:
    sections = ruleset.parts.sections.values()
    known = sorted(f"{section.grid}={section.id}" for section in sections if section.grid)
    return f"there is {', '.join(known)}" if known else "no box has a grid beside the table"


def _more_seats(ruleset: Ruleset, players: int) -> str:
    """The shipped boxes with which so many may play, if shipped ones are played at all."""
    from kbrules.library.boxes import shipped_boxes

    shipped = shipped_boxes()
    if not set(ruleset.boxes) & set(shipped):
        return ""
    boxes = [box for box in shipped if loaded(with_roots([box]), []).parts.players[1] >= players]
    return f"so many play {' or '.join(f'`--with {box}`' for box in boxes)}" if boxes else ""
