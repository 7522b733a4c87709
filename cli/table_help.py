"""Suggestions where a table cannot be set up as requested."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kbrules.library.ruleset import Ruleset

__all__ = ["remedy"]


def remedy(ruleset: Ruleset, players: int, part: str) -> str:
    """A word of help about the part of a set-up that cannot be had; empty if there is none."""
    match part:
        case "players":
            return _seats(ruleset, players)
        case "setup":
            return f"the set-ups are {', '.join(['random', *sorted(ruleset.parts.setups)])}"
        case "grids":
            return _grids(ruleset)
    return ""


def _seats(ruleset: Ruleset, players: int) -> str:
    from kbrules.library.boxes.player_counts import boxes_with_seats

    more = boxes_with_seats(ruleset.parts, players)
    least, most = ruleset.parts.players
    seats = f"seat {most}" if least == most else f"seat {least} to {most}"
    return f"add one by `--with {more[0]}`" if more else seats


def _grids(ruleset: Ruleset) -> str:
    sections = ruleset.parts.sections.values()
    known = sorted(f"{section.grid}={section.id}" for section in sections if section.grid)
    return f"there is {', '.join(known)}" if known else "no box has a grid beside the table"
