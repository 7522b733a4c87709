"""What a card is worth, measured a deal at a time, so that it can be stopped between two."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kbrules.engine.setup import SetupError
from kbrules.library.ruleset import Ruleset
from kbrules.tools.measuring.balance.card_lookup import CardNotFound, card_in
from kbrules.tools.measuring.balance.measure import measure
from kbrules.tools.measuring.balance.report import balance_report, balance_svg
from kbrules.tools.measuring.balance.results import Results
from kbrules.tools.measuring.balance.tables import Question
from kbrules.tools.playing.bots import UnknownBot, bot_named
from kbrules.tools.reports.terminal import as_text
from kbrules.tools.workshop.requests import Answer, Methods, Refused, Values, text_of, value_of
from kbrules.tools.workshop.rules import RulesAsTyped

__all__ = ["Measuring"]

MOST_DEALS = 10_000
_LEAST = 2  # deals of which something can be said


class Measuring:
    """One measurement at a time. root: where the files of the folder are tried."""

    def __init__(self, root: Path) -> None:
        self._rules = RulesAsTyped(root)
        self._run: _Run | None = None
        self.methods: Methods = {
            "cards": self._cards, "balance": self._begin, "balance_more": self._more,
        }  # fmt: skip

    def _cards(self, given: Values) -> Answer:
        """The cards that can be measured, those of the folder first."""
        ruleset = self._ruleset(given)
        rules = [rule for card in ruleset.catalog.cards if (rule := ruleset.rule(card))]
        rules.sort(
            key=lambda rule: not Path(rule.span.source.name).is_relative_to(self._rules.root)
        )
        return {"cards": [{"id": rule.id, "title": rule.title or rule.id} for rule in rules]}

    def _begin(self, given: Values) -> Answer:
        """Begin anew: nothing is played yet."""
        ruleset = self._ruleset(given)
        deals = value_of(given, "games", int, 40)
        bots = [str(each) for each in value_of(given, "bots", list, ["greedy"])] or ["greedy"]
        if not _LEAST <= deals <= MOST_DEALS:
            raise Refused(f"{deals} games cannot be played", f"from {_LEAST} to {MOST_DEALS} can")
        try:
            card = card_in(ruleset, text_of(given, "card"))
            for bot in bots:
                bot_named(bot)
        except CardNotFound as missing:
            found = missing.diagnostic
            raise Refused(found.message, found.help, found.code) from None
        except UnknownBot as error:
            raise Refused(str(error.args[0]), "choose another") from None
        boxes = tuple(self._rules.named(ruleset.boxes))
        players = value_of(given, "players", int, 0) or ruleset.parts.players[0]
        seed = value_of(given, "seed", int, 0)
        asked = Question(card, boxes, ruleset.folders, players, tuple(bots), seed)
        self._run = _Run(ruleset, asked, deals)
        return {"done": 0, "most": deals}

    def _ruleset(self, given: Values) -> Ruleset:
        return self._rules.ruleset(value_of(given, "boxes", list, []))

    def _more(self, _: Values) -> Answer:
        """Play one more deal; what is known by then."""
        if self._run is None:
            raise Refused("nothing is measured", "choose a card")
        try:
            return self._run.more()
        except SetupError as error:
            raise Refused(str(error.args[0]), "choose another number of players") from None


class _Run:
    """A measurement under way."""

    def __init__(self, ruleset: Ruleset, question: Question, most: int) -> None:
        self._ruleset, self._question, self._most = ruleset, question, most
        self._results = Results(":memory:", question, ruleset.digest)
        self._done = 0

    def more(self) -> dict[str, Any]:
        """Play a deal, or two at first. Raises SetupError if no table can be laid."""
        asked = self._question
        self._done = min(self._most, max(_LEAST, self._done + 1))
        found = measure(self._ruleset, asked, self._results, self._done, _again(asked, self._done))
        report = balance_report(found)
        return {
            "done": self._done,
            "most": self._most,
            "title": report.title,
            "sentences": [each["sentence"] for each in report.data["bots"]],
            "text": as_text(report, False),
            "svg": balance_svg(found),
            "figures": report.data["bots"],
        }


def _again(asked: Question, games: int) -> list[str]:
    """The command that plays the same games, in the folder of the author."""
    boxes = [word for box in asked.boxes for word in ("--with", box)]
    bots = [word for bot in asked.bots for word in ("--bots", bot)]
    figures = ["--players", asked.players, "--games", games, "--seed", asked.seed]
    return ["kbrules", "balance", asked.card, "--with", ".", *boxes, *bots, *map(str, figures)]
