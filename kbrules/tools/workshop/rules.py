"""What a page may ask for, the rules of an author's folder, and what a card is worth."""

from __future__ import annotations

import logging
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

from kbrules.diagnostics import Diagnostic, render_concise
from kbrules.engine.setup import SetupError
from kbrules.library.box import boxes_by_name, known_boxes, shipped_boxes
from kbrules.library.discovery import discover
from kbrules.library.load import check_all, needed
from kbrules.library.reading import MANIFEST, data_root, real_path
from kbrules.library.ruleset import Ruleset
from kbrules.library.store import Files
from kbrules.text import Span
from kbrules.tools.balance.measure import balance_command, balance_report, balance_svg, measure
from kbrules.tools.balance.playing import BalanceQuestion, CardNotFound, Results, card_in
from kbrules.tools.bots import UnknownBot, bot_named
from kbrules.tools.reports.report import as_text

# What a page may ask for: the values of a request, checked, and the answer if it cannot be.


Params = Mapping[str, Any]
Answer = dict[str, Any]
Methods = dict[str, Callable[[Params], Answer]]

MAX_VALUE = 2_000_000
"""Characters of a text that a page may send."""

Value = TypeVar("Value")
_LOG = logging.getLogger(__name__)


class SessionPart(Protocol):
    """A part of the session, made for the folder where files are tried."""

    methods: Methods

    def __init__(self, root: Path) -> None: ...


class RequestError(Exception):
    """A request that cannot be answered: a code, why, and what to do instead."""

    def __init__(self, message: str, remedy: str = "", code: str = "KB009") -> None:
        super().__init__(message)
        self.message, self.remedy, self.code = message, remedy, code

    def answer(self) -> dict[str, str]:
        """What is sent in the place of a result."""
        return {"code": self.code, "message": self.message, "remedy": self.remedy}


def value_of(params: Mapping[str, Any], name: str, kind: type[Value], default: Value) -> Value:
    """A value of a request. Raises RequestError if it is of another kind."""
    value = params.get(name, default)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise RequestError(f"`{name}` must be of the kind {kind.__name__}")
    if kind is int and not 0 <= value <= MAX_VALUE:  # type: ignore[operator]
        raise RequestError(f"`{name}` must be from 0 to {MAX_VALUE}")
    return value


def text_of(params: Mapping[str, Any], name: str, default: str = "") -> str:
    """A text of a request. Raises RequestError if it is none, or too long."""
    text = value_of(params, name, str, default)
    if len(text) > MAX_VALUE:
        raise RequestError(f"`{name}` has {len(text)} characters", f"at most {MAX_VALUE} are taken")
    if not text.isascii() and any("\ud800" <= each <= "\udfff" for each in text):
        raise RequestError(f"`{name}` has half a character")
    return text


def answer_request(methods: Methods, method: str, params: Params) -> Answer:
    """The answer: `result`, or `error` with a code, a message and a remedy. Raises nothing."""
    try:
        if method not in methods:
            raise RequestError(f"there is no method `{method[:40]}`", ", ".join(methods))
        return {"result": methods[method](params)}
    except RequestError as refused:
        return {"error": refused.answer()}
    except OSError as error:
        return {"error": RequestError(f"{error.strerror}", "look at the folder", "KB008").answer()}
    except Exception as fault:  # ours: told, logged, and the page goes on
        _LOG.exception("the request %s failed", method)
        message = f"a fault of kbrules: {type(fault).__name__}"
        return {"error": RequestError(message, "please report it", "KB901").answer()}


# Places in a text as a browser counts them: in units of UTF-16, where Python counts characters.


def to_browser(text: str, at: int) -> int:
    """The place of a character as a browser counts."""
    return at + sum(character > "\uffff" for character in text[:at])


def from_browser(text: str, at: int) -> int:
    """The character at a place as a browser counts; the next one within a pair."""
    if text.isascii():
        return min(max(at, 0), len(text))
    units = 0
    for index, character in enumerate(text):
        if units >= at:
            return index
        units += 1 + (character > "\uffff")
    return len(text)


