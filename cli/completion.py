"""What a shell offers for the ids that commands take: codes, boxes, cards, kinds, bots, rulings.

`kbrules --install-completion` sets it up. Whatever is wrong with files, a shell is told nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import typer

from kbrules.hooks import lazily

from .terminal import folder_here

with lazily():
    from kbrules import messages
    from kbrules.library import box as library_boxes, load as loading
    from kbrules.tools import show as showing

if TYPE_CHECKING:
    from kbrules.library.ruleset import Ruleset


Completion = Callable[[str], list[str]]
_BOTS = ("random", "greedy", "careful:1", "mc:100", "uct:2000")


def _starting_with(incomplete: str, ids: Iterable[str]) -> list[str]:
    return sorted(id for id in ids if id.startswith(incomplete))


def codes(incomplete: str) -> list[str]:
    """The codes of findings, by number or short name."""
    return _starting_with(
        incomplete, [*messages.CODES, *(code.slug for code in messages.CODES.values())]
    )


def boxes(incomplete: str) -> list[str]:
    """The boxes, shipped or installed."""
    return _starting_with(incomplete, ["all", *library_boxes.known_boxes()])


def bots(incomplete: str) -> list[str]:
    """The bots; what stands before a comma stays."""
    before, comma, last = incomplete.rpartition(",")
    return [before + comma + bot for bot in _starting_with(last, _BOTS)]


def cards(incomplete: str) -> list[str]:
    """The cards of the shipped boxes and of the folder we are in."""
    ruleset = _ruleset()
    return _starting_with(incomplete, ruleset.catalog.cards if ruleset is not None else ())


def rulings(incomplete: str) -> list[str]:
    """The rulings, each up to the sign behind which its value stands."""
    ruleset = _ruleset()
    options = ruleset.options if ruleset is not None else ()
    return _starting_with(incomplete, [f"{name}=" for name in options])


def kinds(incomplete: str) -> list[str]:
    """The kinds of things that can be shown."""
    return _starting_with(incomplete, [*showing.kinds_shown(), "scenario", "log"])


def names(context: typer.Context, incomplete: str) -> list[str]:
    """The names of a kind of things that can be shown."""
    ruleset, kind = _ruleset(), context.params.get("kind") or ""
    try:
        listed = showing.page_of(ruleset, kind, "") if ruleset is not None else ""
    except showing.UnknownName:
        return []
    return _starting_with(incomplete, [line.split()[0] for line in listed.splitlines() if line])


def _ruleset() -> Ruleset | None:
    """The rules of the shipped boxes with the folder we are in, or without it if it is wrong."""
    folder = folder_here()
    ruleset = loading.check_all(folders=[folder])[0] if folder is not None else None
    return ruleset if ruleset is not None else loading.check_all()[0]
