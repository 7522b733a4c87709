"""The position of a scenario, built on a draft and brought to its first decision."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kbrules.diagnostics import Diagnostic, RulesError, quoted
from kbrules.engine.game import Game
from kbrules.game.board import NONE
from kbrules.game.events import Built, put_pieces, set_seat, set_tiles, with_item
from kbrules.game.moves import Move, read_full_move
from kbrules.game.state import Draft, Frame, State, Tile, place_in_round
from kbrules.hex.sets import Mask, bits, lowest, mask_of
from kbrules.lang.typed import Block, If, Repeat, Rule, Step
from kbrules.library.boards.positions import Pieces
from kbrules.library.box import known_boxes, shipped_boxes, unusable
from kbrules.library.position import Hexes, Memories, PlayerSeat, Position
from kbrules.library.ruleset import TURN, Ruleset
from kbrules.library.store import Files
from kbrules.library.yaml import Loc
from kbrules.plan.plan import MAX_FIRINGS, reaction_question
from kbrules.primitives.vocabulary import step_words
from kbrules.scenario import setup as setups
from kbrules.scenario.consistency import LocatedDraft, inconsistencies
from kbrules.scenario.reader import (
    BOARD_HELP,
    NOBODY,
    PLAYERS,
    TABLE,
    UNWRITTEN,
    NameResolver,
    Scenario,
    Written,
    check_names,
    parse_position_text,
    unknown_name,
)
from kbrules.text import Source, Span

if TYPE_CHECKING:
    from kbrules.scenario.models import ScenarioModel

# Edits of a draft: pieces, tiles, cards and memories, and the stage of the turn.
#
# Nothing here checks whether play can reach the position.

STAGES = ("setup", "start", "actions", "finish")
"""The stages of a game: before set-up, before a turn, in it, or after the last round."""
_BEFORE_SETUP = "before setup"
_ONE_TURN = "turn"  # the scope of a memory that lasts for a turn


def place_pieces(draft: Draft, player: int, piece: int, hexes: Mask, size: int) -> None:
    """Put pieces on hexes, `size` of which make one, from the supply as far as it goes.

    Player -1 is nobody.
    """
    left = draft.seats[player].supply[piece] if player >= 0 else 0
    count = -(-hexes.bit_count() // size)
    put_pieces(draft, player, piece, hexes, max(0, min(left, count)))


def add_tile(draft: Draft, player: int, tile: Tile) -> None:
    """Give a player a tile, wherever it comes from."""
    set_tiles(draft, player, (*draft.seats[player].tiles, tile))


# Memories


def derive_memories(game: Game, draft: Draft) -> None:
    """Set the memories as if each piece on the board had just been built, the others there.

    No other effect of the rules takes place.
    """
    scopes = {slot: scope for scope, slot in game.ruleset.memories.values() if scope != _ONE_TURN}
    if not scopes:
        return
    derived = game.after_events(draft, _built(draft))
    draft.memory = _merged(scopes, "table", derived.memory, draft.memory)
    for player, seat in enumerate(draft.seats):
        memory = _merged(scopes, "player", derived.seats[player].memory, seat.memory)
        if memory != seat.memory:
            set_seat(draft, player, seat._replace(memory=memory))


def _built(draft: Draft) -> Iterator[Built]:
    for player, seat in enumerate(draft.seats):
        for piece, hexes in enumerate(seat.pieces):
            yield from (Built(player, piece, hex) for hex in bits(hexes))


def _merged(
    scopes: dict[int, str], scope: str, new: tuple[int, ...], old: tuple[int, ...]
) -> tuple[int, ...]:
    """The new values of the slots of a scope, the old ones of all others."""
    pairs = enumerate(zip(new, old, strict=True))
    return tuple(
        new_value if scopes.get(slot) == scope else old_value
        for slot, (new_value, old_value) in pairs
    )


# The turn


def has_actions(ruleset: Ruleset) -> bool:
    """Whether the turn has a step in which the player uses actions."""
    return bool(_action_frames(ruleset, 0))


def enter_stage(draft: Draft, ruleset: Ruleset, stage: str, player: int, round: int = 1) -> None:
    """Set one of `STAGES`, with a player to move who has done nothing in the turn yet."""
    draft.active = player
    if stage in ("setup", "finish"):
        draft.stage, draft.stack = (stage, 0), ()
        return
    players, passes = len(draft.seats), ruleset.parts.start_passes
    first = (round - 1) * players
    draft.stage = ("turn", first + place_in_round(player, first, players, passes))
    if stage == "actions":
        draft.stack = _action_frames(ruleset, player)
    else:
        draft.stack = tuple(reversed([_frame(block, player) for block in _turn_blocks(ruleset)]))


def queue_reactions(draft: Draft, game: Game, rule: Rule, player: int) -> None:
    """Start another player's turn with the reactions of a rule that `player` may choose now."""
    others = [other for other in range(len(draft.seats)) if other != player]
    enter_stage(draft, game.ruleset, "actions", others[0])
    env = {"here": 0, "origin": 0, "actor": others[0], "strayed": False}
    paths = [reaction_question(t.body.path) for t in rule.triggers if t.offered]
    draft.stack = (*draft.stack, *(Frame(path, 0, player, env) for path in reversed(paths)))