def offsets_of(span: Span) -> tuple[int, int]:
    """The place of a span as the page counts, which has no carriage returns."""
    text = span.source.text
    start, end = span.source.written(span.start, span.end)
    before = text[:start].count("\r\n")
    within = text[start:end].count("\r\n")
    start, end = to_browser(text, start) - before, to_browser(text, end) - before - within
    return start, max(start, end)


# The rules of an author's folder as they are typed, with those of shipped boxes.


MAX_FILES, MAX_CHARACTERS = 60, 400_000
_SUFFIXES = (".kb", ".yaml")
_NAME = re.compile(r"(?:[A-Za-z0-9_][A-Za-z0-9_.-]*/){0,4}[A-Za-z0-9_][A-Za-z0-9_.-]*\.(?:kb|yaml)")
"""The path of a file that can be shared: below the folder, by plain letters."""


class RulesAsTyped:
    """Loads the rules of a folder, and reads again only files that have changed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._files = Files()

    @property
    def _folders(self) -> list[Path]:
        """The author's folder, if an expansion lies in it."""
        return [self.root] if (self.root / MANIFEST).is_file() else []

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
        return "" if (self.root / name).exists() else name

    def other_boxes(self, boxes: Sequence[str]) -> list[str]:
        """Those of the boxes of a rule set that are not the folder."""
        return boxes_by_name(boxes, self._folders)

    def ruleset(self, boxes: Sequence[Any]) -> Ruleset:
        """The rules of the folder and of other boxes. Raises RequestError if they have mistakes."""
        known, folders = known_boxes(), self._folders
        unknown = [box for box in boxes if box not in known]
        if unknown:
            raise RequestError(f"there is no box `{unknown[0]}`", ", ".join(known))
        names = needed(self._files, boxes, folders) or ([] if folders else shipped_boxes()[:1])
        ruleset, findings = check_all(names, folders, files=self._files)
        if ruleset is None or findings:
            line = first_line(findings).removeprefix(f"{self.root}/")
            raise RequestError("the rules have mistakes", line)
        return ruleset

    def texts(self) -> dict[str, str]:
        """The files of the folder that rules are made of."""
        files = [path for path in discover(self.root).files if path.suffix in _SUFFIXES]
        names = [path.relative_to(self.root).as_posix() for path in files]
        own = [
            (name, path) for name, path in zip(names, files, strict=True) if _NAME.fullmatch(name)
        ]
        return {name: path.read_text("utf-8", "replace") for name, path in own}

    def with_texts(self, files: Mapping[str, Any]) -> RulesAsTyped:
        """The rules of texts from elsewhere, which are laid beside the folder.

        Raises RequestError for what is no text of rules, or too much of it.
        """
        for name, text in files.items():
            if not isinstance(text, str) or not _NAME.fullmatch(name) or ".." in name:
                raise RequestError(
                    "the address holds files that are none of rules", "ask for another"
                )
        if len(files) > MAX_FILES or sum(map(len, files.values())) > MAX_CHARACTERS:
            raise RequestError("the address holds too many texts", "ask for another")
        place = self.root.parent / "shared" / self.root.name
        shutil.rmtree(place, ignore_errors=True)
        for name, text in files.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_text(text, encoding="utf-8", errors="replace")
        return RulesAsTyped(real_path(place))


def first_line(findings: list[Diagnostic]) -> str:
    """The first finding, in a line."""
    return render_concise(findings[0]) if findings else ""


# What a card is worth, measured a deal at a time, so that it can be stopped between two.


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
            raise RequestError(
                f"{deals} games cannot be played", f"from {MIN_DEALS} to {MAX_DEALS} can"
            )
        try:
            card = card_in(ruleset, text_of(params, "card"))
            for bot in bots:
                bot_named(bot)
        except CardNotFound as missing:
            diagnostic = missing.diagnostic
            raise RequestError(diagnostic.message, diagnostic.help, diagnostic.code) from None
        except UnknownBot as error:
            raise RequestError(str(error.args[0]), "choose another") from None
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
            raise RequestError("nothing is measured", "choose a card")
        try:
            return self._measurement.play_deal()
        except SetupError as error:
            raise RequestError(str(error.args[0]), "choose another number of players") from None


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
