"""The reader of scenario files: text to scenarios that know where each value is written; names."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kbrules.diagnostics import Diagnostic, did_you_mean, quoted, suggest
from kbrules.game.board import Board
from kbrules.game.moves import MoveTextError, move_text_errors
from kbrules.hex.sets import Mask, mask_of
from kbrules.library import reading, validation
from kbrules.library.boards.positions import OWNERS
from kbrules.library.position import PlayerSeat, PlayerTurn, Position, SeatTile, TableBoard
from kbrules.library.ruleset import TURN, Ruleset
from kbrules.library.yaml import Document, Loc, RefusedNode, read_yaml
from kbrules.text import Source, Span

if TYPE_CHECKING:
    from pydantic import BaseModel

    from kbrules.scenario import models
    from kbrules.scenario.models import MidgameModel, ScenarioFile, ScenarioModel


# The reader of scenario files: text to scenarios that know where each value is written.


SUFFIX = reading.SCENARIO
Where = Callable[[], Span]
"""Where something is written, found when somebody asks: most of what is written is right."""
_OPTIONAL = frozenset({"title", "position", "turn", "seed", "steps", "expect", "unchecked"})
"""Keys that can be left out without a change of what the names beside them mean."""
BOARD_HELP = "its value is `sections`, or a `drawing`"


@dataclass(frozen=True, slots=True)
class Written:
    """Where the values of a position or a scenario are written.

    root: its place in the file. own_keys: the keys that it does not share with others there.
    """

    document: Document
    root: Loc = ()
    own_keys: frozenset[str] = frozenset()

    def loc(self, loc: Loc) -> Loc:
        """A place of the scenario as a place of the file; several scenarios may share it."""
        return (*self.root, *loc) if not loc or loc[0] in self.own_keys else loc

    def span(self, *loc: str | int) -> Span:
        """Where the value at a place of the scenario is written."""
        return self.document.span_at(self.loc(loc))

    def key(self, *loc: str | int) -> Span:
        """Where the key at a place of the scenario is written."""
        return self.document.span_at(self.loc(loc), key=True)

    def where(self, *loc: str | int) -> Where:
        """The same as `span`, found only when it is called."""
        return partial(self.span, *loc)

    def where_key(self, *loc: str | int) -> Where:
        """The same as `key`, found only when it is called."""
        return partial(self.key, *loc)


UNWRITTEN = Written(Document(Source("position", ""), RefusedNode(0, 0), {}))
"""Of a position that no text has; findings about it have the name alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario(Written):
    """A scenario: the position that it begins in, and what its model claims beside that."""

    model: ScenarioModel
    position: Position


def read_scenarios(path: Path) -> tuple[list[Scenario], list[Diagnostic]]:
    """The scenarios in a file and all that is wrong with the file; none if anything is."""
    source, findings = reading.read_source(path)
    return ([], findings) if source is None else parse_scenarios(source)


def parse_scenarios(source: Source) -> tuple[list[Scenario], list[Diagnostic]]:
    """Return the scenarios in a text and all that is wrong with it; none if anything is."""
    from kbrules.scenario.models import ScenarioFile

    read, findings = validation.read_model(source, [], ScenarioFile)
    if read is None or findings:
        return [], findings
    scenarios = list(_scenarios_in(*read))
    findings = [each for scenario in scenarios for each in _missing_keys(scenario)]
    findings += _duplicate_titles(scenarios)
    return ([], sorted(findings)) if findings else (scenarios, [])


def parse_position_text(source: Source) -> tuple[Position | None, Written, list[Diagnostic]]:
    """A position, written as at the top of a scenario file, and where all of it is written."""
    document, findings = read_yaml(source)
    if document is None:
        return None, UNWRITTEN, findings
    from kbrules.scenario.models import MidgameModel

    written = Written(document)
    table, more = validation.validate(document, MidgameModel)
    findings += more
    if table is None or findings:
        return None, written, sorted(findings)
    return position_in(table), written, []


def position_in(table: MidgameModel) -> Position:
    """Return the position of a file that has the right shape."""
    there = table.position
    seats = {player: getattr(there, player) for player in PLAYERS}
    given = _shared(Position, table) | _shared(Position, there)
    given |= {
        "board": None if table.board is None else _board_in(table.board),
        "seats": {player: _seat_in(seat) for player, seat in seats.items() if seat is not None},
        "nobody": {} if there.nobody is None else there.nobody.pieces,
        "turn": _turn_in(table.turn),
    }
    return Position(**given, checked=not table.unchecked)


