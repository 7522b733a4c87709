"""The smallest boards that show what differs, each as a picture and as a ready scenario."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from kbrules.game.moves import Move, write_move
from kbrules.game.state import READY, State
from kbrules.hex.sets import Mask, bits
from kbrules.library.boards.positions import draw_framed, legend_of
from kbrules.progress import OnProgress, silent, with_progress
from kbrules.scenario.names import PLAYERS
from kbrules.scenario.report import visible_pieces
from kbrules.tools.checking.comparison.difference_search import (
    DifferenceCase,
    DifferenceSearch,
    pair_of,
)
from kbrules.tools.checking.comparison.differences import (
    EFFECT,
    OFFERED,
    SCORE,
    Difference,
    PositionPair,
    after_move,
    common_moves,
    differences,
)
from kbrules.tools.checking.comparison.versions import RulesVersion
from kbrules.tools.checking.shrinking.position import PositionData
from kbrules.tools.checking.shrinking.scenario_text import prepare_position, scenario_text
from kbrules.tools.checking.shrinking.shrink import shrink

MAX_EXAMPLES = 3
MAX_CANDIDATES = 6  # sorts of difference that are shrunk to find them
SECONDS = 3.0

IN_BOTH, ONLY_NEW, ONLY_OLD = "+", "!", "?"


@dataclass(frozen=True, slots=True, eq=False)
class MinimalExample:
    """A small board, what differs on it, and the scenario that holds under the new rules."""

    difference: Difference
    moves: tuple[str, ...]
    picture: str
    scenario: str


def minimal_examples(
    search: DifferenceSearch,
    old: RulesVersion,
    new: RulesVersion,
    on_progress: OnProgress = silent,
) -> list[MinimalExample]:
    """At most `BOARDS` boards, of different sorts of difference if there are as many."""
    candidates = with_progress(_candidates(search), "boards", on_progress)
    shrunk = [_shrink_case(case, old, new) for case in candidates]
    sorted_cases = sorted(
        (case for case in shrunk if case is not None), key=lambda case: case.position.size
    )
    first = {case.difference.key: case for case in reversed(sorted_cases)}
    chosen = sorted(first.values(), key=lambda case: case.position.size)
    rest = [case for case in sorted_cases if case not in chosen]
    return [_example_of(case, old, new) for case in [*chosen, *rest][:MAX_EXAMPLES]]


def _candidates(search: DifferenceSearch) -> list[DifferenceCase]:
    """A few positions to begin with: of each sort the least crowded, then the next."""
    by_key: dict[tuple[str, str, str], list[DifferenceCase]] = {}
    for case in sorted(search.cases, key=lambda case: case.position.size):
        by_key.setdefault(case.difference.key, []).append(case)
    rounds = [
        [cases[i] for cases in by_key.values() if i < len(cases)] for i in range(MAX_EXAMPLES)
    ]
    return [case for each in rounds for case in each][:MAX_CANDIDATES]


def _shrink_case(
    case: DifferenceCase, old: RulesVersion, new: RulesVersion
) -> DifferenceCase | None:
    """The smallest position with a difference of this sort; None if laid out it has none."""
    key = case.difference.key

    def has_difference(position: PositionData) -> bool:
        return any(each.key == key for each in _differences_at_end(position, old, new))

    if not has_difference(case.position):
        return None
    position = shrink(case.position, has_difference, SECONDS)
    return DifferenceCase(
        position, next(each for each in _differences_at_end(position, old, new) if each.key == key)
    )


def _differences_at_end(
    position: PositionData, old: RulesVersion, new: RulesVersion
) -> list[Difference]:
    """What differs at the end of a position's moves."""
    pair = _pair_before_last_move(position, old, new)
    if pair is None:
        return []
    if not position.moves:
        return differences(pair)
    move = _last_move(position, new)
    if move not in common_moves(pair):
        return []
    after, otherwise = after_move(pair, move)
    return [*otherwise, *differences(after)]


def _pair_before_last_move(
    position: PositionData, old: RulesVersion, new: RulesVersion
) -> PositionPair | None:
    return pair_of(replace(position, moves=position.moves[:-1]), old, new)


def _last_move(position: PositionData, side: RulesVersion) -> Move:
    prepared = prepare_position(position, side.cache)
    assert prepared is not None, "it was laid without its last move"
    return prepared.moves[-1]


