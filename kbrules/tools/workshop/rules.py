"""What a page may ask for, the rules of an author's folder, and what a card is worth."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any, Protocol

from kbrules.diagnostics import Diagnostic, render_concise
from kbrules.engine.setup import SetupError
from kbrules.library.box import boxes_by_name, known_boxes, shipped_boxes
from kbrules.library.discovery import discover
from kbrules.library.load import check_all, needed
from kbrules.library.reading import MANIFEST, data_root, real_path
from kbrules.library.ruleset import Ruleset
from kbrules.library.store import Files
from kbrules.text import Span
from kbrules.tools.balance import CardNotFound, balance_report, card_in
from kbrules.tools.bots import UnknownBot, bot_named
from kbrules.tools.language_service.answers import Refused, text_of, to_browser, value_of
from kbrules.tools.language_service.workspace import Cancelled
from kbrules.tools.processes import Serial
from kbrules.tools.reports.data import to_data
from kbrules.tools.reports.page import as_picture
from kbrules.tools.reports.report import as_text
from kbrules.tools.simulate.question import (
    QuestionTables,
    Side,
    balance_command,
    question_about,
)
from kbrules.tools.simulate.report import StopRule, answer_question
from kbrules.tools.simulate.results_file import Store
from kbrules.tools.simulate.run import SpanPool, play

# What a page may ask for: the values of a request, checked, and the answer if it cannot be.


Params = Mapping[str, Any]
Answer = dict[str, Any]
Methods = dict[str, Callable[[Params], Answer]]

_LOG = logging.getLogger(__name__)


class SessionPart(Protocol):
    """A part of the session, made for the folder of the author."""

    methods: Methods

    def __init__(self, root: Path) -> None: ...

    def take(self, texts: Mapping[str, str]) -> None:
        """Let files of the folder have these texts, and all others those on disk."""


def answer_request(methods: Methods, method: str, params: Params) -> Answer:
    """Return `result`, or `error` with a code, a message and help. Raises nothing."""
    try:
        if method not in methods:
            raise Refused(f"there is no method `{method[:40]}`", ", ".join(methods))
        return {"result": methods[method](params)}
    except Refused as refused:
        return error_of(refused)
    except Cancelled:
        return {"result": None}
    except OSError as error:
        return error_of(Refused(f"{error.strerror}", "look at the folder", "KB008"))
    except Exception as fault:  # ours: told, logged, and the page goes on
        _LOG.exception("the request %s failed", method)
        message = f"a fault of kbrules: {type(fault).__name__}"
        return error_of(Refused(message, "please report it", "KB901"))


def error_of(refused: Refused) -> Answer:
    """Return what is sent in the place of a result."""
    return {"error": {"code": refused.code, "message": str(refused), "help": refused.help}}


def page_offsets(span: Span) -> tuple[int, int]:
    """Return the place of a span as the page counts."""
    text = span.source.text
    start, end = (to_browser(text, at) for at in span.source.written(span.start, span.end))
    return start, max(start, end)


# The rules of an author's folder as they are typed, with those of shipped boxes.


MAX_FILES, MAX_CHARACTERS = 60, 400_000
_NOWHERE = Path("/nowhere/shared")
_NAME = re.compile(r"(?:[A-Za-z0-9_][A-Za-z0-9_.-]*/){0,4}[A-Za-z0-9_][A-Za-z0-9_.-]*\.(?:kb|yaml)")
"""The path of a file that can be shared: below the folder, by plain letters."""


class RulesAsTyped:
    """Loads the rules of a folder, and reads again only files that have changed.

    A folder that is not on disk has the texts that it was given, and no others.
    """

    def __init__(self, root: Path) -> None:
        self.root = real_path(root)
        self._files = Files()
        self._texts: dict[str, str] = {}

    def take(self, texts: Mapping[str, str]) -> None:
        """Let files of the folder have these texts, and all others those on disk."""
        names = {*texts, *self._texts}
        self._files = self._files.edited(
            {real_path(self.root / name): texts.get(name) for name in names}
        )
        self._texts = {**texts}

    @property
    def _folders(self) -> list[Path]:
        """The author's folder, if an expansion is in it."""
        return [self.root] if self._files.is_there(self.root / MANIFEST) else []

    def contains(self, span: Span) -> bool:
        """Whether a place lies in the folder."""
        return real_path(Path(span.source.name)).is_relative_to(self.root)

    def page_path(self, span: Span) -> str:
        """The file of a place, as the page names it; empty for one that it does not show."""
        path, shipped = real_path(Path(span.source.name)), data_root("rules")
        if path.is_relative_to(self.root):
            return path.relative_to(self.root).as_posix()
        if not path.is_relative_to(shipped):
            return ""
        name = f"rules/{path.relative_to(shipped).as_posix()}"
        return "" if self._files.is_there(self.root / name) else name

    def other_boxes(self, boxes: Sequence[str]) -> list[str]:
        """Those of the boxes of a rule set that are not the folder."""
        return boxes_by_name(boxes, self._folders)

    def ruleset(self, boxes: Sequence[Any]) -> Ruleset:
        """The rules of the folder and of other boxes. Raises Refused if they have mistakes."""
        known, folders = known_boxes(), self._folders
        unknown = [box for box in boxes if box not in known]
        if unknown:
            raise Refused(f"there is no box `{unknown[0]}`", ", ".join(known))
        names = needed(self._files, boxes, folders) or ([] if folders else shipped_boxes()[:1])
        ruleset, findings = check_all(names, folders, files=self._files)
        if ruleset is None or findings:
            line = first_line(findings).removeprefix(f"{self.root}/")
            raise Refused("the rules have mistakes", line)
        return ruleset

    def texts(self) -> dict[str, str]:
        """The files of the folder that rules are made of."""
        on_disk = discover(self.root).files if self.root.is_dir() else []
        names = {path.relative_to(self.root).as_posix() for path in on_disk} | {*self._texts}
        return {name: self._text(name) for name in sorted(names) if _NAME.fullmatch(name)}

    def _text(self, name: str) -> str:
        if name in self._texts:
            return self._texts[name]
        return (self.root / name).read_text("utf-8", "replace")

    def with_texts(self, files: Mapping[str, Any]) -> RulesAsTyped:
        """The rules of texts from elsewhere, as if they were in a folder that is not there.

        Raises Refused for what is no text of rules, or too much of it.
        """
        for name, text in files.items():
            is_below_file = any(str(folder) in files for folder in PurePosixPath(name).parents)
            if not isinstance(text, str) or not _NAME.fullmatch(name) or is_below_file:
                raise Refused("the address holds files that are none of rules", "ask for another")
        if len(files) > MAX_FILES or sum(map(len, files.values())) > MAX_CHARACTERS:
            raise Refused("the address holds too many texts", "ask for another")
        shared = RulesAsTyped(_NOWHERE / self.root.name)
        shared.take(files)
        return shared


