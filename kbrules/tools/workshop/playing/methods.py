"""What the page asks of a game: moves, reasons, logs."""

from __future__ import annotations

from pathlib import Path

from kbrules.engine.logs.reading import parse_log
from kbrules.engine.logs.replay import table_of
from kbrules.engine.logs.writing import MatchInfo
from kbrules.engine.setup import SetupError, choose_table, with_cards
from kbrules.game.moves import write_move
from kbrules.library.ruleset import Ruleset
from kbrules.text import Source
from kbrules.tools.playing.bots import UnknownBot
from kbrules.tools.workshop.playing.game_view import game_view
from kbrules.tools.workshop.playing.reasons import reasons
from kbrules.tools.workshop.playing.share import from_fragment, to_fragment
from kbrules.tools.workshop.playing.table import HUMAN, GameInProgress
from kbrules.tools.workshop.requests import Answer, Methods, Params, Refused, text_of, value_of
from kbrules.tools.workshop.rules import RulesAsTyped, first_line


class Playing:
    """One game by the rules of a folder. root: where its files are tried."""

    def __init__(self, root: Path) -> None:
        self._own = self._rules = RulesAsTyped(root)
        self._current: GameInProgress | None = None
        self.methods: Methods = {
            "new_game": self._new_game, "view": self._view, "move": self._move,
            "undo": lambda _: self._step(-1), "redo": lambda _: self._step(1), "why": self._why,
            "log": self._log, "load": self._load, "share": self._share, "reload": self._reload,
            "force": self._force,
        }  # fmt: skip

    def _new_game(self, params: Params) -> Answer:
        self._rules = self._own
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
        self._current.begin()
        return game_view(self._current)

    @property
    def _game(self) -> GameInProgress:
        if self._current is None:
            raise Refused("there is no game yet", "begin one")
        return self._current

    def _view(self, _: Params) -> Answer:
        return game_view(self._game)

    def _move(self, params: Params) -> Answer:
        self._game.move(text_of(params, "text"))
        return game_view(self._game)

    def _step(self, offset: int) -> Answer:
        self._game.step(offset)
        return game_view(self._game)

    def _why(self, params: Params) -> Answer:
        return reasons(self._game, text_of(params, "question"), self._rules)

    def _log(self, _: Params) -> Answer:
        return {"text": self._game.log()}

    def _load(self, params: Params) -> Answer:
        self._rules = self._own
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
        return [write_move(move, self._game.game.board) for move in self._game.moves]

    def _reload(self, _: Params) -> Answer:
        self._rules = self._own
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
            shared = {"header": header, "moves": self._texts(), "files": self._rules.texts()}
            return {"fragment": to_fragment(shared)}
        shared = from_fragment(text_of(params, "fragment"))
        moves = [str(each) for each in value_of(shared, "moves", list, [])]
        files = value_of(shared, "files", dict, {})
        self._rules = self._own.with_texts(files) if files else self._own
        try:
            view = self._play_log(text_of(shared, "header") + "\n", moves)
        except Refused:
            self._rules = self._own
            raise
        return view | {"files": self._rules.texts() if files else {}}
