"""A game on the page: decisions of people and bots, undone and made again, and reasons."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from kbrules.diagnostics import Diagnostic
from kbrules.engine.configuration import IllegalMove
from kbrules.engine.game import Game
from kbrules.engine.logs.replay import parse_log, table_of
from kbrules.engine.logs.writing import MatchInfo, Recorder, player_name
from kbrules.engine.matches import Bot, Checkpoint, Match, MatchMove
from kbrules.engine.setup import SetupError, choose_table, game_at, with_cards
from kbrules.game.moves import CHANCE, AmbiguousMove, InvalidMove, Move, read_move, write_move
from kbrules.game.state import Frame
from kbrules.library.reading import place_of
from kbrules.library.ruleset import Ruleset
from kbrules.text import Source, Span
from kbrules.tools.bots import UnknownBot, bot_named
from kbrules.tools.language_service.answers import Refused, text_of, value_of
from kbrules.tools.narration import Narrator, marks_text, players_text, sheet_text
from kbrules.tools.pictures.board import board_svg
from kbrules.tools.pictures.replay import picture_of_state
from kbrules.tools.positions import events_of_moves
from kbrules.tools.reports.report import as_text
from kbrules.tools.why.moves import ExplainedMove
from kbrules.tools.why.questions import read_question
from kbrules.tools.why.report import GoldAnswer, MovesAnswer, answer, why_report
from kbrules.tools.workshop.rules import (
    Answer,
    FolderRules,
    Methods,
    Params,
    SessionPart,
    first_line,
)

# A game in an address: its table, seats, moves and rules, compressed, in letters of addresses.


MAX_FRAGMENT, MAX_DATA = 60_000, 2_000_000
_REMEDY = "copy the whole address"


def to_fragment(data: dict[str, Any]) -> str:
    """Values of JSON as a fragment. Raises Refused if they are too many for an address."""
    raw = json.dumps(data, separators=(",", ":"), sort_keys=True).encode()
    text = urlsafe_b64encode(zlib.compress(raw, 9)).decode().rstrip("=")
    if len(text) > MAX_FRAGMENT:
        raise Refused(
            f"the game and its rules need {len(text)} letters, more than {MAX_FRAGMENT}",
            "save the log, and send your folder with it",
        )
    return text


def from_fragment(fragment: str) -> dict[str, Any]:
    """The values of a fragment. Raises Refused if it is cut off, changed, or too large."""
    if len(fragment) > MAX_FRAGMENT:
        raise Refused("the address is too long", _REMEDY)
    try:
        pad = "=" * (-len(fragment) % 4)
        unpacker = zlib.decompressobj()
        raw = unpacker.decompress(urlsafe_b64decode(fragment + pad), MAX_DATA)
        data = json.loads(raw)
    except (ValueError, zlib.error, RecursionError):
        raise Refused("the address holds no game", _REMEDY) from None
    if not isinstance(data, dict) or not unpacker.eof:
        raise Refused("the address holds no game", _REMEDY)
    return data


HUMAN = "human"


class GameInProgress:
    """A match, its moves (draws among them) and its log, and the decisions that a person made.

    Raises SetupError if the table cannot be laid, UnknownBot for a bot that there is not.
    """

    def __init__(self, ruleset: Ruleset, seating: MatchInfo) -> None:
        self.ruleset, self.seating = ruleset, seating
        self.game: Game = game_at(ruleset, seating.table)
        bots: Sequence[Bot | None] = [
            None if name == HUMAN else bot_named(name) for name in seating.bots
        ]
        self.recorder = Recorder(self.game, self.game.start(), seating)
        self.match = Match(self.game, seating.seed, bots, self.recorder.watch)
        self.played: list[MatchMove] = []
        self._decisions: list[tuple[Checkpoint, list[MatchMove], list[str]]] = []
        self._position = -1

    def run(self) -> None:
        """Let chance and bots play up to the next decision."""
        for played in self.match:
            self._record(played)
        self._save_decision()

    def _record(self, played: MatchMove) -> None:
        self.played.append(played)
        self.recorder.add(played.player, played.move, played.transition)

    def _save_decision(self) -> None:
        """Let `undo` and `redo` go to here; what was undone is forgotten."""
        self._position += 1
        now = self.match.checkpoint(), [*self.played], [*self.recorder.lines]
        self._decisions[self._position :] = [now]

    def move(self, text: str) -> None:
        """Make a move as logs write it. Raises Refused, with clauses, if it is not legal."""
        if not self.match.waits:
            raise Refused("nobody is to decide now", "begin a game, or undo")
        try:
            self._record(self.match.play(self._read(text)))
        except (InvalidMove, AmbiguousMove, IllegalMove) as error:
            raise Refused(str(error), "choose one of the marked hexes", "KB501") from None
        self.run()

    def _read(self, text: str) -> Move:
        return read_move(text, self.game.board, self.match.moves, self.ruleset.move_words)

    def can_step(self, offset: int) -> bool:
        """Return whether there is another decision that was made: -1 before, 1 behind."""
        return 0 <= self._position + offset < len(self._decisions)

    def step(self, offset: int) -> None:
        """Go to another decision that was made: -1 undoes, 1 makes again."""
        if not self.can_step(offset):
            raise Refused("there is nothing to undo" if offset < 0 else "there is nothing to redo")
        self._position += offset
        checkpoint, self.played[:], self.recorder.lines[:] = self._decisions[self._position]
        self.match.restore(checkpoint)

    def repeat(self, texts: Sequence[str]) -> int:
        """Make moves as logs write them, up to one that is not legal here; how many were made."""
        for number, text in enumerate(texts):
            try:
                self._record(self.match.repeat(self._read(text)))
            except (InvalidMove, AmbiguousMove, IllegalMove):
                return number
            if self.match.waits:
                self._save_decision()
        self.run()
        return len(texts)

    def log(self) -> str:
        """The log as far as it got; of a game that is over, with its last line."""
        lines = list(self.recorder.lines)
        if not self.match.moves:
            closing = self.recorder.close(self.match.state)
            self.recorder.lines[:] = lines
            lines.append(closing)
        return "".join(lines)

    @property
    def turns(self) -> list[str]:
        """A line for each turn, the one under way too."""
        narrator = Narrator(self.game)
        return [*filter(None, map(narrator.add, self.played)), *filter(None, [narrator.so_far])]

    def decider(self) -> str:
        """Who decides now; empty when the game is over."""
        moves = self.match.moves
        return player_name(moves.player) if moves and moves.player != CHANCE else ""

    def offered(self) -> list[dict[str, Any]]:
        """What can be decided: the text of the move without its hex, and the hexes."""
        board = self.game.board
        return [
            {
                "text": write_move(Move(group.verb, group.rule), board),
                "rule": group.rule,
                "verb": group.verb,
                "title": self.title(group.rule),
                "hexes": list(board.names(group.hexes)) if group.hexes else [],
            }
            for group in (self.match.moves.groups if self.match.waits else ())
        ]

    def title(self, rule: str) -> str:
        """Return what people call a rule."""
        found = self.ruleset.rule(rule)
        return rule if found is None else found.title or rule


# What a game looks like inside: its state fact by fact, half-done rules, events, the deck.


_SHOWN_APART = {"cache", "seats", "stack"}
MAX_EVENTS = 40  # the last ones


def game_internals(play: GameInProgress) -> dict[str, Any]:
    """All of it in values of JSON, read from the one state of the game."""
    state, catalog = play.match.state, play.game.board.catalog
    return {
        "seed": play.seating.seed,
        "state": [
            [name, str(getattr(state, name))]
            for name in state.__slots__
            if name not in _SHOWN_APART
        ],
        "seats": [[player_name(at), str(seat)] for at, seat in enumerate(state.seats)],
        "stack": [_frame(frame) for frame in state.stack],
        "events": _events(play),
        "cards": [catalog.card_name(card) for card in range(len(catalog.deck))],
    }


def _frame(frame: Frame) -> str:
    """A half-done rule: where it is, and what it has bound."""
    parts = [f"{frame.block}, statement {frame.pc}, of {player_name(frame.me)}"]
    parts += [f"{name} = {value}" for name, value in frame.env.items()]
    parts += [str(frame.loop)] if frame.loop is not None else []
    return "; ".join(parts)


def _events(play: GameInProgress) -> list[str]:
    """The last events, the newest first, each behind its move."""
    rows = [json.loads(line) for line in play.recorder.lines[1:]][-MAX_EVENTS:]
    lines = [
        f"{row['number']} {row['move']}: {json.dumps(event)}"
        for row in rows
        for event in row["events"]
    ]
    return lines[::-1][:MAX_EVENTS]


# What the page shows of a game: the board, what is offered, what players have, what happened.


def game_view(play: GameInProgress) -> dict[str, Any]:
    """A game as the page shows it, in values of JSON."""
    game, state = play.game, play.match.state
    catalog = game.board.catalog
    sheet = game.score(state)
    return {
        "svg": board_svg(picture_of_state(game, state, "The table")),
        "player": play.decider(),
        "over": not play.match.moves,
        "shown": [catalog.card_name(card) for card in state.shown],
        "offered": play.offered(),
        "players": [
            {"name": player_name(number), "bot": play.seating.bots[number], "total": total}
            for number, total in enumerate(sheet.totals)
        ],
        "cards": [{"id": id, "title": play.title(id)} for id in play.seating.table.cards],
        "holdings": "\n".join(filter(None, (players_text(game, state), marks_text(game, state)))),
        "sheet": sheet_text(game, sheet),
        "turns": play.turns,
        "number": len(play.played),
        "can_undo": play.can_step(-1),
        "can_redo": play.can_step(1),
        "inside": game_internals(play),
        "hash": state.hash(),
    }


# Why something is legal in a game or not: in words, and by clauses with their places.


Entry = dict[str, Any]
MAX_CLAUSES = 8  # clauses that are linked


def reasons(play: GameInProgress, question: str, rules: FolderRules) -> Entry:
    """The answer to a question about the position. Raises Refused if it is none.

    `clauses`: what speaks for or against, with the rule's own sentence and its place: `path`,
    `from` and `to` if that is in a file that the page can show.
    """
    state = play.match.state
    parsed = read_question(play.game, state, question.split())
    if isinstance(parsed, Diagnostic):
        raise Refused(parsed.message, parsed.help, parsed.code)
    moves = [each.move for each in play.played]
    answer_ = answer(play.game, state, parsed, partial(events_of_moves, play.game, moves))
    return {
        "text": as_text(why_report(answer_, ""), False),
        "legal": isinstance(answer_, MovesAnswer) and answer_.explained[0].derivation.legal,
        "clauses": list(_clauses(play, answer_, rules))[:MAX_CLAUSES],
    }


def _clauses(
    play: GameInProgress, answer_: MovesAnswer | GoldAnswer, rules: FolderRules
) -> Iterator[Entry]:
    if isinstance(answer_, GoldAnswer):
        for points in answer_.points:
            yield _clause(play, "for", points.rule.id, points.rule.span, rules)
        return
    seen: set[Span] = set()
    for speaks, rule, span in _deciding_clauses(answer_.explained[0]):
        if span is not None and span not in seen:
            seen.add(span)
            yield _clause(play, speaks, rule, span, rules)


def _deciding_clauses(move: ExplainedMove) -> Iterator[tuple[str, str, Span | None]]:
    """What decides about a move: its own step, and the norms that apply."""
    derivation = move.derivation
    norms = [norm.verdict for norm in move.norms]
    if not derivation.legal:
        norms = [verdict for verdict in norms if verdict.speaks == "against"]
        yield from (("against", each.rule, each.span) for each in (*derivation.verdicts, *norms))
        return
    yield from (("for", each.rule, each.span) for each in norms if each.speaks == "for")
    rule, step = derivation.move.rule, derivation.step
    if step is not None and derivation.game.ruleset.rule(rule) is not None:
        yield "for", rule, step.step.span


def _clause(play: GameInProgress, speaks: str, rule: str, span: Span, rules: FolderRules) -> Entry:
    declared = play.ruleset.rule(rule)
    return {
        "speaks": speaks,
        "rule": play.title(rule),
        "sentence": "" if declared is None else declared.wording,
        "text": " ".join(span.text.split()),
        "at": place_of(span),
        **rules.place(span),
    }


# What the page asks of a game: moves, reasons, logs.


class Playing(SessionPart):
    """One game by the rules of the folder, or by those of an address."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self._rules = self.rules
        self._current: GameInProgress | None = None
        self.methods: Methods = {
            "new_game": self._new_game, "view": lambda _: game_view(self._game),
            "move": self._move, "undo": lambda _: self._step(-1), "redo": lambda _: self._step(1),
            "why": self._why, "log": lambda _: {"text": self._game.log()}, "load": self._load,
            "share": self._share, "reload": self._reload, "force": self._force,
        }  # fmt: skip

    def _new_game(self, params: Params) -> Answer:
        self._rules = self.rules
        ruleset = self._rules.ruleset(value_of(params, "boxes", list, []))
        bots = [str(each) for each in value_of(params, "bots", list, [HUMAN, "greedy"])]
        seed = value_of(params, "seed", int, 0)
        try:
            table = choose_table(ruleset, len(bots), seed)
            cards = [str(each) for each in value_of(params, "cards", list, [])]
            table = with_cards(ruleset, table, cards) if cards else table
            self._current = GameInProgress(ruleset, MatchInfo(table, seed, tuple(bots)))
        except (SetupError, UnknownBot) as error:
            raise Refused(str(error.args[0]), "choose another") from None
        self._current.run()
        return game_view(self._current)

    @property
    def _game(self) -> GameInProgress:
        if self._current is None:
            raise Refused("there is no game yet", "begin one")
        return self._current

    def _move(self, params: Params) -> Answer:
        self._game.move(text_of(params, "text"))
        return game_view(self._game)

    def _step(self, offset: int) -> Answer:
        self._game.step(offset)
        return game_view(self._game)

    def _why(self, params: Params) -> Answer:
        return reasons(self._game, text_of(params, "question"), self._rules)

    def _load(self, params: Params) -> Answer:
        self._rules = self.rules
        return self._play_log(text_of(params, "text"))

    def _play_log(self, text: str, moves: list[str] | None = None) -> Answer:
        """The game of a log with its moves, or with others."""
        log, found = parse_log(Source("game.kblog", text))
        if log is None:
            raise Refused("this is no log of a game", first_line(found))
        data = log.header.data
        ruleset = self._rules.ruleset(self._rules.other_boxes(data["boxes"]))
        bots = tuple(data["bots"]) or (HUMAN,) * log.players
        moves = [str(each.data["move"]) for each in log.moves] if moves is None else moves
        return self._replay(ruleset, MatchInfo(table_of(log), data["seed"], bots), moves)

    def _replay(self, ruleset: Ruleset, seating: MatchInfo, moves: list[str]) -> Answer:
        """The same table and moves by rules that may be others; up to where they hold."""
        try:
            play = GameInProgress(ruleset, seating)
        except (SetupError, UnknownBot) as error:
            raise Refused(str(error.args[0]), "begin a new game") from None
        count = play.repeat(moves)
        self._current = play
        view = game_view(play)
        if count < len(moves):
            view["stopped"] = {"number": count + 1, "move": moves[count]}
        return view

    def _texts(self) -> list[str]:
        return [write_move(each.move, self._game.game.board) for each in self._game.played]

    def _reload(self, _: Params) -> Answer:
        self._rules = self.rules
        play = self._game
        boxes = self._rules.other_boxes(play.ruleset.boxes)
        return self._replay(self._rules.ruleset(boxes), play.seating, self._texts())

    def _force(self, params: Params) -> Answer:
        """The game as if another card had been drawn in the place of the one that is shown."""
        before, card = self._game, text_of(params, "card")
        catalog, texts = before.game.board.catalog, self._texts()
        shown = {f"draw {catalog.card_name(each)}" for each in before.match.state.shown}
        for at in [at for at in reversed(range(len(texts))) if texts[at] in shown]:
            changed = [*texts[:at], f"draw {card}", *texts[at + 1 :]]
            view = self._replay(before.ruleset, before.seating, changed)
            if card in view["shown"] and view.get("stopped", {}).get("number") != at + 1:
                return view
        self._current = before
        raise Refused(f"`{card[:40]}` cannot be drawn now", "choose one that the deck still had")

    def _share(self, params: Params) -> Answer:
        """The game in an address, with the texts of the folder; or the game of an address."""
        if "fragment" not in params:
            header = self._game.log().split("\n", 1)[0]
            shared = {"header": header, "moves": self._texts(), "files": self._rules.shared_texts()}
            return {"fragment": to_fragment(shared)}
        shared = from_fragment(text_of(params, "fragment"))
        moves = [str(each) for each in value_of(shared, "moves", list, [])]
        files = value_of(shared, "files", dict, {})
        self._rules = self.rules.with_texts(files) if files else self.rules
        try:
            view = self._play_log(text_of(shared, "header") + "\n", moves)
        except Refused:
            self._rules = self.rules
            raise
        return view | {"files": self._rules.shared_texts() if files else {}}