def _example_of(case: DifferenceCase, old: RulesVersion, new: RulesVersion) -> MinimalExample:
    position, difference = case.position, case.difference
    pair = _pair_before_last_move(position, old, new)
    assert pair is not None, "it was laid a moment ago"
    game, state = pair.new
    prepared = prepare_position(position, new.cache)
    moves = tuple(write_move(move, game.board) for move in prepared.moves) if prepared else ()
    if position.moves and difference.kind != EFFECT:
        pair, _ = after_move(pair, _last_move(position, new))
        game, state = pair.new
    drawn = "\n".join([_picture(game.board, state, difference), *_state_lines(position)])
    claim = dict(_expectation(case, new))
    title = f"{difference.about}: as the rules are now"[:120]
    text = scenario_text(position, new.cache, title, claim)
    return MinimalExample(difference, moves, drawn, text)


def _picture(board: Any, state: State, difference: Difference) -> str:
    """The board with what is only so under the old rules, only under the new, or under both."""
    one, two = difference.old, difference.new
    signs = {IN_BOTH: one & two, ONLY_NEW: two & ~one, ONLY_OLD: one & ~two}
    used = {sign: mask for sign, mask in signs.items() if mask}
    lines = [draw_framed(board.catalog, board, visible_pieces(state), used)]
    if board.tiles:
        lines.append(", ".join(f"{digit} {id}" for digit, id in legend_of(board).items()))
    if used:
        lines.append(", ".join(f"{sign} {_meaning(sign, difference.kind)}" for sign in used))
    return "\n".join(line for line in lines if line)


def _state_lines(position: PositionData) -> Iterator[str]:
    """Whose turn it is, and what cannot be seen on the board."""
    played = f", with {' and '.join(position.shown)} face up" if position.shown else ""
    yield f"turn of {PLAYERS[position.player]}{played}"
    for player, seat in enumerate(position.seats):
        if seat.tiles:
            tiles = (t.tile + ("" if t.status == READY else f" ({t.status})") for t in seat.tiles)
            yield f"{PLAYERS[player]} holds {', '.join(tiles)}"


def _meaning(sign: str, kind: str) -> str:
    what = {OFFERED: "offered", SCORE: "pays", EFFECT: "here"}[kind]
    return {
        IN_BOTH: f"{what} before and now",
        ONLY_NEW: f"{what} only now",
        ONLY_OLD: f"{what} only before",
    }[sign]


def _expectation(case: DifferenceCase, new: RulesVersion) -> Iterator[tuple[str, Any]]:
    """What holds under the new rules at the end of the moves, and did not under the old."""
    difference = case.difference
    if difference.kind == SCORE:
        gold = int(difference.after.split(" ")[0])
        yield "gold", {PLAYERS[difference.player]: {difference.about: gold}}
    elif difference.kind == OFFERED and difference.verb:
        yield "offered", {difference.about: _names(case, new, difference.new) or "none"}
    elif difference.kind == OFFERED:
        yield from _decider(difference.after)
    else:
        yield from _outcome(case, new)


def _decider(description: str) -> Iterator[tuple[str, Any]]:
    """Who decides next, as a difference names them."""
    if description == "the game is over":
        yield "over", True
    else:
        yield "turn", description[0] if description.endswith("decides") else "chance"


def _outcome(case: DifferenceCase, new: RulesVersion) -> Iterator[tuple[str, Any]]:
    """What the moves leave on the table, of the player who made the last one."""
    prepared = prepare_position(case.position, new.cache)
    assert prepared is not None, "it was laid a moment ago"
    game, state = prepared.game, prepared.state
    for move in prepared.moves:
        state = game.apply(state, move)
    player, pieces = case.difference.player, game.ruleset.catalog.pieces
    seat, name = state.seats[player], game.board.grid.name
    hexes_by_piece = {
        p.id: [name(h) for h in bits(m)] for p, m in zip(pieces, seat.pieces, strict=True)
    }
    yield "pieces", {PLAYERS[player]: {id: hexes for id, hexes in hexes_by_piece.items() if hexes}}
    supply = zip(pieces, seat.supply, strict=True)
    yield "supply", {PLAYERS[player]: {p.id: n for p, n in supply if not p.neutral}}
    yield "last_round", state.ending


def _names(case: DifferenceCase, new: RulesVersion, hexes: Mask) -> list[str]:
    prepared = prepare_position(replace(case.position, moves=()), new.cache)
    assert prepared is not None
    return [prepared.game.board.grid.name(hex) for hex in bits(hexes)]
