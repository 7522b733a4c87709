"""What differs between one position under two sets of rules: what is legal, what is paid.

Everything is compared by names, so that it does not matter what else the boxes contain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kbrules.engine.game import Game
from kbrules.game.moves import CHANCE, Move, MoveSet
from kbrules.game.state import NONE, State
from kbrules.hex.masks import Mask

__all__ = ["EFFECT", "OFFERED", "SCORE", "Difference", "PositionPair", "differences", "facts"]

OFFERED, SCORE, EFFECT = "offered", "score", "effect"


@dataclass(frozen=True, slots=True, eq=False)
class PositionPair:
    """One position under the old and under the new rules."""

    old: tuple[Game, State]
    new: tuple[Game, State]


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is otherwise; hexes are sets of the board of the position.

    kind: `OFFERED`, `SCORE` or `EFFECT`. about: the rule, for `EFFECT` the rule of the last move.
    verb: what is offered. player: who decides or is paid, `CHANCE` for what is drawn. before,
    after: what the rules say, in words. old, new: the hexes offered, or that pay.
    """

    kind: str
    about: str
    verb: str
    player: int
    before: str
    after: str
    old: Mask = 0
    new: Mask = 0

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes two differences of the same sort."""
        return self.kind, self.about, self.verb


def differences(pair: PositionPair) -> list[Difference]:
    """All that is otherwise in a position: first what is paid, then what is offered."""
    return [*_paid(pair), *_offered(pair)]


def _paid(pair: PositionPair) -> Iterator[Difference]:
    sheets = [game.score(state) for game, state in (pair.old, pair.new)]
    for player in range(pair.old[0].players):
        lines = [{line.rule: line for line in sheet.lines[player]} for sheet in sheets]
        for rule in lines[0].keys() & lines[1].keys():
            one, two = lines[0][rule], lines[1][rule]
            if one.gold != two.gold:
                before, after = f"{one.gold} gold", f"{two.gold} gold"
                yield Difference(SCORE, rule, "", player, before, after, one.hexes, two.hexes)


def _offered(pair: PositionPair) -> Iterator[Difference]:
    one, two = (game.legal_moves(state) for game, state in (pair.old, pair.new))
    if one.player != two.player:
        yield Difference(OFFERED, "turn", "", one.player, _who(one), _who(two))
        return
    ways = _by_way(one), _by_way(two)
    for rule, verb in sorted(ways[0].keys() | ways[1].keys()):
        old, new = (way.get((rule, verb)) for way in ways)
        if old != new:
            said = _said(old), _said(new)
            yield Difference(OFFERED, rule, verb, one.player, *said, old or 0, new or 0)


def _who(moves: MoveSet) -> str:
    if not moves:
        return "the game is over"
    return "a card is drawn" if moves.player == CHANCE else "abcdef"[moves.player] + " decides"


def _by_way(moves: MoveSet) -> Mapping[tuple[str, str], Mask]:
    """The hexes of each rule and verb."""
    found: dict[tuple[str, str], Mask] = {}
    for verb, rule, hexes, _ in moves.groups:
        found[rule, verb] = found.get((rule, verb), 0) | hexes
    return found


def _said(hexes: Mask | None) -> str:
    if hexes is None:
        return "not offered"
    count = hexes.bit_count()
    return f"{count} {'hex' if count == 1 else 'hexes'}" if hexes else "offered"


def common_moves(pair: PositionPair) -> list[Move]:
    """The moves that both rules allow."""
    one, two = (game.legal_moves(state) for game, state in (pair.old, pair.new))
    if one.weights or two.weights:
        return []
    return [move for move in one if move in two]


def after_move(pair: PositionPair, move: Move) -> tuple[PositionPair, list[Difference]]:
    """The position after a move that both allow, and whether the move did the same."""
    after = PositionPair(
        (pair.old[0], pair.old[0].apply(pair.old[1], move)),
        (pair.new[0], pair.new[0].apply(pair.new[1], move)),
    )
    one, two = (facts(game, state) for game, state in (after.old, after.new))
    if one == two:
        return after, []
    parts = sorted(key for key in one.keys() | two.keys() if one.get(key) != two.get(key))
    rule = move.rule or move.verb
    words = f"changes {', '.join(parts)}"
    player = pair.old[0].legal_moves(pair.old[1]).player
    hexes = (1 << move.hex) if move.hex >= 0 else 0
    found = Difference(EFFECT, rule, move.verb, player, words, words + " otherwise", hexes, hexes)
    return after, [found]


def facts(game: Game, state: State) -> Mapping[str, Any]:
    """What lies on the table, by names: pieces, tiles, cards, gold."""
    catalog = game.ruleset.catalog
    found: dict[str, Any] = {}
    for player, seat in enumerate(state.seats):
        who = "abcdef"[player]
        kinds = zip(catalog.pieces, seat.pieces, seat.supply, strict=True)
        lying = {kind.id: (mask, left) for kind, mask, left in kinds}
        tiles = sorted((catalog.tiles[t.kind].id, t.origin, t.status) for t in seat.tiles)
        hand = sorted(catalog.card_name(card) for card in seat.hand if card != NONE)
        found |= {f"{who}'s pieces": lying, f"{who}'s tiles": tiles}
        found |= {f"{who}'s hand": hand, f"{who}'s gold": seat.gold}
    found["nobody's pieces"] = dict(zip((p.id for p in catalog.pieces), state.neutral, strict=True))
    found["the tiles left"] = [[catalog.tiles[kind].id for kind in s] for s in state.stock]
    found["the cards face up"] = [catalog.card_name(card) for card in state.shown]
    found["whether the end has begun"] = state.ending, state.is_over
    return found
