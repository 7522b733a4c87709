"""A move explained clause by clause, and the smallest change that makes it legal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from time import monotonic

from kbrules.engine.derivation import (
    Cause,
    MoveDerivation,
    StepDerivation,
    Verdict,
    derive,
    text_of_absent_card,
)
from kbrules.engine.game import Game
from kbrules.game.events import give, put_pieces, set_tiles, take_pieces
from kbrules.game.moves import Move
from kbrules.game.state import READY, Draft, State, Tile, draft_of
from kbrules.game.view import is_open, terrain_played, terrains
from kbrules.hex.sets import bits
from kbrules.lang.typed import Expr
from kbrules.tools.reports.data import Part
from kbrules.tools.why import evaluation as evaluations
from kbrules.tools.why.questions import player_text

# A derivation with its clauses: each part of a sentence that decides, and its value.

_APPLIED = (Cause.PERMIT, Cause.FORBID, Cause.WAIVE, Cause.PREFER, Cause.DENY)
"""The kinds of norms in the order in which they are applied."""
_NOT_IN_FORCE = (Cause.CARD, Cause.TILE, Cause.GUARD)
_WANTED = {"permit": True, "prefer": True, "forbid": False, "deny": False}
"""Whether a hex would have to be in the set of a norm that is against it."""


@dataclass(frozen=True, slots=True)
class ExplainedNorm:
    """A verdict about a norm, with its clauses; `note` says more in words."""

    verdict: Verdict
    guard: evaluations.EvaluatedClause | None
    target: evaluations.EvaluatedClause | None
    note: str

    @property
    def applies(self) -> bool:
        """Whether its card, tile and condition let it apply."""
        return self.verdict.idle not in _NOT_IN_FORCE


@dataclass(frozen=True, slots=True)
class ExplainedMove:
    """A derivation with the clauses of its step: the own set, norms, and what else is in the way.

    `own_set` is None where the step leaves it to the norms which hexes are open.
    """

    derivation: MoveDerivation
    own_set: evaluations.EvaluatedClause | None = None
    norms: tuple[ExplainedNorm, ...] = ()
    obstacles: tuple[str, ...] = ()

    @property
    def is_allowed(self) -> bool:
        """Whether no clause is against the hex."""
        is_outside = self.own_set is not None and self.own_set.is_wrong
        is_refused = any(norm.verdict.speaks == "against" for norm in self.norms)
        return not (is_outside or is_refused or self.obstacles)


def explain_move(game: Game, state: State, move: Move) -> ExplainedMove:
    """Return why a move is legal or not, clause by clause."""
    derivation = derive(game, state, move)
    step = derivation.step
    if step is None:
        return ExplainedMove(derivation)
    explained = _at_hex(derivation, step) if step.is_about_hex else ExplainedMove(derivation)
    if derivation.legal or not explained.is_allowed:
        return explained
    # Nothing is wrong with the hex: the rule does not come to the step.
    unmet = tuple(verdict.text for verdict in step.unmet)
    return ExplainedMove(derivation, explained.own_set, explained.norms, unmet)


def _at_hex(derivation: MoveDerivation, step: StepDerivation) -> ExplainedMove:
    evaluation = evaluations.Evaluation(step.game.plan, step.hex)
    own = step.own_set
    own_set = None if own is None else evaluations.clause_of(own, step.view, evaluation, True)
    norms = sorted(step.norms(), key=lambda norm: _APPLIED.index(norm.cause))
    explained = tuple(_norm(step, verdict, evaluation) for verdict in norms)
    obstacles = (_obstacle_text(step, verdict) for verdict in step.in_the_way())
    return ExplainedMove(derivation, own_set, explained, tuple(dict.fromkeys(obstacles)))


def _norm(
    step: StepDerivation, verdict: Verdict, evaluation: evaluations.Evaluation
) -> ExplainedNorm:
    assert verdict.clause is not None

    def clause(expr: Expr | None, wanted: bool | None = None) -> evaluations.EvaluatedClause | None:
        return None if expr is None else evaluations.clause_of(expr, step.view, evaluation, wanted)

    norm = verdict.clause.norm
    wanted = _WANTED[norm.kind] if verdict.speaks == "against" else None
    note = _note(step, verdict)
    return ExplainedNorm(verdict, clause(norm.guard), clause(norm.target, wanted), note)


def _note(step: StepDerivation, verdict: Verdict) -> str:
    """Return what to say of a norm besides its clauses."""
    assert verdict.clause is not None
    match verdict.idle:
        case Cause.CARD:
            absent = text_of_absent_card(step.view.state, verdict.clause.card)
            return f"it does not apply: {absent}"
        case Cause.GUARD:
            return "it does not apply: its condition does not hold"
        case Cause.TILE:
            return "it does not apply: the player holds no such tile"
        case Cause.WAIVE:
            return "set aside here"
        case Cause.PREFER:
            return "no open hex is preferred, so it narrows nothing"
    if verdict.cause is Cause.PREFER:
        return _preference_note(step, verdict)
    if verdict.cause is Cause.WAIVE:
        return "sets preferences aside"
    refused = {Cause.FORBID: "forbidden", Cause.DENY: "not allowed"}
    return refused.get(verdict.cause, "") if verdict.speaks == "against" else ""


def _preference_note(step: StepDerivation, verdict: Verdict) -> str:
    assert verdict.clause is not None
    open_, preferred = verdict.before, verdict.after
    note = f"of {open_.bit_count()} open hexes {preferred.bit_count()} preferred"
    is_in = verdict.clause.hexes_in(step.view) >> step.hex & 1
    return note if is_in else f"{note}: {evaluations.short_list(step.view.board, preferred)}"


def _obstacle_text(step: StepDerivation, verdict: Verdict) -> str:
    """Return what is in the way, said of the hex by its name."""
    name = step.view.board.grid.name(step.hex)
    match verdict.cause:
        case Cause.PIECE:
            return f"there is no piece on {name}"
        case Cause.KIND:
            return f"the piece on {name} is of another kind than the step moves"
        case Cause.NOWHERE:
            start = f"lifted from {name} it" if step.linked.word.lifts else f"the piece on {name}"
            return f"{start} would have nowhere to go{_target_text(step)}"
        case Cause.WAY:
            return "each way there crosses a hex on which `cross` is forbidden"
    return verdict.text


def _target_text(step: StepDerivation) -> str:
    """Return where the step would put a lifted piece, were no norm against it."""
    linked = step.linked
    target = linked.argument_exprs.get(linked.word.asks[-1].phrase)
    if target is None:
        return ""
    view = step.game.choices.choice_view(linked, step.view, (step.hex,))
    clause = evaluations.clause_of(target, view, evaluations.Evaluation(step.game.plan))
    rest = ", and the rules leave none of them" if clause.value else ""
    return f": `{clause.text}` is {evaluations.value_text(clause)}{rest}"


# Small changes of a position: another card, a tile, pieces added, taken away or moved.
#
# They are made on a draft of the position; whether one may be made in play does not matter.


_MAX_MOVED = 4  # pieces of one's own that are moved

Edit = Callable[[Draft], None]


@dataclass(frozen=True, slots=True)
class PositionChange:
    """One change in words, how far from the hex it is, and how it is carried out.

    `kind` is what is changed: of several that help, one of each kind is named.
    """

    kind: str
    text: str
    distance: int
    edit: Edit


def changes_about(game: Game, state: State, move: Move) -> list[PositionChange]:
    """All changes that may matter to a move of whoever decides, the nearest to its hex first."""
    return sorted(_ChangeFinder(game, state, move).all(), key=lambda change: change.distance)


class _ChangeFinder:
    def __init__(self, game: Game, state: State, move: Move) -> None:
        self._game, self._state, self._move = game, state, move
        self._me = game.legal_moves(state).player
        grid = game.board.grid
        hexes = bits(grid.full) if move.hex >= 0 else ()
        distances = ((hex, grid.distance(move.hex, hex)) for hex in hexes)
        self._distances = {hex: distance for hex, distance in distances if distance is not None}

    def all(self) -> Iterator[PositionChange]:
        """Every change, in no order."""
        yield from self._cards()
        yield from self._tiles()
        yield from self._supplies()
        yield from self._actions()
        if self._move.hex >= 0:
            yield from self._pieces()

    def _cards(self) -> Iterator[PositionChange]:
        """Another card face up for each terrain, and the terrains to choose from."""
        board, state = self._game.board, self._state
        played = terrain_played(state, board)
        shown = set()
        for terrain in terrains(state, board) if is_open(state, board) else ():
            shown.add(terrain)
            text = f"choose {board.catalog.hexes[terrain].id}"
            yield PositionChange("card", text, 0, partial(_show_card, state.shown, terrain))
        cards = enumerate(board.terrains_of_card)
        for card, of_card in sorted(cards, key=lambda each: len(each[1])):
            for terrain in of_card:
                if terrain in shown or terrain == played:
                    continue
                shown.add(terrain)
                text = f"show the card {board.catalog.card_name(card)} instead"
                if len(of_card) > 1:
                    text += f" and choose {board.catalog.hexes[terrain].id}"
                yield PositionChange("card", text, 0, partial(_show_card, (card,), terrain))

    def _tiles(self) -> Iterator[PositionChange]:
        """The tile that the move is made by, and tiles that only change what is allowed."""
        board, me = self._game.board, self._me
        tiles = self._state.seats[me].tiles
        offers = self._game.plan.offers.values()
        used_tiles = {o.owner.tile for o in offers if o.owner.rule.id == self._move.rule}
        norm_tiles = {o.tile for o in self._game.ruleset.owners.values() if o.rule.norms}
        for kind in sorted((used_tiles | norm_tiles) - {-1}):
            id = board.catalog.tiles[kind].id
            held = [tile for tile in tiles if tile.kind == kind]
            ready = any(tile.status == READY for tile in held)
            if not held:
                places = [hex for hex, tile in board.tiles.items() if tile == kind]
                tile = Tile(kind, places[0] if places else board.grid.full.bit_length(), READY)
                text = f"give {player_text(me)} the tile {id}"
                yield PositionChange("tile", text, 2, partial(_give_tile, me, tile))
            elif not ready:
                edit = partial(_make_ready, me, kind)
                yield PositionChange("tile", f"make the tile {id} ready", 0, edit)

    def _supplies(self) -> Iterator[PositionChange]:
        """A piece more where there is none left."""
        for piece, left in enumerate(self._state.seats[self._me].supply):
            kind = self._game.board.catalog.pieces[piece]
            if not left and not kind.neutral:
                text = f"put a {kind.title.lower()} back into the supply of {player_text(self._me)}"
                edit = partial(give, player=self._me, piece=piece, count=1)
                yield PositionChange("supply", text, 0, edit)

    def _actions(self) -> Iterator[PositionChange]:
        for path in self._state.used:
            offer = self._game.plan.offers.get(path)
            if offer is not None and offer.owner.rule.id == self._move.rule:
                text = f"let {offer.owner.rule.id} be still to be done in this turn"
                yield PositionChange("action", text, 0, partial(_mark_unused, path))

    def _pieces(self) -> Iterator[PositionChange]:
        """Pieces taken away, added, or moved from elsewhere."""
        yield from self._removals()
        yield from self._additions(self._me, self._distances)
        close = [hex for hex, distance in self._distances.items() if distance <= 1]
        for player in range(self._game.players):
            if player != self._me:
                yield from self._additions(player, close)
        yield from self._moves(close)

    def _removals(self) -> Iterator[PositionChange]:
        board = self._game.board
        chosen = {hex for frame in self._state.stack for hex in frame.chosen}
        for player, piece, hex in self._pieces_on_board():
            is_single = board.catalog.pieces[piece].size == 1
            if hex in self._distances and hex not in chosen and is_single:
                text = f"remove {self._piece_text(player, piece)} from {board.grid.name(hex)}"
                edit = partial(_remove_piece, player, piece, hex)
                yield PositionChange("remove", text, self._distances[hex], edit)

    def _additions(self, player: int, hexes: Iterable[int]) -> Iterator[PositionChange]:
        main = self._main_piece()
        for hex in hexes if main >= 0 else ():
            if not self._state.occupied >> hex & 1:
                where = self._game.board.grid.name(hex)
                text = f"add {self._piece_text(player, main)} on {where}"
                kind = "add" if player == self._me else "add another's"
                edit = partial(_add_piece, player, main, hex)
                yield PositionChange(kind, text, self._distances[hex], edit)

    def _moves(self, hexes: Iterable[int]) -> Iterator[PositionChange]:
        """The player's own pieces nearest to the hex, moved beside it."""
        grid, main = self._game.board.grid, self._main_piece()
        pieces = [(p, hex) for player, p, hex in self._pieces_on_board() if player == self._me]
        free_hexes = [hex for hex in hexes if not self._state.occupied >> hex & 1]
        movable = (pair for pair in pieces if pair[0] == main and pair[1] in self._distances)
        for piece, old in sorted(movable, key=lambda pair: self._distances[pair[1]])[:_MAX_MOVED]:
            for new in free_hexes:
                piece_text = self._piece_text(self._me, piece)
                text = f"move {piece_text} from {grid.name(old)} to {grid.name(new)}"
                edit = partial(_move_piece, self._me, piece, old, new)
                yield PositionChange("move", text, max(1, self._distances[new]), edit)

    def _piece_text(self, player: int, piece: int) -> str:
        owner = player_text(player) if player >= 0 else "nobody"
        return f"a {self._game.board.catalog.pieces[piece].title.lower()} of {owner}"

    def _main_piece(self) -> int:
        """The kind of piece that the player has most of."""
        seat, kinds = self._state.seats[self._me], self._game.board.catalog.pieces
        counts = {
            piece: seat.supply[piece] + seat.pieces[piece].bit_count()
            for piece, kind in enumerate(kinds)
            if not kind.neutral and kind.size == 1
        }
        return max(counts, key=lambda piece: counts[piece], default=-1)

    def _pieces_on_board(self) -> Iterator[tuple[int, int, int]]:
        for player, seat in enumerate(self._state.seats):
            for piece, mask in enumerate(seat.pieces):
                yield from ((player, piece, hex) for hex in bits(mask))
        for piece, mask in enumerate(self._state.neutral):
            yield from ((-1, piece, hex) for hex in bits(mask))


