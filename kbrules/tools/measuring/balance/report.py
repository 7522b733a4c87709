"""The report on a card: in words with a picture, and for programs."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import fill
from typing import Any

from kbrules import __version__
from kbrules.game.board import stand_in_note
from kbrules.tools.measuring.balance.ranking import CardFigures, CardRanking
from kbrules.tools.measuring.balance.sentences import sentence
from kbrules.tools.measuring.balance.tables import Question
from kbrules.tools.measuring.balance.text_chart import text_chart
from kbrules.tools.measuring.simulate.figures import ERROR, Figure, detectable, games_needed

__all__ = ["Report"]

WIDTH = 88


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """What was found out about a card.

    standings: one for each bot. titles: of the cards, by id. kind: what the others are, such as
    `official`. deals: seeds that were played. digest: names the rules. stand_ins: invented maps.
    by_reference: games of this run that needed more room than the engine has.
    """

    asked: Question
    command: tuple[str, ...]
    standings: tuple[CardRanking, ...]
    titles: Mapping[str, str]
    kind: str
    deals: int
    games: int
    digest: str
    stand_ins: tuple[str, ...] = ()
    by_reference: int = 0

    def text(self) -> str:
        """All of it for people."""
        said = (sentence(each, self.titles, self.kind) for each in self.standings)
        answers = [fill(each, WIDTH, break_on_hyphens=False) for each in said]
        pictures = ["\n".join(self._picture(each)) for each in self.standings]
        return "\n\n".join([*answers, *pictures, "\n".join(self._notes())])

    def _picture(self, found: CardRanking) -> Iterator[str]:
        yield f"{found.bot}: gold of a player, {found.asked.gold.games} games with each card"
        yield from text_chart(found, self.titles)
        if found.others:
            best, worst = found.places
            yield f"  place {_span(best, worst)} of {len(found.others) + 1}{self._sight(found)}"

    def _sight(self, found: CardRanking) -> str:
        """How small a gap so many games would show, and what a gold of it takes."""
        games = found.asked.gold.games
        if not 0 < found.strays < float("inf"):
            return ""
        error = found.error / len(found.others)
        least = detectable(found.strays, games, error=error)
        needed = games_needed(1.0, found.strays, error=error)
        seen = f"; 4 of 5 such runs would show a gap of {least:.1f} gold"
        return seen + (f", {needed} games one of 1.0" if needed > games else "")

    def _notes(self) -> Iterator[str]:
        yield "apart: the best paid player of a game less the worst paid, on average"
        yield "decides: how often somebody else would have most gold without what the card pays"
        yield from self.provenance()

    def provenance(self) -> Iterator[str]:
        """Where the figures come from: what must be the same for them to come out the same."""
        if any(each.error < ERROR for each in self.standings):
            yield "the run stopped when it knew enough; its looks together miss 5 % at most"
        seeds = f"seeds {self.asked.seed} to {self.asked.seed + self.deals - 1}"
        yield (
            f"{self.games} games, {self.asked.players} players, {seeds}; "
            f"kbrules {__version__}, rules {self.digest}"
        )
        if note := stand_in_note(self.stand_ins):
            yield note
        if self.by_reference:
            games = f"{self.by_reference} game{'s' if self.by_reference > 1 else ''}"
            yield f"{games} needed more room than the engine has: the reference played them"
        yield f"again: {shlex.join(self.command)}"

    def json(self) -> str:
        """All of it for programs."""
        data = {
            "format": 1,
            "version": __version__,
            "rules": self.digest,
            "command": list(self.command),
            "card": self.asked.card,
            "players": self.asked.players,
            "seed": self.asked.seed,
            "deals": self.deals,
            "games": self.games,
            "stand_ins": list(self.stand_ins),
            "bots": [self._told(each) for each in self.standings],
        }
        return json.dumps(data, indent=2)

    def _told(self, found: CardRanking) -> dict[str, Any]:
        return {
            "bot": found.bot,
            "sentence": sentence(found, self.titles, self.kind),
            "places": list(found.places),
            "error": found.error,
            "asked": _card(found.asked),
            "more_than": [card.id for card in found.below],
            "less_than": [card.id for card in found.above],
            "level_with": [card.id for card in found.level],
            "others": [
                {**_card(each), "gap": _figure(each.gap), "p": each.chance} for each in found.others
            ],
        }


def _span(best: int, worst: int) -> str:
    return f"{best}" if best == worst else f"{best} to {worst}"


def _card(card: CardFigures) -> dict[str, Any]:
    return {
        "card": card.id,
        "gold": _figure(card.gold),
        "apart": _figure(card.spread),
        "decides": _figure(card.decided),
    }


def _figure(figure: Figure) -> dict[str, float | int | None]:
    ends = (figure.low, figure.high) if figure.has_ends else (None, None)
    return {"value": figure.value, "low": ends[0], "high": ends[1], "games": figure.games}