def _turn_blocks(ruleset: Ruleset) -> list[Block]:
    return [phase.body for phase, _ in ruleset.phases("turn")]


def _frame(block: Block, player: int) -> Frame:
    return Frame(block.path, 0, player, {})


def _action_frames(ruleset: Ruleset, player: int) -> tuple[Frame, ...]:
    """The frames of a turn in which actions are offered; none if no turn offers any."""
    blocks = _turn_blocks(ruleset)
    for number, block in enumerate(blocks):
        frames = _frames_in(block, player)
        if frames:
            later = [_frame(other, player) for other in blocks[number + 1 :]]
            return (*reversed(later), *frames)
    return ()


def _frames_in(block: Block, player: int) -> tuple[Frame, ...]:
    for at, statement in enumerate(block.steps):
        if isinstance(statement, Step) and step_words()[statement.name].is_offers:
            return (Frame(block.path, at, player, {}),)
        inner = [statement.body] if isinstance(statement, If | Repeat) else []  # the last round
        if isinstance(statement, If) and statement.other is not None:
            inner.append(statement.other)
        for frames in filter(None, (_frames_in(each, player) for each in inner)):
            return (Frame(block.path, at + 1, player, {}), *frames)
    return ()


# The cards and the turn of a position: piles, player, stage, rules done.


def set_turn(resolver: NameResolver, game: Game, draft: Draft) -> None:
    """Set the piles of cards, the player, the stage of the turn and the rules done in it."""
    turn = resolver.position.turn
    draft.shown = resolver.cards(turn.played)
    draft.aside = resolver.cards(turn.aside)
    kinds = [kind.id for kind in game.ruleset.catalog.hexes]
    if turn.choice in kinds:
        draft.choice = kinds.index(turn.choice)
    if turn.revealed:
        draft.revealed = resolver.card(turn.revealed)
    _piles(resolver, game, draft)
    draft.ending = turn.last_round
    player = resolver.player(turn.player, resolver.written.where("turn", "player"))
    stage = turn.stage or ("actions" if has_actions(game.ruleset) else "start")
    if stage == "actions" and not has_actions(game.ruleset):
        span = resolver.written.span("turn", "stage")
        resolver.report("KB504", span, "no turn of this game has actions")
        return
    enter_stage(draft, game.ruleset, stage, max(0, player), turn.round)
    done = enumerate(turn.done)
    draft.used = tuple(path for i, id in done for path in _paths_done(resolver, game, i, id))
    rules = {rule.id: rule for rule in game.ruleset.rules}
    if turn.reacting:
        queue_reactions(draft, game, rules[turn.reacting], player)
    if turn.preparing:
        phases = [each.body for each in rules[turn.preparing].phases if each.name == _BEFORE_SETUP]
        draft.stack = (*draft.stack, *(_frame(block, 0) for block in reversed(phases)))


