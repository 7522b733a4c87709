"""The reader of scenario files: text to scenarios that know where each value is written; names."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kbrules.diagnostics import Diagnostic, did_you_mean, quoted, suggest
from kbrules.game.board import Board, Catalog
from kbrules.game.moves import MoveTextError, move_text_errors
from kbrules.hex.sets import Mask, mask_of
from kbrules.library.boards.positions import OWNERS
from kbrules.library.position import PlayerSeat, PlayerTurn, Position, SeatTile, TableBoard
from kbrules.library.reading import SCENARIO, read_source
from kbrules.library.ruleset import TURN, Ruleset
from kbrules.library.validation import read_model, validate
from kbrules.library.yaml import Document, Loc, RefusedNode, read_yaml
from kbrules.text import Source, Span

if TYPE_CHECKING:
    from kbrules.scenario import models
    from kbrules.scenario.models import MidgameModel, ScenarioFile, ScenarioModel


# The reader of scenario files: text to scenarios that know where each value is written.


SUFFIX = SCENARIO
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
    return scenarios_in(*read_source(path))


def scenarios_in(
    source: Source | None, findings: list[Diagnostic]
) -> tuple[list[Scenario], list[Diagnostic]]:
    """The same of a text that was read, with what was found while it was; none if there is none."""
    if source is None:
        return [], findings
    scenarios, more = parse_scenarios(source)
    return scenarios, sorted(findings + more)


def parse_scenarios(source: Source) -> tuple[list[Scenario], list[Diagnostic]]:
    """The scenarios in a text and all that is wrong with it; none if anything is."""
    from kbrules.scenario.models import ScenarioFile

    read, findings = read_model(source, [], ScenarioFile)
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
    table, more = validate(document, MidgameModel)
    findings += more
    if table is None or findings:
        return None, written, sorted(findings)
    return position_in(table), written, []


def position_in(table: MidgameModel) -> Position:
    """The position of a file that has the right shape."""
    there, turn = table.position, table.turn
    return Position(
        board=None if table.board is None else _board_in(table.board),
        boxes=table.boxes,
        players=table.players,
        options=table.options,
        cards=table.cards,
        seats={
            player: _seat_in(seat)
            for player in PLAYERS
            if (seat := getattr(there, player)) is not None
        },
        nobody={} if there.nobody is None else there.nobody.pieces,
        left=there.left,
        deck=there.deck,
        discards=there.discards,
        beside=there.beside,
        retired=there.retired,
        memory=there.memory,
        turn=PlayerTurn(
            turn.player,
            (turn.played,) if isinstance(turn.played, str) else turn.played,
            turn.stage,
            turn.round,
            turn.done,
            bool(turn.last_round),
            turn.choice or "",
            turn.aside,
            turn.revealed or "",
        ),
        checked=not table.unchecked,
    )


def _board_in(board: models.BoardModel) -> TableBoard:
    return TableBoard(
        board.sections,
        board.grids,
        board.drawing or "",
        board.legend,
        board.tiles,
        (board.sectors.rows, board.sectors.columns) if board.sectors else None,
    )


def _seat_in(seat: models.SeatModel) -> PlayerSeat:
    tiles = tuple(
        SeatTile(held) if isinstance(held, str) else SeatTile(held.tile, held.origin, held.status)
        for held in seat.tiles
    )
    return PlayerSeat(seat.pieces, tiles, seat.supply, seat.hand, seat.gold, seat.memory)


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
    """Resolves the names of one position, and collects what is wrong with them in `findings`.

    An unknown name gives -1 or an empty text; to resolve it again adds no second finding.
    """

    def __init__(
        self, position: Position, ruleset: Ruleset, players: int, written: Written = UNWRITTEN
    ) -> None:
        self.position = position
        self.written = written
        self.players = players
        self._ruleset = ruleset
        self._catalog: Catalog = ruleset.catalog
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

    def hex(self, board: Board, name: str, where: Where) -> int:
        """The index of a hex."""
        try:
            return board.grid.index(name)
        except ValueError as error:
            self.report("KB506", where(), str(error))
            return -1

    def hexes(self, board: Board, names: Sequence[str], *loc: str | int) -> Mask | None:
        """The set of the hexes in a list of names; None if one of them is unknown."""
        where = self.written.where
        indexes = [self.hex(board, name, where(*loc, i)) for i, name in enumerate(names)]
        return None if -1 in indexes else mask_of(indexes)

    def piece(self, id: str, where: Where) -> int:
        """The index of a kind of piece."""
        return self._index("piece", id, [piece.id for piece in self._catalog.pieces], where)

    def tile(self, id: str, where: Where) -> int:
        """The index of a kind of tile."""
        return self._index("tile", id, [tile.id for tile in self._catalog.tiles], where)

    def terrain(self, id: str, where: Where) -> int:
        """The index of a kind of hex that a terrain card can show."""
        return self._index("terrain", id, [kind.id for kind in self._catalog.hexes], where)

    def number(self, id: str, where: Where) -> str:
        """The name of a number of the boxes."""
        return self._known("number", id, self._catalog.numbers, where)

    def card(self, name: str, where: Where) -> int:
        """The index of a terrain card, its terrains in any order."""
        card = self._catalog.card_named(name)
        if card is None:
            self.report_unknown("terrain card", name, self._ruleset.move_words.cards, where)
            return -1
        return card

    def cards(self, names: Sequence[str], *loc: str | int) -> tuple[int, ...]:
        """The indexes of a list of terrain cards."""
        indexes = [self.card(name, self.written.where(*loc, i)) for i, name in enumerate(names)]
        return tuple(card for card in indexes if card >= 0)

    def scoring_cards(self, names: Sequence[str], *loc: str | int) -> Mask:
        """The bits of a list of scoring cards of the table."""
        known = list(self.position.cards)
        indexes = [
            self._index("card", name, known, self.written.where(*loc, i))
            for i, name in enumerate(names)
        ]
        return mask_of(self._catalog.cards.index(known[at]) for at in indexes if at >= 0)

    def rule(self, id: str, where: Where) -> str:
        """The name of a rule that offers something, or of the end of the turn."""
        return self._known("rule", id, {TURN, *(rule.id for rule in self._ruleset.rules)}, where)

    def choice(self, id: str, where: Where) -> str:
        """The name of a rule, or of a terrain to choose."""
        return self._known("rule", id, self._ruleset.move_words.rules or (), where)

    def verb(self, word: str, where: Where) -> str:
        """The verb of a move."""
        return self._known("verb", word, self._ruleset.move_words.verbs or (), where)

    def scoring_rule(self, id: str, cards: Sequence[str], where: Where) -> str:
        """The name of a rule, or of one of the cards in play, that pays gold at the end."""
        owners = self._ruleset.owners.values()
        unknown = set(cards) - set(self._catalog.cards)
        if unknown:  # one of them may have been meant for this
            cards = self._catalog.cards
        scoring = [
            o.rule.id for o in owners if o.rule.awards and (o.card < 0 or o.rule.id in cards)
        ]
        known = [TOTAL, GAINED, *scoring, *unknown]
        return self._known("rule or card in play that pays gold:", id, known, where)

    def player(self, letter: str, where: Where) -> int:
        """The seat of a player."""
        seat = PLAYERS.index(letter)
        if seat < self.players:
            return seat
        last = PLAYERS[self.players - 1]
        message = f"there is no player {quoted(letter)} among {self.players}"
        self.report("KB413", where(), message, f"the players are `a` to `{last}`; see `players`")
        return -1

    def memory(self, id: str, scope: str, where: Where) -> int:
        """The slot of a memory of the table, or of a player."""
        known = {
            name: slot for name, (of, slot) in self._ruleset.memories.items()
            if (of == TABLE) == (scope == TABLE)
        }  # fmt: skip
        return known.get(self._known(f"memory of a {scope}", id, known, where), -1)

    def move(self, board: Board | None, text: str, loc: Loc) -> None:
        """Check the words of a move; a finding marks its word where that is possible."""
        grid = None if board is None else board.grid
        for error in move_text_errors(text, grid, self._ruleset.move_words):
            self.report(error.code, self._span_of(error, text, loc), error.message, error.help)

    def _span_of(self, error: MoveTextError, text: str, loc: Loc) -> Span:
        """Where a wrong word of a move is written; the whole move if that is unknown."""
        lines = self.written.document.line_spans(self.written.loc(loc))
        is_exact = len(lines) == 1 and lines[0].text == text
        if not is_exact or error.end - error.start >= len(text):
            return self.written.span(*loc)
        start = lines[0].start
        return lines[0].source.span(start + error.start, start + error.end)

    def _index(self, noun: str, id: str, known: list[str], where: Where) -> int:
        return known.index(id) if self._known(noun, id, known, where) else -1

    def _known(self, noun: str, id: str, known: Collection[str], where: Where) -> str:
        """The id if it is known; else a finding, and an empty text."""
        if id in known:
            return id
        self.report_unknown(noun, id, known, where)
        return ""


# The check of all names and moves that a scenario writes; it needs a board, but no game.
#
# `setup.set_up_game` checks players, cards, options and the board.

Memory = Mapping[str, int | Sequence[str]]


def check_names(resolver: NameResolver, board: Board | None) -> None:
    """Resolve every name of a position, hexes only with a board; it collects the findings."""
    check = _NameCheck(resolver, board)
    check.position()
    check.turn()


def check_claims(resolver: NameResolver, board: Board | None, model: ScenarioModel) -> None:
    """Resolve every name in the steps and the expectations of a scenario."""
    check = _NameCheck(resolver, board)
    check.steps(model.steps)
    if model.expect is not None:
        check.expectation(model.expect, ("expect",))


class _NameCheck:
    def __init__(self, resolver: NameResolver, board: Board | None) -> None:
        self._resolver = resolver
        self._written = resolver.written
        self._board = board

    # the position

    def position(self) -> None:
        """Check the position."""
        position = self._resolver.position
        for letter, seat in position.seats.items():
            self._resolver.player(letter, self._written.where_key("position", letter))
            self._seat(seat, ("position", letter))
        self._pieces(position.nobody, ("position", NOBODY))
        self._hex_keys(position.left, ("position", "left"))
        self._card_keys(position.deck or {}, ("position", "deck"))
        self._card_keys(position.discards, ("position", "discards"))
        self._resolver.scoring_cards(position.beside or (), "position", "beside")
        self._resolver.scoring_cards(position.retired, "position", "retired")
        self._memory(TABLE, position.memory, ("position", "memory"))

    def _seat(self, seat: PlayerSeat, at: Loc) -> None:
        self._pieces(seat.pieces, at)
        for index, held in enumerate(seat.tiles):
            self._tile(held, (*at, "tiles", index))
        self._piece_keys(seat.supply, (*at, "supply"))
        self._resolver.cards(seat.hand, *at, "hand")
        self._memory("player", seat.memory, (*at, "memory"))

    def _tile(
        self, held: str | SeatTile | models.ExpectedTileModel | Mapping[str, str], at: Loc
    ) -> None:
        if isinstance(held, str):
            self._resolver.tile(held, self._written.where(*at))
        elif isinstance(held, Mapping):
            for id in held:
                self._resolver.tile(id, self._written.where_key(*at, id))
        else:
            self._resolver.tile(held.tile, self._written.where(*at, "tile"))
            self._hexes(() if held.origin is None else (held.origin,), (*at, "from"))

    def _pieces(self, pieces: Mapping[str, Sequence[str]], at: Loc) -> None:
        self._piece_keys(pieces, (*at, "pieces"))
        for id, hexes in pieces.items():
            self._hexes(hexes, (*at, "pieces", id))

    def turn(self) -> None:
        """Check the player in turn, the cards face up and the rules done."""
        turn = self._resolver.position.turn
        self._resolver.player(turn.player, self._written.where("turn", "player"))
        self._resolver.cards(turn.played, "turn", "played")
        self._resolver.cards(turn.aside, "turn", "aside")
        if turn.choice:
            self._resolver.terrain(turn.choice, self._written.where("turn", "choice"))
        if turn.revealed:
            self._resolver.card(turn.revealed, self._written.where("turn", "revealed"))
        for index, id in enumerate(turn.done):
            self._resolver.rule(id, self._written.where("turn", "done", index))

    # the steps

    def steps(self, steps: Sequence[str | models.StepModel]) -> None:
        """Check moves, draws, and expectations between them."""
        for index, step in enumerate(steps):
            at = ("steps", index)
            if isinstance(step, str):
                self._resolver.move(self._board, step, at)
            elif step.move is not None:
                self._resolver.move(self._board, step.move, (*at, "move"))
            elif step.draw is not None:
                self._resolver.card(step.draw, self._written.where(*at, "draw"))
            elif step.expect is not None:
                self.expectation(step.expect, (*at, "expect"))

    # the expectations

    def expectation(self, expect: models.ExpectModel, at: Loc) -> None:
        """Check an expectation."""
        self._expected_state(expect, at)
        for key in ("reachable", "unreachable"):
            search = getattr(expect, key)
            if search is not None:
                self._expected_state(search, (*at, key))

    def _expected_state(self, expect: models.ExpectedStateModel, at: Loc) -> None:
        self._decision(expect, at)
        self._components(expect, at)
        for key in ("tiles", "gold", "numbers", "supply", "pieces", "hand", "memory"):
            for letter in getattr(expect, key):
                if letter in PLAYERS:
                    self._resolver.player(letter, self._written.where_key(*at, key, letter))
        for letter, gold in expect.gold.items():
            for id in gold if not isinstance(gold, int) else ():
                where = self._written.where_key(*at, "gold", letter, id)
                self._resolver.scoring_rule(id, self._resolver.position.cards, where)

    def _decision(self, expect: models.ExpectedStateModel, at: Loc) -> None:
        for action, offer in expect.offered.items():
            rule, *verbs = action.split()
            key = self._written.where_key(*at, "offered", action)
            self._resolver.rule(rule, key)
            for verb in verbs:
                self._resolver.verb(verb, key)
            self._offer(offer, (*at, "offered", action))
        for index, id in enumerate(expect.choices or ()):
            self._resolver.choice(id, self._written.where(*at, "choices", index))
        for index, entry in enumerate(expect.refused):
            loc = (*at, "refused", index)
            if isinstance(entry, str):
                self._resolver.move(self._board, entry, loc)
                continue
            self._resolver.move(self._board, entry.move, (*loc, "move"))
            if entry.because:
                self._resolver.rule(entry.because, self._written.where(*loc, "because"))

    def _offer(self, offer: str | tuple[str, ...] | models.PartialOfferModel, at: Loc) -> None:
        if isinstance(offer, tuple):
            self._hexes(offer, at)
        elif not isinstance(offer, str):
            self._hexes(offer.includes, (*at, "includes"))
            self._hexes(offer.excludes, (*at, "excludes"))

    def _components(self, expect: models.ExpectedStateModel, at: Loc) -> None:
        for letter, tiles in expect.tiles.items():
            for index, entry in enumerate(tiles):
                self._tile(entry, (*at, "tiles", letter, index))
        self._hex_keys(expect.left, (*at, "left"))
        for letter, values in expect.numbers.items():
            for id in values:
                self._resolver.number(id, self._written.where_key(*at, "numbers", letter, id))
        for letter, counts in expect.supply.items():
            self._piece_keys(counts, (*at, "supply", letter))
        for letter, lists in expect.pieces.items():
            self._piece_keys(lists, (*at, "pieces", letter))
            for id, hexes in lists.items():
                self._hexes(hexes, (*at, "pieces", letter, id))
        for letter, cards in expect.hand.items():
            self._resolver.cards(cards, *at, "hand", letter)
        self._resolver.cards(expect.shown or (), *at, "shown")
        self._card_keys(expect.deck, (*at, "deck"))
        self._card_keys(expect.discards, (*at, "discards"))
        self._resolver.scoring_cards(expect.beside or (), *at, "beside")
        self._resolver.scoring_cards(expect.retired or (), *at, "retired")
        for letter, memory in expect.memory.items():
            scope = TABLE if letter == TABLE else "player"
            self._memory(scope, memory, (*at, "memory", letter))

    # lists and keys

    def _hexes(self, hexes: Sequence[str], at: Loc) -> None:
        if self._board is not None:
            self._resolver.hexes(self._board, hexes, *at)

    def _hex_keys(self, hexes: Mapping[str, object], at: Loc) -> None:
        for name in hexes if self._board is not None else ():
            assert self._board is not None
            self._resolver.hex(self._board, name, self._written.where_key(*at, name))

    def _piece_keys(self, ids: Mapping[str, object], at: Loc) -> None:
        for id in ids:
            self._resolver.piece(id, self._written.where_key(*at, id))

    def _card_keys(self, cards: Mapping[str, object], at: Loc) -> None:
        for name in cards:
            self._resolver.card(name, self._written.where_key(*at, name))

    def _memory(self, scope: str, values: Memory, at: Loc) -> None:
        for id, value in values.items():
            self._resolver.memory(id, scope, self._written.where_key(*at, id))
            if not isinstance(value, int):
                self._hexes(value, (*at, id))
