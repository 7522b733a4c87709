"""What a page may ask for, the rules of an author's folder, and what a card is worth."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from kbrules.diagnostics import Diagnostic, render_concise
from kbrules.engine.setup import SetupError
from kbrules.library import reading, store
from kbrules.library.box import boxes_by_name, known_boxes, shipped_boxes
from kbrules.library.ruleset import Ruleset
from kbrules.project.project import Project
from kbrules.text import Span
from kbrules.tools import balance, processes
from kbrules.tools.bots import UnknownBot, bot_named
from kbrules.tools.language_service.answers import Refused, text_of, to_browser, value_of
from kbrules.tools.language_service.workspace import Cancelled
from kbrules.tools.reports import data, page
from kbrules.tools.reports.report import as_text
from kbrules.tools.simulate import results_file, run
from kbrules.tools.simulate.question import (
    QuestionTables,
    Side,
    balance_command,
    question_about,
)
from kbrules.tools.simulate.report import StopRule, answer_question

# What a page may ask for: the values of a request, checked, and the answer if it cannot be.


Params = Mapping[str, Any]
Answer = dict[str, Any]
Methods = dict[str, Callable[[Params], Answer]]

_LOG = logging.getLogger(__name__)


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


# The rules of an author's folder as they are typed, with those of shipped boxes.


MAX_FILES, MAX_CHARACTERS = 60, 400_000
_NOWHERE = Path("/nowhere/shared")
_NAME = re.compile(r"(?:[A-Za-z0-9_][A-Za-z0-9_.-]*/){0,4}[A-Za-z0-9_][A-Za-z0-9_.-]*\.(?:kb|yaml)")
"""The path of a file that can be shared: below the folder, by plain letters."""


class FolderRules:
    """The rules of a folder whose files have other texts than on disk, by their paths in it."""

    def __init__(self, root: Path) -> None:
        self.root = reading.real_path(root)
        self.texts: Mapping[str, str] = {}
        self._files = store.Files()

    def take(self, texts: Mapping[str, str]) -> None:
        """Let files of the folder have these texts, and all others those on disk."""
        changed = {**dict.fromkeys(self.texts), **texts}
        self._files = self._files.edited(
            {reading.real_path(self.root / name): text for name, text in changed.items()}
        )
        self.texts = texts

    @property
    def _folders(self) -> list[Path]:
        """The author's folder, if an expansion is in it."""
        return [self.root] if self._files.is_there(self.root / reading.MANIFEST) else []

    def place(self, span: Span) -> dict[str, str | int]:
        """Return `path`, `from` and `to` of a place as the page counts; none in a file that it
        does not show."""
        path, shipped = reading.real_path(Path(span.source.name)), reading.data_root("rules")
        if path.is_relative_to(self.root):
            name = path.relative_to(self.root).as_posix()
        elif path.is_relative_to(shipped):
            name = f"rules/{path.relative_to(shipped).as_posix()}"
            if name in self.texts:
                return {}
        else:
            return {}
        written = span.source.written(span.start, span.end)
        start, end = (to_browser(span.source.text, at) for at in written)
        return {"path": name, "from": start, "to": max(start, end)}

    def other_boxes(self, boxes: Sequence[str]) -> list[str]:
        """Return those of the boxes of a rule set that are not the folder."""
        return boxes_by_name(boxes, self._folders)

    def ruleset(self, boxes: Sequence[Any]) -> Ruleset:
        """Return the rules of the folder and of other boxes. Raises Refused if one is unknown, or
        the rules have mistakes."""
        known, folders = known_boxes(), self._folders
        unknown = [box for box in boxes if box not in known]
        if unknown:
            raise Refused(f"there is no box `{unknown[0]}`", ", ".join(known))
        names = boxes or ([] if folders else shipped_boxes()[:1])
        project = Project((), names, folders, base=self.root, files=self._files)
        loaded = project.loaded(project.further)
        if loaded.ruleset is None or loaded.findings:
            line = first_line(loaded.findings).removeprefix(f"{self.root}/")
            raise Refused("the rules have mistakes", line)
        return loaded.ruleset

    def shared_texts(self) -> dict[str, str]:
        """Return the texts that can be sent in an address."""
        return {name: text for name, text in self.texts.items() if _NAME.fullmatch(name)}

    def with_texts(self, files: Mapping[str, Any]) -> FolderRules:
        """Return the rules of texts from elsewhere, as if they were in a folder that is not there.

        Raises Refused for what is no text of rules, or too much of it.
        """
        for name, text in files.items():
            is_below_file = any(str(folder) in files for folder in PurePosixPath(name).parents)
            if not isinstance(text, str) or not _NAME.fullmatch(name) or is_below_file:
                raise Refused("the address holds files that are none of rules", "ask for another")
        if len(files) > MAX_FILES or sum(map(len, files.values())) > MAX_CHARACTERS:
            raise Refused("the address holds too many texts", "ask for another")
        shared = FolderRules(_NOWHERE / self.root.name)
        shared.take(files)
        return shared


