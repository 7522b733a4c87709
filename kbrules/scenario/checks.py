"""All checks of an expectation: of a state, and of the states reachable from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

from kbrules.diagnostics import Diagnostic, Label, quoted
from kbrules.engine import configuration, scoring
from kbrules.engine.game import Game
from kbrules.game.board import Board
from kbrules.game.events import Event, Gained
from kbrules.game.moves import (
    CHANCE,
    AmbiguousMove,
    InvalidMove,
    Move,
    MoveGroup,
    read_move,
    write_move,
)
from kbrules.game.state import ZONES, State, Tile
from kbrules.hex.sets import Mask, bits, lowest
from kbrules.library.yaml import Loc
from kbrules.scenario.position import Laid
from kbrules.scenario.reader import GAINED, NOBODY, PLAYERS, TABLE, TOTAL, NameResolver, Where
from kbrules.scenario.report import EARNED, board_text, compared, differences, hex_names

if TYPE_CHECKING:
    from kbrules.scenario.models import (
        ExpectedStateModel,
        ExpectedTileModel,
        ExpectModel,
        ReachableModel,
        RefusedMoveModel,
    )


# The context of a check: a state of a scenario, the place of the expectation, failures and moves.
#
# A failure is the finding that an expectation does not hold, with a board as text.


@dataclass(frozen=True, slots=True, eq=False)
class CheckContext:
    """A state of a scenario; `at` is the place in the scenario of what is expected of it.

    events: those of the moves that led to it. is_counted: whether failures are only counted, so
    that they have no board and no label.
    """

    start: Laid
    state: State
    at: Loc
    events: tuple[Event, ...] = ()
    is_counted: bool = False

    @property
    def game(self) -> Game:
        """The game of the scenario."""
        return self.start.game

    @property
    def resolver(self) -> NameResolver:
        """The names of the scenario, all of which are known."""
        return self.start.resolver

    def where(self, *loc: str | int) -> Where:
        """Where the value at a place below `at` is written."""
        return self.resolver.written.where(*self.at, *loc)

    def failure(
        self,
        loc: Loc,
        message: str,
        signs: Mapping[str, Mask] | None = None,
        refused: Move | None = None,
    ) -> Diagnostic:
        """Return the failure of what is expected at `loc` below `at`.

        signs: what is marked on its board, if it has one. refused: a move whose refusal tells why.
        """
        if self.is_counted:
            return Diagnostic("KB505", self.where(*loc)(), message)
        refusal = None if refused is None else self.game.explain(self.state, refused)
        labels = () if refusal is None else refusal_labels(refusal)
        board = "" if signs is None else board_text(self.game, self.state, signs)
        return Diagnostic("KB505", self.where(*loc)(), message, "", labels, picture=board)


def comma_separated(words: Iterable[str]) -> str:
    """Words separated by commas, or `nothing`."""
    return ", ".join(words) or "nothing"


# Moves


def move_of(game: Game, state: State, text: str, where: Where) -> Move | Diagnostic:
    """The move a text stands for, legal or not, or why it stands for none."""
    try:
        return read_move(text, game.board, game.legal_moves(state), game.ruleset.move_words)
    except InvalidMove as error:
        return Diagnostic(error.code, where(), str(error))
    except AmbiguousMove as error:
        return Diagnostic(error.code, where(), str(error), "write it as one of these")


def illegal_move_finding(
    game: Game, state: State, move: Move, text: str, where: Where
) -> Diagnostic | None:
    """The finding about a move that is not legal; None if it is."""
    moves = game.legal_moves(state)
    if moves.group_of(move) is not None:
        return None
    labels: tuple[Label, ...] = ()
    help = ""
    if state.is_over:
        message = f"{quoted(text)} comes after the end of the game"
    elif move.verb == "draw":
        why = "there is none left" if moves.player == CHANCE else "nobody is to draw now"
        message = f"{quoted(text)} cannot be drawn: {why}"
        help = "leave it out, or put it where a card is due"
    elif moves.player == CHANCE and not moves.weights:
        message = "chance has to choose a hex before this"
        help = "say which hex, as a move, before this"
    elif moves.player == CHANCE:
        message = "a terrain card is due before this"
        help = "say which by `draw: ...` before this, or give the scenario a `seed`"
    else:
        refusal = game.explain(state, move)
        message = f"{quoted(text)} is refused; {_reasons_text(refusal)}"
        labels, help = refusal_labels(refusal), refusal.nearest_text
    return Diagnostic("KB502", where(), message, help, labels)


def _reasons_text(refusal: configuration.Refusal) -> str:
    return "; ".join(f"{reason.rule}: {reason.text}" for reason in refusal.reasons)


def refusal_labels(refusal: configuration.Refusal, prefix: str = "") -> tuple[Label, ...]:
    """The sentences of the rules that refuse a move, each with a prefix."""
    return tuple(
        Label(reason.span, prefix + reason.text)
        for reason in refusal.reasons
        if reason.span is not None
    )


# Checks of the decision that is due: moves offered, rules to choose from, moves refused.


def check_offered(context: CheckContext, expect: ExpectedStateModel) -> Iterator[Diagnostic]:
    """Check the hexes that each rule offers."""
    board = context.game.board
    for action, offer in expect.offered.items():
        groups = _groups(context, action)
        actual = reduce(or_, (group.hexes for group in groups), 0)
        loc: Loc = ("offered", action)
        if offer == "none" and groups:
            moves = hex_names(board, actual) or "a move without a hex"
            message = f"{quoted(action)} offers {moves}, not nothing"
            yield context.failure(loc, message, compared(0, actual))
        elif offer == "some" and not groups:
            refused = _refused(context, action, -1)
            yield context.failure(loc, f"{quoted(action)} offers nothing", {}, refused)
        elif offer == "marked":
            yield from _compare_hexes(context, loc, action, context.start.marked, actual)
        elif isinstance(offer, tuple):
            yield from _compare_hexes(context, loc, action, board.mask(offer), actual)
        elif not isinstance(offer, str):
            some, none = board.mask(offer.includes), board.mask(offer.excludes)
            yield from _compare_hexes(context, (*loc, "includes"), action, some, actual & some)
            yield from _compare_hexes(context, (*loc, "excludes"), action, 0, actual & none)


def _groups(context: CheckContext, action: str) -> list[MoveGroup]:
    """The groups of moves of an action: a rule, perhaps with a verb."""
    rule, _, verb = action.partition(" ")
    groups = context.game.legal_moves(context.state).groups
    return [g for g in groups if g.rule == rule and verb in ("", g.verb)]


def _compare_hexes(
    context: CheckContext, loc: Loc, action: str, expected: Mask, actual: Mask
) -> Iterator[Diagnostic]:
    if expected == actual:
        return
    words = "does not offer", "also offers"
    parts = differences(context.game.board, expected, actual, *words)
    missing = expected & ~actual
    refused = _refused(context, action, lowest(missing)) if missing else None
    message = f"{quoted(action)} {' and '.join(parts)}"
    yield context.failure(loc, message, compared(expected, actual), refused)


def _refused(context: CheckContext, action: str, hex: int) -> Move:
    """Return the move of an action on a hex; without a hex, -1, of the action at all."""
    rule, _, verb = action.partition(" ")
    groups = _groups(context, action)
    return Move(verb or (groups[0].verb if groups else "build"), rule, hex)


def check_choices(context: CheckContext, expect: ExpectedStateModel) -> Iterator[Diagnostic]:
    """Check the rules that offer anything, and the terrains to choose from."""
    if expect.choices is None:
        return
    groups = context.game.legal_moves(context.state).groups
    actual = {group.rule for group in groups if group.rule}
    if actual != set(expect.choices):
        offered, expected = comma_separated(sorted(actual)), comma_separated(expect.choices)
        message = f"{offered} can be chosen, not {expected}"
        yield context.failure(("choices",), message)


def check_refused(context: CheckContext, expect: ExpectedStateModel) -> Iterator[Diagnostic]:
    """Check that moves are illegal, for the reason given."""
    game, state = context.game, context.state
    for index, entry in enumerate(expect.refused):
        loc: Loc = ("refused", index)
        text, at = (entry, loc) if isinstance(entry, str) else (entry.move, (*loc, "move"))
        move = move_of(game, state, text, context.where(*at))
        if isinstance(move, Diagnostic):
            yield move
        elif game.legal_moves(state).group_of(move) is not None:
            signs = compared(0, 1 << move.hex if move.hex >= 0 else 0)
            yield context.failure(at, f"{quoted(text)} is not refused", signs)
        elif not isinstance(entry, str):
            yield from _check_reason(context, move, entry, loc)


def _check_reason(
    context: CheckContext, move: Move, expected: RefusedMoveModel, loc: Loc
) -> Iterator[Diagnostic]:
    refusal = context.game.explain(context.state, move)
    reasons = [r for r in refusal.reasons if expected.because in (None, r.rule)]
    if any(expected.says in reason.text for reason in reasons):
        return
    at = (*loc, "says" if reasons else "because")
    message = f"it is refused for another reason; {_reasons_text(refusal)}"
    yield context.failure(at, message, refused=move)


# Checks of gold, of the turn and of the end of the game.


def check_gold(context: CheckContext, expect: ExpectedStateModel) -> Iterator[Diagnostic]:
    """Check what each player is paid, in all or by rule."""
    if not expect.gold:
        return
    sheet = context.game.score(context.state)
    for letter, expected in expect.gold.items():
        player = PLAYERS.index(letter)
        if isinstance(expected, int):
            if sheet.totals[player] != expected:
                message = f"{letter} has {_total_text(context, sheet, player)}, not {expected}"
                yield context.failure(("gold", letter), message)
        else:
            yield from _check_gold_of_rules(context, sheet, player, expected)


def _total_text(context: CheckContext, sheet: scoring.Sheet, player: int) -> str:
    """The total, with what each rule pays."""
    parts = [f"{line.gold} {line.rule}" for line in sheet.lines[player] if line.gold]
    parts += [_gained_text(context, sheet, player)] if sheet.gained[player] else []
    return f"{sheet.totals[player]}" + (f" ({', '.join(parts)})" if parts else "")


def _gained_text(context: CheckContext, sheet: scoring.Sheet, player: int) -> str:
    """What was gained during play, with what each rule gave of it."""
    gained, by_rule = sheet.gained[player], gains_of(context.events, player)
    text = gains_text(by_rule, gained - sum(by_rule.values()))
    return f"{gained} {GAINED}" + (f" ({text})" if by_rule else "")


def _check_gold_of_rules(
    context: CheckContext, sheet: scoring.Sheet, player: int, expected: Mapping[str, int]
) -> Iterator[Diagnostic]:
    letter = PLAYERS[player]
    sums = {TOTAL: (sheet.totals, _total_text), GAINED: (sheet.gained, _gained_text)}
    for id, amount in expected.items():
        loc = ("gold", letter, id)
        if id in sums:
            golds, text_of = sums[id]
            if golds[player] != amount:
                text = text_of(context, sheet, player)
                yield context.failure(loc, f"{letter} has {text}, not {amount}")
            continue
        line = sheet.line(id, player)
        assert line is not None
        if line.gold != amount:
            message = f"{quoted(id)} pays {letter} {line.gold}, not {amount}"
            yield context.failure(loc, message, {EARNED: line.hexes})


def check_course(context: CheckContext, expect: ExpectedStateModel) -> Iterator[Diagnostic]:
    """Check who is to decide, whether this is the last round, and whether the game is over."""
    if expect.turn is not None and (actual := who_decides(context)) != expect.turn:
        message = f"{actual or 'nobody'} is to decide, not {expect.turn}"
        yield context.failure(("turn",), message)
    state = context.state
    facts = (("last_round", state.ending, "this is"), ("over", state.is_over, "the game is"))
    for key, is_so, subject in facts:
        if getattr(expect, key) not in (None, is_so):
            what = "over" if key == "over" else "the last round"
            yield context.failure((key,), f"{subject}{'' if is_so else ' not'} {what}")


def who_decides(context: CheckContext) -> str:
    """Who is to decide: a player, `chance`, or nobody, which is an empty text."""
    moves = context.game.legal_moves(context.state)
    if moves.player != CHANCE:
        return PLAYERS[moves.player]
    return "chance" if moves else ""


def check_winners(context: CheckContext, expect: ExpectedStateModel) -> Iterator[Diagnostic]:
    """Check who wins."""
    if expect.winners is None:
        return
    sheet = context.game.score(context.state)
    actual = [PLAYERS[player] for player in sheet.winners]
    if sorted(expect.winners) != actual:
        totals = comma_separated(
            f"{PLAYERS[p]} has {_total_text(context, sheet, p)}" for p in range(len(sheet.totals))
        )
        who = comma_separated(actual) if actual else "nobody"
        expected = comma_separated(expect.winners) if expect.winners else "nobody"
        message = f"{who} would win, not {expected}: {totals}"
        yield context.failure(("winners",), message)


# Gold gained during play


def gains_of(events: Iterable[Event], player: int) -> Counter[str]:
    """Return how much gold each rule gave a player by these events."""
    by_rule: Counter[str] = Counter()
    for event in events:
        if isinstance(event, Gained) and event.player == player:
            by_rule[event.rule] += event.gold
    return by_rule


def gains_text(by_rule: Mapping[str, int], before: int = 0) -> str:
    """Which rule gave how much, and how much was there before."""
    parts = [f"{gold} by {quoted(rule)}" for rule, gold in by_rule.items() if gold]
    return ", ".join([*parts, *([f"{before} before"] if before else [])])


# Checks of what players and the table have: tiles, pieces, numbers, cards, memories.

ExpectedTile = tuple[int, int | None, str | None]  # kind, place and status of a tile; None is any


def check_tiles(context: CheckContext, expect: ExpectedStateModel) -> Iterator[Diagnostic]:
    """Check the tiles held, with the place they came from and a status where they are given."""
    board = context.game.board
    for letter, entries in expect.tiles.items():
        held = context.state.seats[PLAYERS.index(letter)].tiles
        expected = [each for entry in entries for each in _expected_tiles(board, entry)]
        if not _tiles_match(expected, held):
            with_origin = any(origin is not None for _, origin, _ in expected)
            actual = comma_separated(_tile_text(board, tile, with_origin) for tile in held)
            yield context.failure(("tiles", letter), f"{letter} holds {actual}")


def _expected_tiles(
    board: Board, entry: str | ExpectedTileModel | Mapping[str, str]
) -> Iterator[ExpectedTile]:
    index = board.catalog.tile_index
    if isinstance(entry, str):
        yield index(entry), None, None
    elif isinstance(entry, Mapping):
        yield from ((index(id), None, status) for id, status in entry.items())
    else:
        origin = None if entry.origin is None else board.grid.index(entry.origin)
        yield index(entry.tile), origin, entry.status


def _tile_text(board: Board, tile: Tile, with_origin: bool) -> str:
    name = f"{board.catalog.tiles[tile.kind].id} ({tile.status})"
    is_from = with_origin and board.grid.full >> tile.origin & 1
    return f"{name} from {board.grid.name(tile.origin)}" if is_from else name


def _tiles_match(expected: Sequence[ExpectedTile], held: Sequence[Tile]) -> bool:
    """Whether wanted and held tiles match one to one."""
    matched: dict[int, int] = {}  # held tile -> wanted tile

    def assign(number: int, visited: set[int]) -> bool:
        kind, origin, status = expected[number]
        for place, tile in enumerate(held):
            matches = kind == tile.kind and origin in (None, tile.origin)
            if place in visited or not (matches and status in (None, tile.status)):
                continue
            visited.add(place)
            if place not in matched or assign(matched[place], visited):
                matched[place] = number
                return True
        return False

    return len(expected) == len(held) and all(assign(each, set()) for each in range(len(expected)))


def check_left(context: CheckContext, expect: ExpectedStateModel) -> Iterator[Diagnostic]:
    """Check the tiles left on places."""
    board = context.game.board
    for name, expected in expect.left.items():
        hex = board.grid.index(name)
        places = board.places
        actual = len(context.state.stock[places.index(hex)]) if hex in places else 0
        if actual != expected:
            yield context.failure(("left", name), f"{actual} left on {name}, not {expected}")


def check_numbers(context: CheckContext, expect: ExpectedStateModel) -> Iterator[Diagnostic]:
    """Check the numbers of the boxes with all that changes them now."""
    game = context.game
    for letter, values in expect.numbers.items():
        view = game.view(context.state, PLAYERS.index(letter), {})
        for id, expected in values.items():
            actual = game.plan.quantity(view, id)
            if actual != expected:
                message = f"{quoted(id)} of {letter} is {actual}, not {expected}"
                yield context.failure(("numbers", letter, id), message)


def check_supply(context: CheckContext, expect: ExpectedStateModel) -> Iterator[Diagnostic]:
    """Check the pieces left to build."""
    for letter, counts in expect.supply.items():
        player = -1 if letter == NOBODY else PLAYERS.index(letter)
        for id, expected in counts.items():
            loc = ("supply", letter, id)
            piece = context.resolver.piece(id)
            actual = _supply_left(context, player, piece)
            if actual is None:
                yield context.failure(loc, f"the piece {quoted(id)} belongs to players")
            elif actual != expected:
                message = f"{letter} has {actual} of {quoted(id)} left, not {expected}"
                yield context.failure(loc, message)


def _supply_left(context: CheckContext, player: int, piece: int) -> int | None:
    """How many pieces are in a supply; None for pieces that nobody can have."""
    if player >= 0:
        return context.state.seats[player].supply[piece]
    kind = context.game.board.catalog.pieces[piece]
    on_board = context.state.neutral[piece].bit_count() // kind.size
    return max(0, kind.supply - on_board) if kind.neutral else None


def check_pieces(context: CheckContext, expect: ExpectedStateModel) -> Iterator[Diagnostic]:
    """Check the hexes of pieces."""
    board = context.game.board
    for letter, lists in expect.pieces.items():
        player = -1 if letter == NOBODY else PLAYERS.index(letter)
        for id, hexes in lists.items():
            loc = ("pieces", letter, id)
            piece = context.resolver.piece(id)
            owned = context.state.neutral if player < 0 else context.state.seats[player].pieces
            expected = board.covered(piece, board.mask(hexes))
            if owned[piece] != expected:
                yield _hexes_failure(context, loc, expected, owned[piece])


def _hexes_failure(context: CheckContext, loc: Loc, expected: Mask, actual: Mask) -> Diagnostic:
    parts = differences(context.game.board, expected, actual, "not on", "also on")
    message = f"{quoted(str(loc[-1]))} is {' and '.join(parts)}"
    return context.failure(loc, message, compared(expected, actual))


def check_cards(context: CheckContext, expect: ExpectedStateModel) -> Iterator[Diagnostic]:
    """Check the cards in hands, and those laid face up."""
    for letter, names in expect.hand.items():
        held = context.state.seats[PLAYERS.index(letter)].hand
        yield from _check_cards(context, ("hand", letter), names, held)
    if expect.shown is not None:
        yield from _check_cards(context, ("shown",), expect.shown, context.state.shown)


def _check_cards(
    context: CheckContext, loc: Loc, names: Sequence[str], actual: Sequence[int]
) -> Iterator[Diagnostic]:
    expected = context.resolver.cards(names)
    if sorted(expected) != sorted(actual):
        catalog = context.game.board.catalog
        text = comma_separated(catalog.card_name(card) for card in actual)
        yield context.failure(loc, f"there is {text}, not {comma_separated(names)}")


def check_piles(context: CheckContext, expect: ExpectedStateModel) -> Iterator[Diagnostic]:
    """Check the cards in the deck and on the discards."""
    for pile, counts in (("deck", expect.deck), ("discards", expect.discards)):
        for name, expected in counts.items():
            card = context.resolver.card(name)
            actual = context.state.piles[ZONES.index(pile)][card]
            if actual != expected:
                yield context.failure((pile, name), f"there are {actual}, not {expected}")


def check_scoring_cards(context: CheckContext, expect: ExpectedStateModel) -> Iterator[Diagnostic]:
    """Check the scoring cards beside the table, and those that left the game."""
    state, names = context.state, context.game.board.catalog.cards
    pairs = (("beside", expect.beside, state.beside), ("retired", expect.retired, state.retired))
    for key, expected, actual in pairs:
        if expected is None:
            continue
        if context.resolver.scoring_cards(expected) != actual:
            text = comma_separated(names[card] for card in bits(actual))
            yield context.failure((key,), f"there is {text}, not {comma_separated(expected)}")


def check_memory(context: CheckContext, expect: ExpectedStateModel) -> Iterator[Diagnostic]:
    """Check the memories of players and of the table."""
    state, board = context.state, context.game.board
    for letter, values in expect.memory.items():
        of_table = letter == TABLE
        held = state.memory if of_table else state.seats[PLAYERS.index(letter)].memory
        slots = context.resolver.memories(TABLE if of_table else "player")
        for id, value in values.items():
            loc, actual = ("memory", letter, id), held[slots[id]]
            if isinstance(value, int) and actual != value:
                yield context.failure(loc, f"{quoted(id)} is {actual}, not {value}")
            elif not isinstance(value, int) and (expected := board.mask(value)) != actual:
                yield _hexes_failure(context, loc, expected, actual)


MAX_STATES = 5_000
"""How many states one expectation may visit."""
_CHECKS = (
    check_offered, check_choices, check_refused, check_tiles, check_left, check_numbers,
    check_supply, check_pieces, check_cards, check_piles, check_scoring_cards, check_memory,
    check_gold, check_course, check_winners,
)  # fmt: skip

Reached = tuple[State, tuple[Move, ...]]


def check_expectation(context: CheckContext, expect: ExpectModel) -> list[Diagnostic]:
    """Return all failures of an expectation, in the order of the keys in the format."""
    failures = list(_state_failures(context, expect))
    if expect.reachable is not None:
        failures += _reachable(context, expect.reachable)
    if expect.unreachable is not None:
        failures += _unreachable(context, expect.unreachable)
    return failures


def _state_failures(context: CheckContext, expect: ExpectedStateModel) -> Iterator[Diagnostic]:
    return (failure for check in _CHECKS for failure in check(context, expect))


# Reachable states


class _Visit(NamedTuple):
    """A visited state: the decisions that lead there, and how many checks fail in it."""

    state: State
    moves: tuple[Move, ...]
    failure_count: int


def _reachable(context: CheckContext, expect: ReachableModel) -> Iterator[Diagnostic]:
    """Check that some state within so many decisions is as expected."""
    search = _StateSearch(context.game, expect.within)
    nearest: _Visit | None = None
    for visit in _visits(context, "reachable", expect, search):
        if not visit.failure_count:
            return
        if nearest is None or visit.failure_count < nearest.failure_count:
            nearest = visit
    if search.is_cut_short:
        yield _too_many(context, "reachable")
    elif nearest is not None:
        nearest_context = CheckContext(context.start, nearest.state, (*context.at, "reachable"))
        failure = next(_state_failures(nearest_context, expect))
        message = (
            f"none of {len(search.digests)} positions within {expect.within} decisions is so; "
            f"nearest, {_path_text(context, nearest)}: {failure.message}"
        )
        yield replace(failure, message=message)


def _unreachable(context: CheckContext, expect: ReachableModel) -> Iterator[Diagnostic]:
    """Check that no state within so many decisions is as expected."""
    search = _StateSearch(context.game, expect.within)
    for visit in _visits(context, "unreachable", expect, search):
        if not visit.failure_count:
            found = CheckContext(context.start, visit.state, context.at)
            yield found.failure(("unreachable",), f"it is so {_path_text(context, visit)}", {})
            return
    if search.is_cut_short:
        yield _too_many(context, "unreachable")


def _path_text(context: CheckContext, visit: _Visit) -> str:
    moves = ", ".join(quoted(write_move(move, context.game.board)) for move in visit.moves)
    return f"after {moves}" if moves else "before any decision"


def _too_many(context: CheckContext, key: str) -> Diagnostic:
    message = f"{MAX_STATES} positions were looked at, which is the most, and none of them is so"
    help = "ask for fewer decisions, or make the first of them as steps"
    return Diagnostic("KB507", context.where(key, "within")(), message, help)


def _visits(
    context: CheckContext, key: str, expect: ReachableModel, search: _StateSearch
) -> Iterator[_Visit]:
    at = (*context.at, key)
    for state, moves in search.states(context.state):
        counting = CheckContext(context.start, state, at, is_counted=True)
        yield _Visit(state, moves, sum(1 for _ in _state_failures(counting, expect)))


class _StateSearch:
    """A breadth-first search of the states up to so many decisions away, each visited once.

    A draw by chance is no decision, and each of its results is visited; `digests` has the digests
    of all states, those in which a card is due as well.
    """

    def __init__(self, game: Game, within: int) -> None:
        self._game = game
        self._within = within
        self.digests: set[str] = set()
        self.is_cut_short = False

    def states(self, state: State) -> Iterator[Reached]:
        """The states, each with the decisions that lead there."""
        layer = self._unvisited([(state, ())])
        for left in range(self._within, -1, -1):
            visited: list[Reached] = []
            for each in layer:
                visited.append(each)
                yield each
            layer = self._unvisited(
                (self._game.apply(state, move), (*moves, move))
                for state, moves in (visited if left else ())
                for move in self._game.legal_moves(state)
            )

    def _unvisited(self, layer: Iterable[Reached]) -> Iterator[Reached]:
        """The unseen states of a layer; where a draw is due, the states after it instead."""
        for state, moves in layer:
            pending = [state]
            while pending:
                reached = pending.pop()
                digest = reached.hash()
                if digest in self.digests:
                    continue
                if len(self.digests) >= MAX_STATES:
                    self.is_cut_short = True
                    return
                self.digests.add(digest)
                offered = self._game.legal_moves(reached)
                if offered.player == CHANCE and offered:
                    pending += [self._game.apply(reached, draw) for draw in offered]
                else:
                    yield reached, moves
