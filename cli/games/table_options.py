"""Options about a table: rulings, sections beside it, cards, bots; and the table they ask for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..terminal.findings import exit_with

if TYPE_CHECKING:
    from kbrules.engine.matches import Bot
    from kbrules.engine.setup import TableSetup
    from kbrules.library.ruleset import Ruleset

RANDOM = "random"
BOT_KINDS = (
    "`greedy` (by score), `careful:1` (with a margin), `mc:100`, `uct:2000` (games it tries)"
)

_TRUTHS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


@dataclass(frozen=True, slots=True)
class TableOptions:
    """Options about a table, as they were written; players: None for the fewest."""

    players: int | None = None
    seed: int = 0
    setup: str = RANDOM
    rulings: Sequence[str] = ()
    grids: Sequence[str] = ()
    cards: Sequence[str] = ()


def set_up_table(ruleset: Ruleset, options: TableOptions) -> TableSetup:
    """The table that is asked for; ends the command if it cannot be laid."""
    from kbrules.engine.setup import choose_table, game_at, with_cards

    rulings, grids = parse_options(ruleset, options.rulings), parse_sections(options.grids)
    players = player_count(ruleset, options.players)
    with setup_errors(ruleset, players):
        table = choose_table(ruleset, players, options.seed, options.setup, rulings, grids)
        table = with_cards(ruleset, table, parse_cards(ruleset, options.cards))
        game_at(ruleset, table)
    return table


def player_count(ruleset: Ruleset, players: int | None) -> int:
    """How many play; the fewest that can, if nobody said."""
    return ruleset.parts.players[0] if players is None else players


@contextmanager
def setup_errors(ruleset: Ruleset, players: int) -> Iterator[None]:
    """End the command, with what could be had instead, where a table cannot be set up."""
    from kbrules.engine.setup import SetupError

    try:
        yield
    except SetupError as error:
        exit_with(error.code, str(error), _remedy(ruleset, players, error.part))


def _remedy(ruleset: Ruleset, players: int, part: str) -> str:
    """What can be had in the place of a part of a set-up; empty if nothing is known."""
    match part:
        case "players":
            return _seats(ruleset, players)
        case "setup":
            return f"the set-ups are {', '.join([RANDOM, *sorted(ruleset.parts.setups)])}"
        case "grids":
            return _grids(ruleset)
    return ""


def _seats(ruleset: Ruleset, players: int) -> str:
    from kbrules.library.box import boxes_with_seats

    more = boxes_with_seats(ruleset.parts, players)
    least, most = ruleset.parts.players
    seats = f"seat {most}" if least == most else f"seat {least} to {most}"
    return f"add one by `--with {more[0]}`" if more else seats


def _grids(ruleset: Ruleset) -> str:
    sections = ruleset.parts.sections.values()
    known = sorted(f"{section.grid}={section.id}" for section in sections if section.grid)
    return f"there is {', '.join(known)}" if known else "no box has a grid beside the table"


def parse_options(ruleset: Ruleset, texts: Sequence[str]) -> dict[str, bool | int]:
    """What `--ruling name=value` asks for; ends the command if it is nothing of the kind."""
    return dict(_parse_option(ruleset, text) for text in texts)


def _parse_option(ruleset: Ruleset, text: str) -> tuple[str, bool | int]:
    from kbrules.diagnostics import quoted
    from kbrules.tools.show import option_error

    name, _, value_text = (part.strip() for part in text.partition("="))
    value = _parse_value(value_text)
    error = option_error(ruleset, name, value)
    if error is not None and value is None:
        exit_with("KB009", f"{quoted(text)} is not name=value: {error[0]}", error[1])
    if error is not None or value is None:
        exit_with("KB009", *(error or (text, "")))
    return name, value


def _parse_value(text: str) -> bool | int | None:
    """The value that is written so; None if none is."""
    if text.lower() in _TRUTHS:
        return _TRUTHS[text.lower()]
    return int(text) if re.fullmatch("-?[0-9]{1,9}", text) else None


def parse_sections(texts: Sequence[str]) -> dict[str, str]:
    """What `--grid grid=section` asks for; ends the command if it is nothing of the kind."""
    return dict(map(_parse_section, texts))


def _parse_section(text: str) -> tuple[str, str]:
    from kbrules.diagnostics import quoted

    grid, _, section = (part.strip() for part in text.partition("="))
    if not grid or not section:
        exit_with("KB009", f"{quoted(text)} is not grid=section", "write a name, `=`, a section")
    return grid, section


def parse_cards(ruleset: Ruleset, names: Sequence[str]) -> tuple[str, ...]:
    """The cards that names or titles mean, each once; ends the command if one means none."""
    from kbrules.tools.balance.playing import card_in

    return tuple(dict.fromkeys(card_in(ruleset, name) for name in names))


def parse_bot(name: str, others: Sequence[str] = ()) -> Bot:
    """The bot of a name; ends the command if there is none. others: names that are known, too."""
    from kbrules.tools.bots import UnknownBot, bot_named

    try:
        return bot_named(name)
    except UnknownBot as error:
        exit_with("KB009", str(error), ", ".join([error.help, *others]))