def _shared(kind: type[Any], model: BaseModel) -> dict[str, Any]:
    """Return the values of a model that a part of a position has by the same names."""
    names = (each.name for each in fields(kind) if each.name in type(model).model_fields)
    return {name: getattr(model, name) for name in names}


def _board_in(board: models.BoardModel) -> TableBoard:
    sectors = (board.sectors.rows, board.sectors.columns) if board.sectors else None
    given = {"drawing": board.drawing or "", "sectors": sectors}
    return TableBoard(**_shared(TableBoard, board) | given)


def _seat_in(seat: models.SeatModel) -> PlayerSeat:
    tiles = tuple(
        SeatTile(held) if isinstance(held, str) else SeatTile(**_shared(SeatTile, held))
        for held in seat.tiles
    )
    return PlayerSeat(**_shared(PlayerSeat, seat) | {"tiles": tiles})


def _turn_in(turn: models.TurnModel) -> PlayerTurn:
    given = {
        "played": (turn.played,) if isinstance(turn.played, str) else turn.played,
        "choice": turn.choice or "",
        "revealed": turn.revealed or "",
    }
    return PlayerTurn(**_shared(PlayerTurn, turn) | given)


def _scenarios_in(file: ScenarioFile, document: Document) -> Iterator[Scenario]:
    """The scenarios of a file, each with the values that all share."""
    if file.scenarios is None:
        yield Scenario(model=file, position=position_in(file), document=document)
        return
    from kbrules.scenario.models import ScenarioModel

    fields = ScenarioModel.model_fields.items()
    keys = {name: field.alias or name for name, field in fields}
    for index, entry in enumerate(file.scenarios):
        values = {
            name: getattr(entry if name in entry.model_fields_set else file, name) for name in keys
        }
        own = frozenset(keys[name] for name in entry.model_fields_set)
        model = ScenarioModel.model_construct(**values)
        yield Scenario(
            model=model,
            position=position_in(model),
            document=document,
            root=("scenarios", index),
            own_keys=own,
        )


def _missing_keys(scenario: Scenario) -> Iterator[Diagnostic]:
    title = scenario.span("title")
    if scenario.model.board is None:
        yield Diagnostic("KB412", title, "this scenario lacks the key `board`", BOARD_HELP)
    if scenario.model.expect is None and not scenario.model.steps:
        help = "add `expect`, or `steps` that must be possible"
        yield Diagnostic("KB412", title, "this scenario claims nothing", help)


def _duplicate_titles(scenarios: list[Scenario]) -> Iterator[Diagnostic]:
    seen: set[str] = set()
    for scenario in scenarios:
        if scenario.model.title in seen:
            message = f"there are two scenarios {quoted(scenario.model.title)} in this file"
            yield Diagnostic("KB403", scenario.span("title"), message)
        seen.add(scenario.model.title)


# Files of a wrong shape


def readable_scenarios(source: Source | None) -> list[Scenario]:
    """The scenarios of a text of a wrong shape, without every key that holds a wrong value.

    None if the shape is right, or if other keys than `_OPTIONAL` would be left out.
    """
    document = None if source is None else read_yaml(source)[0]
    if document is None:
        return []
    from pydantic import ValidationError

    from kbrules.scenario.models import ScenarioFile

    data = json.loads(json.dumps(document.data))
    try:
        ScenarioFile.model_validate_json(json.dumps(data))
        return []
    except ValidationError as error:
        places = [fault["loc"] for fault in error.errors(include_url=False, include_input=False)]
    try:
        _leave_out(data, places, ScenarioFile.model_fields)
        file = ScenarioFile.model_validate_json(json.dumps(data))
    except (ValidationError, LookupError, TypeError):
        return []
    return [each for each in _scenarios_in(file, document) if each.model.board is not None]


def _leave_out(data: Any, places: Iterable[tuple[Any, ...]], known: Iterable[str]) -> None:
    """Remove the keys of the file, or of a scenario, that hold these places; or LookupError."""
    for place in places:
        if place == ("scenarios",):
            continue  # too few are readable
        table, rest = data, place
        if place[:1] == ("scenarios",):
            table, rest = data["scenarios"][place[1]], place[2:]
        key = rest[0]
        if (key if key in known else suggest(key, known)) not in _OPTIONAL:
            raise LookupError(key)
        table.pop(key, None)


# Names in scenarios: of hexes, pieces, tiles, cards, players, rules and moves.


PLAYERS = OWNERS
NOBODY, TABLE = "nobody", "table"
TOTAL, GAINED = "total", "gained"  # gold that no one rule pays
MAX_FINDINGS = 100  # of one scenario
_MAX_LISTED = 12


