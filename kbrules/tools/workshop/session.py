"""The workshop's side of the page: requests in, answers out, as values of JSON."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from kbrules.diagnostics import Diagnostic, render_concise
from kbrules.engine.logs.reader import parse_log
from kbrules.engine.logs.replay import table_of
from kbrules.engine.logs.writer import MatchInfo
from kbrules.engine.setup import SetupError, choose_table, with_cards
from kbrules.game.notation import write_move
from kbrules.library.boxes.box import shipped_boxes
from kbrules.library.boxes.installed import boxes_by_name, known_boxes
from kbrules.library.file_cache import FileCache
from kbrules.library.load import check_all
from kbrules.library.needs import needed
from kbrules.library.resources import MANIFEST
from kbrules.library.ruleset import Ruleset
from kbrules.text import Source
from kbrules.tools.authoring.formatting import formatted_text
from kbrules.tools.editors.token_patterns import CLOSING, OPENING, token_patterns
from kbrules.tools.playing.bots import UnknownBot
from kbrules.tools.workshop.checking import Checking
from kbrules.tools.workshop.drawing import put_on
from kbrules.tools.workshop.examples import Examples
from kbrules.tools.workshop.game_view import game_view, why_text
from kbrules.tools.workshop.offsets import from_browser, place_of
from kbrules.tools.workshop.requests import Refused, text_of, value_of
from kbrules.tools.workshop.share import packed, unpacked
from kbrules.tools.workshop.table import HUMAN, GameInProgress
from kbrules.tools.workshop.working_copy import WorkingCopy, kind_of

__all__ = ["Session"]

Values = Mapping[str, Any]
Answer = dict[str, Any]
_LOG = logging.getLogger(__name__)


class Session:
    """One author's folder and one game, as a page sees them. It answers one request at a time."""

    def __init__(self, copy: WorkingCopy) -> None:
        self._copy = copy
        self._checking, self._examples = Checking(copy), Examples(copy)
        self._current: GameInProgress | None = None
        self._methods: dict[str, Callable[[Values], Answer]] = {
            "open": self._open, "changes": self._changes, "text": self._text, "edit": self._edit,
            "save": self._save, "format": self._format, "tokens": self._tokens,
            "examples": self._near, "draw": self._draw, "new_game": self._new_game,
            "view": self._view, "move": self._move, "undo": lambda _: self._step(-1),
            "redo": lambda _: self._step(1), "why": self._why, "log": self._log,
            "load": self._load, "share": self._share, "reload": self._reload,
        }  # fmt: skip

    def handle(self, method: str, given: Values) -> Answer:
        """The answer: `result`, or `error` with a code, a message and a remedy. Raises nothing."""
        try:
            if method not in self._methods:
                raise Refused(f"there is no method `{method[:40]}`", ", ".join(self._methods))
            return {"result": self._methods[method](given)}
        except Refused as refused:
            return {"error": refused.answer()}
        except OSError as error:
            return {"error": Refused(f"{error.strerror}", "look at the folder", "KB008").answer()}
        except Exception as fault:  # ours: told, logged, and the page goes on
            _LOG.exception("the request %s failed", method)
            message = f"a fault of kbrules: {type(fault).__name__}"
            return {"error": Refused(message, "please report it", "KB901").answer()}

    # Files

    def _open(self, _: Values) -> Answer:
        names = self._copy.names
        rules = [name for name in names if kind_of(name) == "rules"]
        return {
            "title": self._copy.folder.resolve().name,
            "files": [{"path": name, "kind": kind_of(name)} for name in names],
            "start": (rules or names or [""])[0],
            "boxes": known_boxes(),
        }

    def _changes(self, _: Values) -> Answer:
        """The files that were changed on disk since, and are taken from there."""
        return {"files": self._copy.reload()}

    def _text(self, given: Values) -> Answer:
        name = text_of(given, "path")
        return {"text": self._copy.text(name), "changed": self._copy.is_changed(name)}

    def _edit(self, given: Values) -> Answer:
        if "text" in given:
            self._copy.write(text_of(given, "path"), text_of(given, "text"))
        return {"findings": self._checking.findings()}

    def _save(self, given: Values) -> Answer:
        self._copy.save(text_of(given, "path"))
        return {}

    def _format(self, given: Values) -> Answer:
        name = text_of(given, "path")
        if kind_of(name) != "rules":
            raise Refused(f"`{name}` is no rule file", "only those have one style")
        file = formatted_text(Source(name, self._copy.text(name)), Path(name))
        if file.findings:
            raise Refused("what cannot be read has no style yet", "mend what is marked first")
        return {"text": file.after}

    def _near(self, given: Values) -> Answer:
        name = text_of(given, "path")
        at = from_browser(self._copy.text(name), value_of(given, "at", int, 0))
        return self._examples.near(name, at)

    def _draw(self, given: Values) -> Answer:
        name = text_of(given, "path")
        drawing, catalog = self._examples.drawn(name, value_of(given, "example", int, 0))
        edit = put_on(drawing, text_of(given, "hex"), text_of(given, "sign"), catalog)
        source = drawing.spans[0].source
        start, end = place_of(source.span(edit["start"], edit["end"]))
        return {"from": start, "to": end, "text": edit["text"]}

    def _tokens(self, _: Values) -> Answer:
        table = token_patterns()
        return {
            "outside": [[each.pattern, *each.kinds] for each in table.outside],
            "inside": [[each.pattern, *each.kinds] for each in table.inside],
            "opening": OPENING,
            "closing": CLOSING,
        }

    # The game

    @property
    def _folders(self) -> list[Path]:
        """The author's folder, if an expansion lies in it."""
        return [self._copy.root] if (self._copy.root / MANIFEST).is_file() else []

    def _ruleset(self, boxes: list[Any]) -> Ruleset:
        known = known_boxes()
        unknown = [box for box in boxes if box not in known]
        if unknown:
            raise Refused(f"there is no box `{unknown[0]}`", ", ".join(known))
        folders = self._folders
        names = needed(FileCache(), boxes, folders) or ([] if folders else shipped_boxes()[:1])
        ruleset, found = check_all(names, folders)
        if ruleset is None or found:
            raise Refused("the rules have mistakes", _first(found), "KB009")
        return ruleset

    def _new_game(self, given: Values) -> Answer:
        ruleset = self._ruleset(value_of(given, "boxes", list, []))
        bots = [str(each) for each in value_of(given, "bots", list, [HUMAN, "greedy"])]
        seed = value_of(given, "seed", int, 0)
        try:
            table = choose_table(ruleset, len(bots), seed)
            cards = [str(each) for each in value_of(given, "cards", list, [])]
            table = with_cards(ruleset, table, cards) if cards else table
            self._current = GameInProgress(ruleset, MatchInfo(table, seed, tuple(bots)))
        except (SetupError, UnknownBot) as error:
            raise Refused(str(error.args[0]), "choose another") from None
        self._current.begin()
        return game_view(self._current)

    @property
    def _game(self) -> GameInProgress:
        if self._current is None:
            raise Refused("there is no game yet", "begin one")
        return self._current

    def _view(self, _: Values) -> Answer:
        return game_view(self._game)

    def _move(self, given: Values) -> Answer:
        self._game.move(text_of(given, "text"))
        return game_view(self._game)

    def _step(self, by: int) -> Answer:
        self._game.step(by)
        return game_view(self._game)

    def _why(self, given: Values) -> Answer:
        return {"text": why_text(self._game, text_of(given, "question"))}

    def _log(self, _: Values) -> Answer:
        return {"text": self._game.log()}

    def _load(self, given: Values) -> Answer:
        return self._play_log(text_of(given, "text"))

    def _play_log(self, text: str, moves: list[str] | None = None) -> Answer:
        """The game of a log with its moves, or with others."""
        log, found = parse_log(Source("game.kblog", text))
        if log is None:
            raise Refused("this is no log of a game", _first(found))
        data = log.header.data
        ruleset = self._ruleset(boxes_by_name(data["boxes"], self._folders))
        bots = tuple(data["bots"]) or (HUMAN,) * log.players
        moves = [str(each.data["move"]) for each in log.moves] if moves is None else moves
        return self._again(ruleset, MatchInfo(table_of(log), data["seed"], bots), moves)

    def _again(self, ruleset: Ruleset, seating: MatchInfo, moves: list[str]) -> Answer:
        """The same table and moves by rules that may be others; up to where they hold."""
        try:
            play = GameInProgress(ruleset, seating)
        except (SetupError, UnknownBot) as error:
            raise Refused(str(error.args[0]), "begin a new game") from None
        made = play.repeat(moves)
        self._current = play
        view = game_view(play)
        if made < len(moves):
            view["stopped"] = {"number": made + 1, "move": moves[made]}
        return view

    def _texts(self) -> list[str]:
        return [write_move(move, self._game.game.board) for move in self._game.moves]

    def _reload(self, _: Values) -> Answer:
        play = self._game
        boxes = boxes_by_name(play.ruleset.boxes, self._folders)
        return self._again(self._ruleset(boxes), play.seating, self._texts())

    def _share(self, given: Values) -> Answer:
        if "fragment" not in given:
            header = self._game.log().split("\n", 1)[0]
            return {"fragment": packed({"header": header, "moves": self._texts()})}
        shared = unpacked(text_of(given, "fragment"))
        moves = [str(each) for each in value_of(shared, "moves", list, [])]
        return self._play_log(text_of(shared, "header") + "\n", moves)


def _first(findings: list[Diagnostic]) -> str:
    return render_concise(findings[0]) if findings else ""