def first_line(findings: Sequence[Diagnostic]) -> str:
    """Return the first finding, in a line."""
    return render_concise(findings[0]) if findings else ""


class SessionPart:
    """A part of the session, by the rules of the folder of the author. methods: what it answers."""

    methods: Methods

    def __init__(self, root: Path) -> None:
        self.rules = FolderRules(root)

    def handle(self, method: str, params: Params, texts: Mapping[str, str]) -> Answer:
        """Return the answer to a request, by the texts on the page."""
        self.rules.take(texts)
        return answer_request(self.methods, method, params)


# What a card is worth, measured a deal at a time, so that it can be stopped between two.


MAX_DEALS = 10_000
MIN_DEALS = 2  # deals of which something can be said


class Measuring(SessionPart):
    """One measurement at a time."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self._measurement: Measurement | None = None
        self.methods: Methods = {
            "cards": self._cards, "balance": self._begin, "balance_more": self._play_deal,
        }  # fmt: skip

    def _cards(self, params: Params) -> Answer:
        """The cards that can be measured, those of the folder first."""
        ruleset = self._ruleset(params)
        rules = [rule for card in ruleset.catalog.cards if (rule := ruleset.rule(card))]
        rules.sort(key=lambda rule: not Path(rule.span.source.name).is_relative_to(self.rules.root))
        return {"cards": [{"id": rule.id, "title": rule.title or rule.id} for rule in rules]}

    def _begin(self, params: Params) -> Answer:
        """Begin anew: nothing is played yet."""
        ruleset = self._ruleset(params)
        deals = value_of(params, "games", int, 40)
        bots = [str(each) for each in value_of(params, "bots", list, ["greedy"])] or ["greedy"]
        if not MIN_DEALS <= deals <= MAX_DEALS:
            raise Refused(f"{deals} games cannot be played", f"from {MIN_DEALS} to {MAX_DEALS} can")
        try:
            card = balance.card_in(ruleset, text_of(params, "card"))
            for bot in bots:
                bot_named(bot)
        except balance.CardNotFound as missing:
            diagnostic = missing.diagnostic
            raise Refused(diagnostic.message, diagnostic.help, diagnostic.code) from None
        except UnknownBot as error:
            raise Refused(str(error.args[0]), "choose another") from None
        boxes = tuple(self.rules.other_boxes(ruleset.boxes))
        players = value_of(params, "players", int, 0) or ruleset.parts.players[0]
        seed = value_of(params, "seed", int, 0)
        question = question_about(card, Side(boxes, ruleset.folders), players, bots, seed)
        self._measurement = Measurement(QuestionTables(question, [ruleset]), deals)
        return {"done": 0, "most": deals}

    def _ruleset(self, params: Params) -> Ruleset:
        return self.rules.ruleset(value_of(params, "boxes", list, []))

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
        self._store = results_file.Store()
        self._done = 0

    def play_deal(self) -> dict[str, Any]:
        """Play a deal, or two at first. Raises SetupError if no table can be laid."""
        if not self._done:
            self._tables.check()
            self._store.begin(self._tables)
        self._done = min(self._most, max(MIN_DEALS, self._done + 1))
        pool: run.SpanPool = processes.WorkerPool(lambda span: run.play(self._tables, span))
        answer = answer_question(self._store, pool, StopRule(self._done), lambda _: None)
        question = self._tables.question
        shown = replace(question, sides=(replace(question.sides[0], folders=(".",)),))
        command = balance_command(shown, self._done)
        report = balance.balance_report(answer, command)
        return {
            "done": self._done,
            "most": self._most,
            "title": report.title,
            "sentences": [each.sentence for each in report.data.bots],
            "text": as_text(report, False),
            "svg": page.as_picture(report),
            "figures": data.to_data(report.data.bots),
        }
