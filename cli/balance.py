"""`kbrules balance`: where a card stands among the others, and how sure that is."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .boxes import loaded, wanted, with_roots
from .findings import give_up, refuse

if TYPE_CHECKING:
    from kbrules.library.ruleset import Ruleset
    from kbrules.tools.balance.dealing import Question

__all__ = ["command"]

USUAL = "greedy,random"


class Format(StrEnum):
    """The forms of the report."""

    full = "full"
    json = "json"


Card = Annotated[
    str,
    typer.Argument(
        metavar="CARD",
        help="A card by name, or the file or folder of your own where it lies.",
        show_default=False,
    ),
]
With = Annotated[
    list[str] | None,
    typer.Option("--with", help="A box, `all`, or the folder of an expansion; again or a,b."),
]
Players = Annotated[
    int | None, typer.Option("--players", "-p", help="How many play; else the fewest that can.")
]
Bots = Annotated[
    list[str] | None,
    typer.Option("--bot", help="Who plays in every seat: greedy, random ...; again or a,b."),
]
Games = Annotated[
    int, typer.Option("--games", min=2, max=1_000_000, help="Games with each card and bot.")
]
Seed = Annotated[int, typer.Option("--seed", "-s", help="The first seed.")]
Form = Annotated[Format, typer.Option("--output-format", help="How to report.")]


def command(
    card: Card,
    with_: With = None,
    players: Players = None,
    bot: Bots = None,
    games: Games = 40,
    seed: Seed = 0,
    output_format: Form = Format.full,
) -> None:
    """Say where a card stands among the official ones: what it pays, and how sure that is.

    With each seed the same board and luck serve all cards, dealt to as many tables as they need;
    your card then takes the place of one of them. Ends with 0, with 2 if nothing could be played.

    \b
    Examples:
      kbrules balance ID                            a card of the boxes among the others
      kbrules balance mine/rules/rowers.kb          your own
      kbrules balance rowers --with mine,nomads     among the cards of more boxes
      kbrules balance rowers --with mine --players 4 --bot greedy --games 200
    """
    from kbrules.engine.setup import SetupError
    from kbrules.tools.balance.finding import NoCard
    from kbrules.tools.balance.measuring import measured

    try:
        ruleset, id = _found(card, with_ or [])
        asked = _question(ruleset, id, players, _bots(bot or [USUAL]), seed)
        report = measured(ruleset, asked, games, _again(asked, games))
    except NoCard as missing:
        give_up([missing.diagnostic])
    except SetupError as error:
        refuse(error.code, str(error))
    typer.echo(report.json() if output_format is Format.json else report.text())


def _found(name: str, words: list[str]) -> tuple[Ruleset, str]:
    """The rules by which the card is played, and its id; unless boxes are named, those it needs."""
    from kbrules.library.load import MANIFEST
    from kbrules.tools.asked import home_of
    from kbrules.tools.balance.finding import boxes_with, card_in, home_meant

    boxes, folders = wanted(words)
    home = home_meant(name) or (None if words else home_of(Path(MANIFEST).absolute()))
    if home is not None and home.resolve() not in {folder.resolve() for folder in folders}:
        folders.append(home)
    if not boxes and not folders:
        boxes = boxes_with(name)
    ruleset = loaded(with_roots(boxes, folders), folders)
    return ruleset, card_in(ruleset, name)


def _bots(words: list[str]) -> tuple[str, ...]:
    from kbrules.tools.bots import BOTS

    names = [name.strip() for word in words for name in word.split(",")]
    for name in names:
        if name not in BOTS:
            refuse("KB009", f"there is no bot `{name}`", f"there is {', '.join(sorted(BOTS))}")
    return tuple(dict.fromkeys(names))


def _question(
    ruleset: Ruleset, card: str, players: int | None, bots: tuple[str, ...], seed: int
) -> Question:
    from kbrules.tools.balance.dealing import Question

    count = ruleset.parts.players[0] if players is None else players
    return Question(card, ruleset.boxes, ruleset.folders, count, bots, seed)


def _again(asked: Question, games: int) -> list[str]:
    """The command that repeats it."""
    from kbrules.library.boxes import shipped_boxes

    boxes = [box for box in asked.boxes if box in shipped_boxes()]
    with_ = [word for name in (*boxes, *asked.folders) for word in ("--with", name)]
    return [
        *("kbrules", "balance", asked.card, *with_, "--players", str(asked.players)),
        *("--bot", ",".join(asked.bots), "--games", str(games), "--seed", str(asked.seed)),
    ]