def _show_card(cards: tuple[int, ...], terrain: int, draft: Draft) -> None:
    draft.shown, draft.choice = cards, terrain


def _give_tile(player: int, tile: Tile, draft: Draft) -> None:
    set_tiles(draft, player, (*draft.seats[player].tiles, tile))


def _make_ready(player: int, kind: int, draft: Draft) -> None:
    tiles = (t._replace(status=READY) if t.kind == kind else t for t in draft.seats[player].tiles)
    set_tiles(draft, player, tuple(tiles))


def _mark_unused(path: str, draft: Draft) -> None:
    draft.used = tuple(other for other in draft.used if other != path)


def _remove_piece(player: int, piece: int, hex: int, draft: Draft) -> None:
    take_pieces(draft, player, piece, 1 << hex)
    give(draft, player, piece, 1)


def _add_piece(player: int, piece: int, hex: int, draft: Draft) -> None:
    put_pieces(draft, player, piece, 1 << hex, 1 if draft.seats[player].supply[piece] else 0)


def _move_piece(player: int, piece: int, old: int, new: int, draft: Draft) -> None:
    take_pieces(draft, player, piece, 1 << old)
    put_pieces(draft, player, piece, 1 << new, 0)


# The smallest change of a position that makes a move legal, found by trying.
#
# Changes are tried one at a time, those near the hex first, then several together; each one
# named was made on a copy of the position, and the engine judged it.


