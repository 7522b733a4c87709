"""Parses the options of games: rulings, sections beside the table, cards and bots."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .terminal.findings import exit_with, exit_with_findings

if TYPE_CHECKING:
    from kbrules.engine.matches.match import Bot
    from kbrules.library.ruleset import Ruleset

__all__ = ["BOT_KINDS", "parse_bot", "parse_cards", "parse_options", "parse_section"]

BOT_KINDS = (
    "`greedy` (by score), `careful:1` (with a margin), `mc:100`, `uct:2000` (games it tries)"
)

_TRUTHS = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


def parse_options(ruleset: Ruleset, texts: Sequence[str]) -> dict[str, bool | int]:
    """What `--ruling name=value` asks for; ends the command if it is nothing of the kind."""
    return dict(_parse_option(ruleset, text) for text in texts)


def _parse_option(ruleset: Ruleset, text: str) -> tuple[str, bool | int]:
    from kbrules.diagnostics import quoted
    from kbrules.tools.explaining.options import option_error

    name, _, written = (part.strip() for part in text.partition("="))
    value = _value(written)
    wrong = option_error(ruleset, name, value)
    if wrong is not None and value is None:
        exit_with("KB009", f"{quoted(text)} is not name=value: {wrong[0]}", wrong[1])
    if wrong is not None or value is None:
        exit_with("KB009", *(wrong or (text, "")))
    return name, value


def _value(text: str) -> bool | int | None:
    """The value that is written so; None if none is."""
    if text.lower() in _TRUTHS:
        return _TRUTHS[text.lower()]
    return int(text) if re.fullmatch("-?[0-9]{1,9}", text) else None


def parse_section(text: str) -> tuple[str, str]:
    """What `--grid grid=section` asks for; ends the command if it is nothing of the kind."""
    from kbrules.diagnostics import quoted

    grid, _, section = (part.strip() for part in text.partition("="))
    if not grid or not section:
        exit_with("KB009", f"{quoted(text)} is not grid=section", "write a name, `=`, a section")
    return grid, section


def parse_cards(ruleset: Ruleset, names: Sequence[str]) -> tuple[str, ...]:
    """The cards that names or titles mean, each once; ends the command if one means none."""
    from kbrules.tools.measuring.balance.card_lookup import CardNotFound, card_in

    try:
        return tuple(dict.fromkeys(card_in(ruleset, name) for name in names))
    except CardNotFound as missing:
        exit_with_findings([missing.diagnostic])


def parse_bot(name: str, others: Sequence[str] = ()) -> Bot:
    """The bot of a name; ends the command if there is none. others: names that are known, too."""
    from kbrules.tools.playing.bots import UnknownBot, bot_named

    try:
        return bot_named(name)
    except UnknownBot as error:
        exit_with("KB009", str(error), ", ".join([error.help, *others]))
