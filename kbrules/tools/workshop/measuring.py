"""What a card is worth, measured a deal at a time, so that it can be stopped between two."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from kbrules.engine.setup import SetupError
from kbrules.library.ruleset import Ruleset
from kbrules.tools.balance.measure import balance_command, measure
from kbrules.tools.balance.playing import BalanceQuestion, CardNotFound, card_in
from kbrules.tools.balance.report import balance_report, balance_svg
from kbrules.tools.balance.results import Results
from kbrules.tools.playing.bots import UnknownBot, bot_named
from kbrules.tools.reports.terminal import as_text
from kbrules.tools.workshop.rules import (
    Answer,
    Methods,
    Params,
    Refused,
    RulesAsTyped,
    text_of,
    value_of,
)

MAX_DEALS = 10_000
MIN_DEALS = 2  # deals of which something can be said


class Measuring:
    """One measurement at a time. root: where the files of the folder are tried."""

    def __init__(self, root: Path) -> None:
        self._rules = RulesAsTyped(root)
        self._measurement: Measurement | None = None
        self.methods: Methods = {
            "cards": self._cards, "balance": self._begin, "balance_more": self._play_deal,
        }  # fmt: skip

    def _cards(self, params: Params) -> Answer:
        """The cards that can be measured, those of the folder first."""
        ruleset = self._ruleset(params)
        rules = [rule for card in ruleset.catalog.cards if (rule := ruleset.rule(card))]
        rules.sort(
            key=lambda rule: not Path(rule.span.source.name).is_relative_to(self._rules.root)
        )
        return {"cards": [{"id": rule.id, "title": rule.title or rule.id} for rule in rules]}

    def _begin(self, params: Params) -> Answer:
        """Begin anew: nothing is played yet."""
        ruleset = self._ruleset(params)
        deals = value_of(params, "games", int, 40)
        bots = [str(each) for each in value_of(params, "bots", list, ["greedy"])] or ["greedy"]
        if not MIN_DEALS <= deals <= MAX_DEALS:
            raise Refused(f"{deals} games cannot be played", f"from {MIN_DEALS} to {MAX_DEALS} can")
        try:
            card = card_in(ruleset, text_of(params, "card"))
            for bot in bots:
                bot_named(bot)
        except CardNotFound as missing:
            diagnostic = missing.diagnostic
            raise Refused(diagnostic.message, diagnostic.help, diagnostic.code) from None
        except UnknownBot as error:
            raise Refused(str(error.args[0]), "choose another") from None
        boxes = tuple(self._rules.other_boxes(ruleset.boxes))
        players = value_of(params, "players", int, 0) or ruleset.parts.players[0]
        seed = value_of(params, "seed", int, 0)
        question = BalanceQuestion(card, boxes, ruleset.folders, players, tuple(bots), seed)
        self._measurement = Measurement(ruleset, question, deals)
        return {"done": 0, "most": deals}

    def _ruleset(self, params: Params) -> Ruleset:
        return self._rules.ruleset(value_of(params, "boxes", list, []))

    def _play_deal(self, _: Params) -> Answer:
        """Play one more deal; what is known by then."""
        if self._measurement is None:
            raise Refused("nothing is measured", "choose a card")
        try:
            return self._measurement.play_deal()
        except SetupError as error:
            raise Refused(str(error.args[0]), "choose another number of players") from None


class Measurement:
    """A measurement under way."""

    def __init__(self, ruleset: Ruleset, question: BalanceQuestion, most: int) -> None:
        self._ruleset, self._question, self._most = ruleset, question, most
        self._results = Results(":memory:", question, ruleset.digest)
        self._done = 0

    def play_deal(self) -> dict[str, Any]:
        """Play a deal, or two at first. Raises SetupError if no table can be laid."""
        question = self._question
        self._done = min(self._most, max(MIN_DEALS, self._done + 1))
        command = balance_command(replace(question, folders=(".",)), self._done)
        result = measure(self._ruleset, question, self._results, self._done, command)
        report = balance_report(result)
        return {
            "done": self._done,
            "most": self._most,
            "title": report.title,
            "sentences": [each["sentence"] for each in report.data["bots"]],
            "text": as_text(report, False),
            "svg": balance_svg(result),
            "figures": report.data["bots"],
        }