def first_line(findings: list[Diagnostic]) -> str:
    """The first finding, in a line."""
    return render_concise(findings[0]) if findings else ""


# What a card is worth, measured a deal at a time, so that it can be stopped between two.


MAX_DEALS = 10_000
MIN_DEALS = 2  # deals of which something can be said


class Measuring:
    """One measurement at a time. root: the folder of the author."""

    def __init__(self, root: Path) -> None:
        self._rules = RulesAsTyped(root)
        self.take = self._rules.take
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
        question = question_about(card, Side(boxes, ruleset.folders), players, bots, seed)
        self._measurement = Measurement(QuestionTables(question, [ruleset]), deals)
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

    def __init__(self, tables: QuestionTables, most: int) -> None:
        self._tables, self._most = tables, most
        self._store = Store()
        self._done = 0

    def play_deal(self) -> dict[str, Any]:
        """Play a deal, or two at first. Raises SetupError if no table can be laid."""
        if not self._done:
            self._tables.check()
            self._store.begin(self._tables)
        self._done = min(self._most, max(MIN_DEALS, self._done + 1))
        pool: SpanPool = Serial(lambda span: play(self._tables, span))
        answer = answer_question(self._store, pool, StopRule(self._done), lambda _: None)
        question = self._tables.question
        shown = replace(question, sides=(replace(question.sides[0], folders=(".",)),))
        command = balance_command(shown, self._done)
        report = balance_report(answer, command)
        return {
            "done": self._done,
            "most": self._most,
            "title": report.title,
            "sentences": [each.sentence for each in report.data.bots],
            "text": as_text(report, False),
            "svg": as_picture(report),
            "figures": to_data(report.data.bots),
        }