def _piles(resolver: NameResolver, game: Game, draft: Draft) -> None:
    """Set the piles: cards not named are in the deck, or removed if the deck is given."""
    position = resolver.position
    totals = [card.count for card in game.ruleset.catalog.deck]
    discards = _pile(resolver, "discards", position.discards, len(totals))
    drawn = [*draft.shown, *draft.aside, *(card for seat in draft.seats for card in seat.hand)]
    undrawn = [totals[card] - drawn.count(card) - discards[card] for card in range(len(totals))]
    if position.deck is None:
        deck, removed = undrawn, [0] * len(totals)
    else:
        deck = _pile(resolver, "deck", position.deck, len(totals))
        removed = [undrawn[card] - deck[card] for card in range(len(totals))]
    draft.piles = (_not_negative(deck), tuple(discards), _not_negative(removed))


def _not_negative(counts: list[int]) -> tuple[int, ...]:
    return tuple(max(0, count) for count in counts)


def _pile(resolver: NameResolver, pile: str, counts: Mapping[str, int], kinds: int) -> list[int]:
    counts_by_card: dict[int, int] = {}
    for name, count in counts.items():
        card = resolver.card(name)
        if card >= 0 and card in counts_by_card:
            key = resolver.written.key("position", pile, name)
            resolver.report("KB504", key, f"{quoted(name)} is a card that is counted here already")
        counts_by_card[card] = count
    return [counts_by_card.get(card, 0) for card in range(kinds)]


def _paths_done(resolver: NameResolver, game: Game, index: int, id: str) -> list[str]:
    """Return the paths of the actions of a rule that was done; a tile has a status instead."""
    if id != TURN and not any(rule.id == id for rule in game.ruleset.rules):
        return []
    offers = [offer for offer in game.plan.offers.values() if offer.owner.rule.id == id]
    span = resolver.written.span("turn", "done", index)
    if not offers:
        resolver.report("KB504", span, f"{quoted(id)} has no action")
    elif all(offer.owner.tile >= 0 for offer in offers):
        help = "say `status: used` of the tile that is held"
        resolver.report("KB504", span, f"{quoted(id)} is done with a tile", help)
    return [offer.path for offer in offers if offer.owner.tile < 0]


# A position laid on the draft of its game.


def build_position(resolver: NameResolver, game: Game, pieces: Pieces) -> State | None:
    """Return the state of a position, with pieces that are drawn; None if anything is wrong.

    Consistency is checked only where nothing else is wrong: the cause may be the same.
    """
    position = resolver.position
    located = _PositionBuilder(resolver, game, pieces).build()
    if not resolver.findings and position.checked:
        resolver.add(*inconsistencies(resolver, game, located))
    if resolver.findings:
        return None
    if position.quiet:
        located.draft.firings = MAX_FIRINGS + 1
    return game.run_to_decision(located.draft, position.turn.stage == "start")


