"""Checks of what an environment is made with: a wrong setting is refused at once, by its name.

Each raises ValueError, which says the setting, what it takes, and what was given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import index as as_index
from pathlib import Path
from typing import Any, SupportsIndex

from kbrules.engine.matches import Bot
from kbrules.engine.simulation.kernels import ENGINES
from kbrules.envs.rendering import RENDER_MODES
from kbrules.tools.playing.bots import bot_named


def whole_number(name: str, value: SupportsIndex, least: int = 0) -> int:
    """A whole number from `least` on, also one of numpy."""
    try:
        number = as_index(value)
    except TypeError:
        raise ValueError(f"`{name}` is a whole number, not {value!r}") from None
    if number < least:
        raise ValueError(f"`{name}` is {least} or more, not {number}")
    return number


def seat_of(value: SupportsIndex | None, players: int) -> int | None:
    """A seat, from 0; None where it is left open."""
    if value is None:
        return None
    seat = whole_number("seat", value)
    if seat >= players:
        raise ValueError(f"`seat` is 0 to {players - 1} of {players} players, not {seat}")
    return seat


def engine_of(engine: str) -> str:
    """The name of an engine that plays games."""
    return _one_of("engine", engine, ENGINES)


def render_mode_of(mode: str | None) -> str | None:
    """The name of a way to render; None for none."""
    return mode if mode is None else _one_of("render_mode", mode, RENDER_MODES)


def _one_of(name: str, value: str, known: Sequence[str]) -> str:
    if value not in known:
        raise ValueError(f"`{name}` is one of {', '.join(known)}, not {value!r}")
    return value


def check_mapping(name: str, value: Any) -> None:
    """Whether a value is a mapping."""
    if not isinstance(value, Mapping):
        raise ValueError(f"`{name}` maps names to values, not {value!r}")


def names_of(name: str, values: Sequence[str | Path]) -> tuple[str, ...]:
    """Names or paths; one text alone would be read letter by letter."""
    wrong = isinstance(values, str) or not isinstance(values, Iterable)
    if wrong or not all(isinstance(value, str | Path) for value in values):
        raise ValueError(f"`{name}` is a sequence of texts, not {values!r}")
    return tuple(str(value) for value in values)


def bots_of(opponents: str | Bot | Sequence[str | Bot], players: int) -> list[Bot]:
    """A bot for each other seat; UnknownBot, a ValueError, for a name that no bot has."""
    if isinstance(opponents, str) or callable(opponents):
        opponents = [opponents] * (players - 1)
    if not isinstance(opponents, Sequence):
        raise ValueError(f"`opponents` are bots or names of bots, not {opponents!r}")
    if len(opponents) != players - 1:
        raise ValueError(f"{players} players need {players - 1} opponents, not {len(opponents)}")
    return [_bot_of(bot) for bot in opponents]


def _bot_of(bot: str | Bot) -> Bot:
    if not isinstance(bot, str) and not callable(bot):
        raise ValueError(f"an opponent is a bot or the name of one, not {bot!r}")
    return bot_named(bot) if isinstance(bot, str) else bot
