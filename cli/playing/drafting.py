"""The draft before `kbrules play`: who strikes which card."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from ..terminal.findings import exit_with

if TYPE_CHECKING:
    from kbrules.engine.setup import TableSetup
    from kbrules.library.ruleset import Ruleset


def draft_at_terminal(
    ruleset: Ruleset, table: TableSetup, more: int, seed: int, names: list[str]
) -> TableSetup:
    """The table after a draft: people are asked, bots strike by chance."""
    from kbrules.engine.setup import SetupError, draft_cards, random_strikes

    random_strike = random_strikes(seed)

    def strike(player: int, cards: tuple[str, ...]) -> str:
        is_human = names[player] == "human"
        card = _ask_for_card(ruleset, player, cards) if is_human else random_strike(player, cards)
        typer.echo(f"{'abcdef'[player]} strikes {card}")
        return card

    try:
        return draft_cards(ruleset, table, more, seed, strike)
    except SetupError as error:
        exit_with("KB009", str(error), "give --draft another number, or more boxes by --with")


def _ask_for_card(ruleset: Ruleset, player: int, cards: tuple[str, ...]) -> str:
    """The card that a person strikes, by its name or number; asked until it is one of them."""
    wordings = {card: rule.wording for card in cards if (rule := ruleset.rule(card))}
    for number, card in enumerate(cards, 1):
        typer.echo(f"{number:>3} {card}: {wordings.get(card, '')}")
    while True:
        answer = typer.prompt(f"{'abcdef'[player]} strikes", prompt_suffix="> ").strip()
        if answer in cards:
            return str(answer)
        if answer.isdecimal() and 0 < int(answer) <= len(cards):
            return cards[int(answer) - 1]
        typer.echo(f"type a name, or a number from 1 to {len(cards)}")