class _PositionBuilder:
    def __init__(self, resolver: NameResolver, game: Game, pieces: Pieces) -> None:
        self._resolver = resolver
        self._position = resolver.position
        self._written = resolver.written
        self._game = game
        self._board = game.board
        self._drawn_pieces = pieces
        self._located = LocatedDraft(game.empty())
        self._draft = self._located.draft

    def build(self) -> LocatedDraft:
        """Set everything, pieces first: the rest may depend on them."""
        position = self._position
        seats = dict(self._seats())
        self._place_drawn()
        self._place_listed(-1, position.nobody, NOBODY)
        for player, seat in seats.items():
            self._place_listed(player, seat.pieces, PLAYERS[player])
        for player, seat in seats.items():
            self._add_tiles(player, seat)
        if position.remembers:
            derive_memories(self._game, self._draft)
        for player, seat in seats.items():
            self._set_seat(player, seat)
        self._set_stock(position.left)
        if position.beside is not None:
            self._draft.beside = self._resolver.scoring_cards(position.beside)
        self._draft.retired = self._resolver.scoring_cards(position.retired)
        self._draft.beside &= ~self._draft.retired
        for slot, value in self._memory(TABLE, position.memory):
            self._draft.memory = with_item(self._draft.memory, slot, value)
        set_turn(self._resolver, self._game, self._draft)
        return self._located

    def _seats(self) -> Iterator[tuple[int, PlayerSeat]]:
        for letter, seat in self._position.seats.items():
            player = self._resolver.player(letter, self._written.where_key("position", letter))
            if player >= 0:
                yield player, seat

    # pieces

    def _place_drawn(self) -> None:
        for (owner, piece), hexes in self._drawn_pieces.items():
            if owner < self._resolver.players:
                place_pieces(self._draft, owner, piece, hexes, self._size(piece))
            else:
                self._resolver.player(PLAYERS[owner], self._written.where_key("board", "drawing"))

    def _place_listed(self, player: int, pieces: Mapping[str, Hexes], letter: str) -> None:
        for id, hexes in pieces.items():
            loc = "position", letter, "pieces", id
            piece = self._resolver.piece(id)
            if piece < 0 or not self._may_own(player, piece, loc):
                continue
            for index, name in enumerate(hexes):
                self._place(player, piece, name, (*loc, index))

    def _may_own(self, player: int, piece: int, loc: Loc) -> bool:
        kind = self._board.catalog.pieces[piece]
        if kind.neutral == (player < 0):
            return True
        owner = NOBODY if kind.neutral else "a player"
        message = f"the piece {quoted(kind.id)} belongs to {owner}"
        self._resolver.report("KB504", self._written.key(*loc), message)
        return False

    def _place(self, player: int, piece: int, name: str, loc: Loc) -> None:
        hex = self._hex(name)
        if hex < 0:
            return
        hexes = self._board.covered(piece, 1 << hex)
        if hexes.bit_count() != self._size(piece):
            message = f"a piece around {name} would reach beyond the board"
            self._resolver.report("KB504", self._written.span(*loc), message)
            return
        if crowded := self._draft.occupied & hexes:
            self._located.crowded.append((lowest(crowded), loc))
        self._located.pieces.update(dict.fromkeys(bits(hexes), loc))
        is_there = player >= 0 and self._draft.seats[player].pieces[piece] & hexes
        if not is_there:  # the same piece twice on a hex would take two from the supply
            place_pieces(self._draft, player, piece, hexes, self._size(piece))

    def _size(self, piece: int) -> int:
        return self._board.catalog.pieces[piece].size

    # seats

    def _add_tiles(self, player: int, seat: PlayerSeat) -> None:
        for index, held in enumerate(seat.tiles):
            loc = "position", PLAYERS[player], "tiles", index
            kind = self._resolver.tile(held.tile)
            if kind < 0:
                continue
            if held.origin is not None:
                hex = self._hex(held.origin)
            else:
                hex = self._only_origin(player, kind, loc)
            self._located.tiles.append((player, kind, hex, loc))
            add_tile(self._draft, player, Tile(kind, hex, held.status))

    def _only_origin(self, player: int, kind: int, loc: Loc) -> int:
        """The only place a tile can come from; beyond the board if there is none.

        What never lies on the board comes from nowhere.
        """
        if not self._board.catalog.tiles[kind].place:
            return NONE
        origins = [hex for hex, tile in self._board.tiles.items() if tile == kind]
        neighbours = self._board.grid.neighbours(self._draft.seats[player].all)
        adjacent = [hex for hex in origins if neighbours >> hex & 1]
        if len(adjacent) == 1 or len(origins) == 1:
            return (adjacent if len(adjacent) == 1 else origins)[0]
        if origins:
            names = ", ".join(self._board.grid.name(hex) for hex in adjacent or origins)
            message = f"the tile may come from {names}"
            self._resolver.report("KB504", self._written.span(*loc), message, "say which by `from`")
        return self._board.grid.full.bit_length()

    def _set_seat(self, player: int, seat: PlayerSeat) -> None:
        old = self._draft.seats[player]
        supply, memory = list(old.supply), old.memory
        for id, count in seat.supply.items():
            if (piece := self._resolver.piece(id)) >= 0:
                supply[piece] = count
        for slot, value in self._memory("player", seat.memory):
            memory = with_item(memory, slot, value)
        hand = self._resolver.cards(seat.hand)
        new = old._replace(supply=tuple(supply), memory=memory, hand=hand, gold=seat.gold)
        set_seat(self._draft, player, new)

    def _memory(self, scope: str, values: Memories) -> Iterator[tuple[int, Mask]]:
        slots = self._resolver.memories(scope)
        for id, value in values.items():
            hexes = [] if isinstance(value, int) else [*map(self._hex, value)]
            if id in slots and -1 not in hexes:
                yield slots[id], value if isinstance(value, int) else mask_of(hexes)

    def _hex(self, name: str) -> int:
        return self._resolver.hex(self._board, name)

    # places

    def _set_stock(self, left: Mapping[str, int]) -> None:
        """Set the tiles left on each place: as given, or all that nobody holds."""
        counts = dict(self._tiles_not_held())
        for name, count in left.items():
            hex = self._hex(name)
            if hex >= 0 and hex not in counts:
                key = self._written.key("position", "left", name)
                self._resolver.report("KB504", key, f"{name} is no place with tiles")
            counts[hex] = count
        self._draft.stock = tuple(
            (self._board.tiles[hex],) * counts[hex] for hex in self._board.places
        )

    def _tiles_not_held(self) -> Iterator[tuple[int, int]]:
        origins = [hex for _, _, hex, _ in self._located.tiles]
        for hex, kind in self._board.tiles.items():
            yield hex, max(0, self._board.catalog.tiles[kind].each - origins.count(hex))


