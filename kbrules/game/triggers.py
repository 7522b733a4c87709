"""What a rule may wait for: the one table of triggers, and what they speak of.

The language reads their names, words and pages here, the kernel their numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kbrules.game.events import (
    Built,
    Event,
    Lost,
    Moved,
    Placed,
    Removed,
    Stored,
    Swapped,
    Took,
    TurnEnded,
    TurnStarted,
)

WHOSE = "It follows the player's own events; `by others` and `by anyone` say whose else."
"""What is true of every trigger, for its page."""


@dataclass(frozen=True, slots=True)
class TriggerKind:
    """A trigger: `when NAME`, the events that fire it, the words it binds, and its page."""

    name: str
    events: tuple[type, ...]
    words: tuple[str, ...]
    page: str


TRIGGERS = (
    TriggerKind(
        "build",
        (Built,),
        ("here", "actor", "strayed"),
        "A piece was built on `here` by `actor`; `strayed` if only the `waive` of one rule let it.",
    ),
    TriggerKind(
        "place",
        (Placed,),
        ("here", "actor", "strayed"),
        "A piece of `actor`, not one of nobody, was placed on `here`, all the hexes it covers; "
        "`strayed` if only the `waive` of one rule let it.",
    ),
    TriggerKind(
        "move",
        (Moved, Swapped),
        ("here", "actor", "origin"),
        "A piece of `actor` went from `origin` to `here`.",
    ),
    TriggerKind(
        "remove",
        (Removed, Stored),
        ("here", "actor"),
        "A piece of `actor` left the board from `here`.",
    ),
    TriggerKind(
        "take",
        (Took,),
        ("here", "actor"),
        "A tile was taken from the place `here` by `actor`.",
    ),
    TriggerKind(
        "lose",
        (Lost,),
        ("here", "actor"),
        "A tile that came from `here` was lost by `actor`.",
    ),
    TriggerKind("turn_start", (TurnStarted,), ("actor",), "A turn of `actor` began."),
    TriggerKind(
        "turn_end",
        (TurnEnded,),
        ("actor",),
        "A turn of `actor` ended: all steps of `turn:` are done. Cards that these lay aside are no "
        "longer face up, so that `terrain(played)` is empty; what they draw has been drawn.",
    ),
)


def triggers_of(event: type) -> tuple[str, ...]:
    """The names of the triggers that a kind of event fires, in their order."""
    return tuple(trigger.name for trigger in TRIGGERS if event in trigger.events)


def binds(event: Event) -> Mapping[str, Any]:
    """The words that a rule which follows an event may use."""
    match event:
        case Built():
            player, _, hex, strayed = event
            return {"here": 1 << hex, "actor": player, "strayed": strayed}
        case Moved(origin=origin, hex=hex) | Swapped(origin=origin, hex=hex):
            return {"here": 1 << hex, "actor": event.player, "origin": 1 << origin}
        case Placed(hexes=hexes, strayed=strayed):
            return {"here": hexes, "actor": event.player, "strayed": strayed}
        case Removed(hexes=hexes) | Stored(hexes=hexes):
            return {"here": hexes, "actor": event.player}
        case Took(hex=hex) | Lost(hex=hex):
            return {"here": 1 << hex if hex >= 0 else 0, "actor": event.player}
        case _:
            return {"actor": event.player}
