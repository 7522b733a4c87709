"""What was gained during play, rule by rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from kbrules.diagnostics import quoted
from kbrules.game.events import Event, Gained

__all__ = ["gains_of", "gains_text"]


def gains_of(events: Iterable[Event], player: int) -> Counter[str]:
    """How much gold each rule gave a player by these events."""
    found: Counter[str] = Counter()
    for event in events:
        if isinstance(event, Gained) and event.player == player:
            found[event.rule] += event.gold
    return found


def gains_text(by_rule: Mapping[str, int], before: int = 0) -> str:
    """Which rule gave how much, and how much was there before."""
    parts = [f"{gold} by {quoted(rule)}" for rule, gold in by_rule.items() if gold]
    return ", ".join([*parts, *([f"{before} before"] if before else [])])