# A position laid out: its first state, or all that is wrong with its text.

FEWEST_PLAYERS = 2
_NAME = "position"  # of the text in findings


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """A position that was laid out: its game and its first state, the moves still to be made.

    marked: the hexes that its drawing marks.
    """

    resolver: NameResolver
    game: Game
    state: State
    marked: Mask

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the position, which are written in full."""
        words = self.game.ruleset.move_words
        moves = self.resolver.position.moves
        return tuple(read_full_move(text, self.game.board, words) for text in moves)


LaidAndFindings = tuple[Laid | None, list[Diagnostic]]


def fewest_players(ruleset: Ruleset, shown: Iterable[int] = ()) -> int:
    """Return how many play where nothing else says it: as few as can, with all that are shown."""
    fewest = max(ruleset.parts.players[0], FEWEST_PLAYERS)
    return max([fewest, *(player + 1 for player in shown)])


def build_start(scenario: Scenario, cache: setups.RulesetCache) -> LaidAndFindings:
    """Lay out a scenario; also return errors in it that are known without playing."""
    return lay(scenario.position, cache, scenario, scenario.model)


def lay(
    position: Position,
    cache: setups.RulesetCache,
    written: Written = UNWRITTEN,
    model: ScenarioModel | None = None,
) -> LaidAndFindings:
    """Lay a position on the table of a rule set, or return everything that is wrong with it.

    written: where its values are written, for the findings. model: that of its scenario, whose
    names are checked, too.
    """
    players = position.players or fewest_players(cache.ruleset)
    resolver = NameResolver(position, cache.ruleset, players, written)
    table = setups.set_up_game(resolver, cache)
    if written is not UNWRITTEN:  # what has no text was made of names that are known
        board = setups.fallback_board(resolver, cache) if table is None else table[0].board
        check_names(resolver, board, model)
    if table is None:
        return None, resolver.findings
    game, drawn = table
    state, marked = build_position(resolver, game, drawn.pieces), drawn.marks.get(setups.MARKED, 0)
    if state is not None and marked and model is not None:
        resolver.add(*_unused_marks(model, written))
    if state is None or resolver.findings:
        return None, resolver.findings
    return Laid(resolver, game, state, marked), []


def lay_on(game: Game, position: Position, pieces: Pieces) -> State:
    """Return the state of a position at the table of a game, with pieces drawn there.

    Raises RulesError with everything that is wrong with it.
    """
    resolver = NameResolver(position, game.ruleset, game.players)
    state = build_position(resolver, game, pieces)
    if state is None:
        raise RulesError(resolver.findings)
    return state


def _unused_marks(model: ScenarioModel, written: Written) -> Iterator[Diagnostic]:
    """Report hexes marked in a drawing of the scenario's own that no offer means."""
    expected = [model.expect, *(getattr(step, "expect", None) for step in model.steps)]
    expected += [getattr(each, "reachable", None) for each in expected]
    expected += [getattr(each, "unreachable", None) for each in expected]
    offers = [offer for each in expected if each is not None for offer in each.offered.values()]
    is_own = not written.root or "board" in written.own_keys
    if is_own and "marked" not in offers:
        message = f"hexes are marked {quoted(setups.MARKED)}, but no offer refers to them"
        help = "write `marked` for what a rule offers"
        yield Diagnostic("KB110", written.key("board", "drawing"), message, help)