SECONDS = 2.0
MAX_TRIALS = 6_000
MAX_SHOWN = 3
_MAX_DISTANCE = 3  # how far from the hex the second of two changes may be
_PER_REASONS = 2  # sets of changes that leave the same reasons ...
_MAX_PREFIXES = 10  # ... and go on at all, before one more is tried with each
_PER_PREFIX = 2  # of those that begin alike this many are named

MAX_CHANGES = 3
"""How many changes are tried together."""

Changes = tuple[PositionChange, ...]


class ChangesData(Part):
    """The search for the smallest change that makes a move legal."""

    found: tuple[tuple[str, ...], ...]
    """Changes that do, each of one part or more."""
    size: int
    """Parts of the changes that were tried last."""
    tried: int
    all: bool
    """Whether all changes of this size were tried."""


class _BudgetSpent(Exception):
    """The time or the number of trials is used up."""


def smallest_change(game: Game, state: State, move: Move) -> ChangesData:
    """The smallest changes of a position that make a move legal, at most three of one size."""
    return _ChangeSearch(game, state, move).search()


class _ChangeSearch:
    def __init__(self, game: Game, state: State, move: Move) -> None:
        self._game, self._state, self._move = game, state, move
        self._me = game.legal_moves(state).player
        self._until = monotonic() + SECONDS
        self._tried = 0
        self._initial_reasons = self._reasons(state)

    def search(self) -> ChangesData:
        if self._me < 0 or self._move.verb == "draw":
            return ChangesData(found=(), size=0, tried=0, all=True)
        size = 1
        try:
            changes = changes_about(self._game, self._state, self._move)
            found = self._single_changes(changes)
            nearby = [change for change in changes if change.distance <= _MAX_DISTANCE]
            prefixes = [] if found else self._promising([()], changes)
            while not found and size < MAX_CHANGES and prefixes:
                size += 1
                found = self._extensions(prefixes, nearby)
                prefixes = [] if found or size == MAX_CHANGES else self._promising(prefixes, nearby)
        except _BudgetSpent:
            return ChangesData(found=(), size=size - 1, tried=self._tried, all=False)
        texts = tuple(tuple(change.text for change in each) for each in found)
        return ChangesData(found=texts, size=size, tried=self._tried, all=size == 1)

    def _single_changes(self, changes: list[PositionChange]) -> list[Changes]:
        found: dict[str, Changes] = {}
        try:
            for change in changes:
                if change.kind not in found and self._makes_legal((change,)):
                    found[change.kind] = (change,)
                if len(found) == MAX_SHOWN:
                    break
        except _BudgetSpent:
            if not found:
                raise
        return list(found.values())

    def _extensions(self, prefixes: list[Changes], nearby: list[PositionChange]) -> list[Changes]:
        """One change more after others that leave less against the move; a few of each."""
        found: dict[frozenset[PositionChange], Changes] = {}
        try:
            for prefix in prefixes:
                more = ((*prefix, change) for change in nearby if change not in prefix)
                for changes in islice(filter(self._makes_legal, more), _PER_PREFIX):
                    found.setdefault(frozenset(changes), changes)
                if len(found) >= MAX_SHOWN:
                    break
        except _BudgetSpent:
            if not found:
                raise
        return list(found.values())[:MAX_SHOWN]

    def _promising(self, prefixes: list[Changes], changes: list[PositionChange]) -> list[Changes]:
        """Changes that leave other reasons against the move, those that leave few first."""
        by_reasons: dict[frozenset[str], dict[frozenset[PositionChange], Changes]] = {}
        for prefix in prefixes:
            for change in changes:
                if change in prefix:
                    continue
                after = self._state_after((*prefix, change))
                reasons = self._initial_reasons if after is None else self._reasons(after)
                same_reasons = by_reasons.setdefault(reasons, {})
                if reasons != self._initial_reasons and len(same_reasons) < _PER_REASONS:
                    same_reasons.setdefault(frozenset((*prefix, change)), (*prefix, change))
        found = [
            each for reasons in sorted(by_reasons, key=len) for each in by_reasons[reasons].values()
        ]
        return found[:_MAX_PREFIXES]

    def _reasons(self, state: State) -> frozenset[str]:
        reasons = self._game.explain(state, self._move).reasons
        return frozenset(f"{each.rule} {each.text}" for each in reasons)

    # trying

    def _makes_legal(self, changes: Changes) -> bool:
        state_after = self._state_after(changes)
        return state_after is not None and self._move in self._game.legal_moves(state_after)

    def _state_after(self, changes: Changes) -> State | None:
        """The position with some changes, if the same player is to decide there."""
        self._tried += 1
        if self._tried > MAX_TRIALS or monotonic() > self._until:
            raise _BudgetSpent
        draft = draft_of(self._state)
        for change in changes:
            change.edit(draft)
        state_after = self._game.run_to_decision(draft)
        return state_after if self._game.legal_moves(state_after).player == self._me else None
