"""What was found out about a card, and what must be the same for it to come out the same."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kbrules import __version__
from kbrules.game.board import stand_in_note
from kbrules.text import visible
from kbrules.tools.measuring.balance.ranking import CardRanking
from kbrules.tools.measuring.balance.tables import BalanceQuestion
from kbrules.tools.measuring.simulate.command_text import ruling_text
from kbrules.tools.measuring.simulate.figures import ERROR


def balance_command(
    question: BalanceQuestion, games: int, until: float | None = None
) -> tuple[str, ...]:
    """The words of the command that measures a card again."""
    boxes = [word for name in (*question.boxes, *question.folders) for word in ("--with", name)]
    bots = [word for bot in question.bots for word in ("--bots", bot)]
    rulings = (ruling_text(name, value) for name, value in question.options.items())
    return (
        *("kbrules", "balance", question.card, *boxes, "--players", str(question.players), *bots),
        *("--games", str(games), "--seed", str(question.seed)),
        *([] if until is None else ["--until", f"{until:g}"]),
        *(word for ruling in rulings for word in ("--option", ruling)),
    )


@dataclass(frozen=True, slots=True, eq=False)
class BalanceResult:
    """What was found out about a card.

    rankings: one for each bot. titles: of the cards, by id. kind: what the others are, such as
    `official`. deals: seeds that were played. digest: names the rules. stand_ins: invented maps.
    by_reference: games of this run that needed more room than the engine has.
    """

    question: BalanceQuestion
    command: tuple[str, ...]
    rankings: tuple[CardRanking, ...]
    titles: Mapping[str, str]
    kind: str
    deals: int
    games: int
    digest: str
    stand_ins: tuple[str, ...] = ()
    by_reference: int = 0

    def title(self, card: str) -> str:
        """What a card is called, without what cannot be printed."""
        return visible(self.titles[card])

    def provenance(self) -> Iterator[str]:
        """Where the figures come from: what must be the same for them to come out the same."""
        if any(each.error < ERROR for each in self.rankings):
            yield "the run stopped when it knew enough; its looks together miss 5 % at most"
        seeds = f"seeds {self.question.seed} to {self.question.seed + self.deals - 1}"
        yield (
            f"{self.games} games, {self.question.players} players, {seeds}; "
            f"kbrules {__version__}, rules {self.digest}"
        )
        if note := stand_in_note(self.stand_ins):
            yield note
        if self.by_reference:
            games = f"{self.by_reference} game{'s' if self.by_reference > 1 else ''}"
            yield f"{games} needed more room than the engine has: the reference played them"
        yield f"again: {visible(shlex.join(self.command))}"