def unknown_boxes(boxes: Sequence[str], written: Written = UNWRITTEN) -> list[Diagnostic]:
    """A finding for each box under `with` that does not exist."""
    if {*boxes} <= {*shipped_boxes()}:
        return []
    known = known_boxes()
    return [
        unusable(box) or unknown_name("box", box, known, written.span("with", index))
        for index, box in enumerate(boxes)
        if box not in known
    ]


# Positions from a program


def read_position(
    given: str | Mapping[str, Any], folders: Iterable[str | Path] = ()
) -> tuple[Game, State]:
    """Return the game and the state of a position, written as at the top of a scenario file.

    `given` has the keys `board` and, as far as they are needed, `with`, `players`, `options`,
    `cards`, `position`, `turn` and `unchecked`, as YAML text or as the same values. The rules are
    those of the boxes under `with` and of authors' folders, read again only where files have
    changed. Raises RulesError with every finding, by line and column (for values, of the values
    written as JSON).
    """
    source = Source(_NAME, given if isinstance(given, str) else _as_json(given))
    position, written, findings = parse_position_text(source)
    if position is None:
        raise RulesError(findings)
    folder_paths = tuple(Path(folder) for folder in folders)
    cache = cache_of(position, _files(), folder_paths, written)
    # others must not share its board
    laid = laid_or_error(position, setups.RulesetCache(cache.ruleset), written)
    return laid.game, laid.state


def cache_of(
    position: Position, files: Files, folders: setups.Folders = (), written: Written = UNWRITTEN
) -> setups.RulesetCache:
    """Return the cache for the rules of a position.

    Raises RulesError if it has no board, or if the rules have errors.
    """
    findings = unknown_boxes(position.boxes, written)
    if position.board is None:
        message = "this position lacks the key `board`"
        findings.append(Diagnostic("KB412", written.span(), message, BOARD_HELP))
    if findings:
        raise RulesError(findings)
    return setups.rules_of(files, position.boxes, folders)


def laid_or_error(
    position: Position, cache: setups.RulesetCache, written: Written = UNWRITTEN
) -> Laid:
    """A position that is laid out. RulesError with everything that is wrong with it."""
    laid, findings = lay(position, cache, written)
    if laid is None:
        raise RulesError(findings)
    return laid


def _as_json(values: object) -> str:
    """Return values as JSON, which is YAML too."""
    try:
        return json.dumps(
            _table(values), default=_table, indent=2, ensure_ascii=False, allow_nan=False
        )
    except (TypeError, ValueError, RecursionError) as error:  # no number, or values in a ring
        raise _error(f"the values cannot be written: {error}") from error


def _table(value: object) -> dict[Any, Any]:
    """Return any mapping as one that JSON can write; raise RulesError for other values."""
    if isinstance(value, Mapping):
        return dict(value)
    raise _error(f"a position has texts, numbers, lists and tables, not {quoted(repr(value))}")


def _error(message: str) -> RulesError:
    return RulesError([Diagnostic("KB403", Span.none(_NAME), message)])


@cache
def _files() -> Files:
    return Files()