def unknown_name(noun: str, id: str, known: Collection[str], span: Span) -> Diagnostic:
    """The finding about an id that names nothing."""
    names = sorted(known)
    listed = "name the box that brings it under `with`" if names else "there is none at all"
    if 0 < len(names) <= _MAX_LISTED:
        listed = "there is " + ", ".join(map(quoted, names))
    message = f"there is no {noun} {quoted(id)}"
    return Diagnostic("KB413", span, message, did_you_mean(id, names, listed))


class NameResolver:
    """The names of one position, as its rules know them, and the `findings` about it.

    An unknown name is -1; `check_names` reports it.
    """

    def __init__(
        self, position: Position, ruleset: Ruleset, players: int, written: Written = UNWRITTEN
    ) -> None:
        self.position = position
        self.written = written
        self.players = players
        self.ruleset = ruleset
        self._findings: dict[Diagnostic, None] = {}

    @property
    def findings(self) -> list[Diagnostic]:
        """All findings, the first `MAX_FINDINGS` of them, sorted."""
        return sorted(self._findings)

    def add(self, *findings: Diagnostic) -> None:
        """Add findings, each once."""
        for each in findings:
            if len(self._findings) < MAX_FINDINGS:
                self._findings[each] = None

    def report(self, code: str, span: Span, message: str, help: str = "") -> None:
        """Add a finding."""
        self.add(Diagnostic(code, span, message, help))

    def report_unknown(self, noun: str, id: str, known: Collection[str], where: Where) -> None:
        """Add the finding about an id that names nothing."""
        if len(self._findings) < MAX_FINDINGS:  # a suggestion takes long
            self.add(unknown_name(noun, id, known, where()))

    def player(self, letter: str, where: Where) -> int:
        """Return the seat of a player, and report one who is not among the players."""
        seat = PLAYERS.index(letter)
        if seat < self.players:
            return seat
        last = PLAYERS[self.players - 1]
        message = f"there is no player {quoted(letter)} among {self.players}"
        self.report("KB413", where(), message, f"the players are `a` to `{last}`; see `players`")
        return -1

    def hex(self, board: Board, name: str) -> int:
        """Return the index of a hex."""
        try:
            return board.grid.index(name)
        except ValueError:
            return -1

    def piece(self, id: str) -> int:
        """Return the index of a kind of piece."""
        return _index_of(id, [piece.id for piece in self.ruleset.catalog.pieces])

    def tile(self, id: str) -> int:
        """Return the index of a kind of tile."""
        return _index_of(id, [tile.id for tile in self.ruleset.catalog.tiles])

    def card(self, name: str) -> int:
        """Return the index of a terrain card, its terrains in any order."""
        card = self.ruleset.catalog.card_named(name)
        return -1 if card is None else card

    def cards(self, names: Sequence[str]) -> tuple[int, ...]:
        """Return the indexes of a list of terrain cards, of those that are known."""
        return tuple(card for card in map(self.card, names) if card >= 0)

    def scoring_cards(self, names: Sequence[str]) -> Mask:
        """Return the bits of a list of scoring cards, of those that are known."""
        known = self.ruleset.catalog.cards
        return mask_of(known.index(name) for name in names if name in known)

    def memories(self, scope: str) -> dict[str, int]:
        """Return the slots of the memories of the table, or of a player, by their names."""
        every = self.ruleset.memories.items()
        return {name: slot for name, (of, slot) in every if (of == TABLE) == (scope == TABLE)}


def _index_of(id: str, known: Sequence[str]) -> int:
    return known.index(id) if id in known else -1


# The check of all names and moves that a scenario writes; it needs a board, but no game.
#
# `setup.set_up_game` checks players, cards, options and the board.

NameCheck = Callable[[str, Where], None]


def check_names(
    resolver: NameResolver, board: Board | None, model: ScenarioModel | None = None
) -> None:
    """Report every unknown name of a position, and of the steps and expectations of a scenario.

    Hexes are checked only with a board.
    """
    check = _NameCheck(resolver, board)
    check.position()
    check.turn()
    if model is not None:
        check.steps(model.steps)
        if model.expect is not None:
            check.expectation(model.expect, "expect")


class _NameCheck:
    def __init__(self, resolver: NameResolver, board: Board | None) -> None:
        self._resolver = resolver
        self._written = resolver.written
        self._board = board
        ruleset = resolver.ruleset
        catalog, words = ruleset.catalog, ruleset.move_words
        self._piece = self._among("piece", [each.id for each in catalog.pieces])
        self._tile = self._among("tile", [each.id for each in catalog.tiles])
        self._terrain = self._among("terrain", [each.id for each in catalog.hexes])
        self._number = self._among("number", catalog.numbers)
        self._scoring_card = self._among("card", resolver.position.cards)
        self._rule = self._among("rule", {TURN, *(rule.id for rule in ruleset.rules)})
        self._choice = self._among("rule", words.rules or ())
        self._verb = self._among("verb", words.verbs or ())

    def _among(self, noun: str, known: Collection[str]) -> NameCheck:
        def check(id: str, where: Where) -> None:
            if id not in known:
                self._resolver.report_unknown(noun, id, known, where)

        return check

    # the position

    def position(self) -> None:
        """Check the position."""
        position, board = self._resolver.position, self._resolver.position.board
        if board is not None:
            for key, tiles in (("legend", board.legend), ("tiles", board.tiles)):
                for name, id in tiles.items():
                    self._tile(id, self._written.where("board", key, name))
            self._keys(self._hex, board.tiles, "board", "tiles")
        self._keys(self._player, position.seats, "position")
        for letter, seat in position.seats.items():
            at = "position", letter
            self._pieces(seat.pieces, *at, "pieces")
            for index, held in enumerate(seat.tiles):
                self._held(held, *at, "tiles", index)
            self._keys(self._piece, seat.supply, *at, "supply")
            self._each(self._card, seat.hand, *at, "hand")
            self._memories("player", seat.memory, *at, "memory")
        self._pieces(position.nobody, "position", NOBODY, "pieces")
        self._keys(self._hex, position.left, "position", "left")
        self._table(position, "position")
        self._memories(TABLE, position.memory, "position", "memory")

    def _table(self, it: Position | models.ExpectedStateModel, *at: str | int) -> None:
        """Check the piles of cards, and the scoring cards that are not in play."""
        for pile in ("deck", "discards"):
            self._keys(self._card, getattr(it, pile) or (), *at, pile)
        for place in ("beside", "retired"):
            self._each(self._scoring_card, getattr(it, place) or (), *at, place)

    def turn(self) -> None:
        """Check the player in turn, the cards face up and the rules done."""
        turn, where = self._resolver.position.turn, self._written.where
        self._player(turn.player, where("turn", "player"))
        self._each(self._card, turn.played, "turn", "played")
        self._each(self._card, turn.aside, "turn", "aside")
        if turn.choice:
            self._terrain(turn.choice, where("turn", "choice"))
        if turn.revealed:
            self._card(turn.revealed, where("turn", "revealed"))
        self._each(self._rule, turn.done, "turn", "done")

    # the steps

    def steps(self, steps: Sequence[str | models.StepModel]) -> None:
        """Check moves, draws, and expectations between them."""
        for index, step in enumerate(steps):
            at = "steps", index
            if isinstance(step, str):
                self._move(step, *at)
            elif step.move is not None:
                self._move(step.move, *at, "move")
            elif step.draw is not None:
                self._card(step.draw, self._written.where(*at, "draw"))
            elif step.expect is not None:
                self.expectation(step.expect, *at, "expect")

    def _move(self, text: str, *at: str | int) -> None:
        """Check the words of a move; a finding marks its word where that is possible."""
        grid = None if self._board is None else self._board.grid
        for error in move_text_errors(text, grid, self._resolver.ruleset.move_words):
            span = self._span_of(error, text, at)
            self._resolver.report(error.code, span, error.message, error.help)

    def _span_of(self, error: MoveTextError, text: str, loc: Loc) -> Span:
        """Return where a wrong word of a move is written; the whole move if that is unknown."""
        lines = self._written.document.line_spans(self._written.loc(loc))
        is_exact = len(lines) == 1 and lines[0].text == text
        if not is_exact or error.end - error.start >= len(text):
            return self._written.span(*loc)
        start = lines[0].start
        return lines[0].source.span(start + error.start, start + error.end)

    # the expectations

    def expectation(self, expect: models.ExpectModel, *at: str | int) -> None:
        """Check an expectation."""
        self._expected_state(expect, *at)
        for key in ("reachable", "unreachable"):
            if (search := getattr(expect, key)) is not None:
                self._expected_state(search, *at, key)

    def _expected_state(self, expect: models.ExpectedStateModel, *at: str | int) -> None:
        self._decision(expect, *at)
        self._components(expect, *at)
        for key in ("tiles", "gold", "numbers", "supply", "pieces", "hand", "memory"):
            self._keys(self._player, [k for k in getattr(expect, key) if k in PLAYERS], *at, key)
        for letter, gold in expect.gold.items():
            if not isinstance(gold, int):
                self._keys(self._scoring_rule, gold, *at, "gold", letter)

    def _decision(self, expect: models.ExpectedStateModel, *at: str | int) -> None:
        for action, offer in expect.offered.items():
            rule, *verbs = action.split()
            key = self._written.where_key(*at, "offered", action)
            self._rule(rule, key)
            for verb in verbs:
                self._verb(verb, key)
            self._offer(offer, *at, "offered", action)
        self._each(self._choice, expect.choices or (), *at, "choices")
        for index, entry in enumerate(expect.refused):
            loc = *at, "refused", index
            if isinstance(entry, str):
                self._move(entry, *loc)
                continue
            self._move(entry.move, *loc, "move")
            if entry.because:
                self._rule(entry.because, self._written.where(*loc, "because"))

    def _offer(self, offer: models.Offer, *at: str | int) -> None:
        if isinstance(offer, tuple):
            self._each(self._hex, offer, *at)
        elif not isinstance(offer, str):
            self._each(self._hex, offer.includes, *at, "includes")
            self._each(self._hex, offer.excludes, *at, "excludes")

    def _components(self, expect: models.ExpectedStateModel, *at: str | int) -> None:
        for letter, tiles in expect.tiles.items():
            for index, entry in enumerate(tiles):
                self._held(entry, *at, "tiles", letter, index)
        self._keys(self._hex, expect.left, *at, "left")
        for letter, values in expect.numbers.items():
            self._keys(self._number, values, *at, "numbers", letter)
        for letter, counts in expect.supply.items():
            self._keys(self._piece, counts, *at, "supply", letter)
        for letter, lists in expect.pieces.items():
            self._pieces(lists, *at, "pieces", letter)
        for letter, cards in expect.hand.items():
            self._each(self._card, cards, *at, "hand", letter)
        self._each(self._card, expect.shown or (), *at, "shown")
        self._table(expect, *at)
        for letter, memory in expect.memory.items():
            scope = TABLE if letter == TABLE else "player"
            self._memories(scope, memory, *at, "memory", letter)

    # names, in lists and as keys

    def _each(self, check: NameCheck, names: Sequence[str], *at: str | int) -> None:
        for index, name in enumerate(names):
            check(name, self._written.where(*at, index))

    def _keys(self, check: NameCheck, names: Iterable[str], *at: str | int) -> None:
        for name in names:
            check(name, self._written.where_key(*at, name))

    def _hex(self, name: str, where: Where) -> None:
        if self._board is not None:
            try:
                self._board.grid.index(name)
            except ValueError as error:
                self._resolver.report("KB506", where(), str(error))

    def _card(self, name: str, where: Where) -> None:
        if self._resolver.card(name) < 0:
            cards = self._resolver.ruleset.move_words.cards
            self._resolver.report_unknown("terrain card", name, cards, where)

    def _player(self, letter: str, where: Where) -> None:
        self._resolver.player(letter, where)

    def _scoring_rule(self, id: str, where: Where) -> None:
        """Check the name of a rule, or of one of the cards in play, that pays gold at the end."""
        ruleset, cards = self._resolver.ruleset, self._resolver.position.cards
        unknown = set(cards) - set(ruleset.catalog.cards)
        if unknown:  # one of them may have been meant for this
            cards = ruleset.catalog.cards
        owners = (o for o in ruleset.owners.values() if o.rule.awards)
        scoring = [o.rule.id for o in owners if o.card < 0 or o.rule.id in cards]
        known = [TOTAL, GAINED, *scoring, *unknown]
        self._among("rule or card in play that pays gold:", known)(id, where)

    def _held(
        self, held: str | SeatTile | models.ExpectedTileModel | Mapping[str, str], *at: str | int
    ) -> None:
        if isinstance(held, str):
            self._tile(held, self._written.where(*at))
        elif isinstance(held, Mapping):
            self._keys(self._tile, held, *at)
        else:
            self._tile(held.tile, self._written.where(*at, "tile"))
            self._each(self._hex, () if held.origin is None else (held.origin,), *at, "from")

    def _pieces(self, pieces: Mapping[str, Sequence[str]], *at: str | int) -> None:
        self._keys(self._piece, pieces, *at)
        for id, hexes in pieces.items():
            self._each(self._hex, hexes, *at, id)

    def _memories(
        self, scope: str, values: Mapping[str, int | Sequence[str]], *at: str | int
    ) -> None:
        known = self._resolver.memories(scope)
        self._keys(self._among(f"memory of a {scope}", known), values, *at)
        for id, value in values.items():
            if not isinstance(value, int):
                self._each(self._hex, value, *at, id)
