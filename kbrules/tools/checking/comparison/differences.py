"""What differs between one position under two sets of rules: what is legal, what is paid.

Everything is compared by names, so that it does not matter what else the boxes contain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kbrules.engine.game import Game
from kbrules.game.board import NONE
from kbrules.game.moves import CHANCE, Move, MoveSet
from kbrules.game.state import State
from kbrules.hex.sets import Mask

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
            old, new = lines[0][rule], lines[1][rule]
            if old.gold != new.gold:
                before, after = f"{old.gold} gold", f"{new.gold} gold"
                yield Difference(SCORE, rule, "", player, before, after, old.hexes, new.hexes)


def _offered(pair: PositionPair) -> Iterator[Difference]:
    old_moves, new_moves = (game.legal_moves(state) for game, state in (pair.old, pair.new))
    if old_moves.player != new_moves.player:
        yield Difference(
            OFFERED,
            "turn",
            "",
            old_moves.player,
            _decider_text(old_moves),
            _decider_text(new_moves),
        )
        return
    offers = _hexes_by_offer(old_moves), _hexes_by_offer(new_moves)
    for rule, verb in sorted(offers[0].keys() | offers[1].keys()):
        old, new = (hexes.get((rule, verb)) for hexes in offers)
        if old != new:
            texts = _offer_text(old), _offer_text(new)
            yield Difference(OFFERED, rule, verb, old_moves.player, *texts, old or 0, new or 0)


def _decider_text(moves: MoveSet) -> str:
    if not moves:
        return "the game is over"
    return "a card is drawn" if moves.player == CHANCE else "abcdef"[moves.player] + " decides"


def _hexes_by_offer(moves: MoveSet) -> Mapping[tuple[str, str], Mask]:
    """The hexes of each rule and verb."""
    by_offer: dict[tuple[str, str], Mask] = {}
    for verb, rule, hexes, _ in moves.groups:
        by_offer[rule, verb] = by_offer.get((rule, verb), 0) | hexes
    return by_offer


def _offer_text(hexes: Mask | None) -> str:
    if hexes is None:
        return "not offered"
    count = hexes.bit_count()
    return f"{count} {'hex' if count == 1 else 'hexes'}" if hexes else "offered"


def common_moves(pair: PositionPair) -> list[Move]:
    """The moves that both rules allow."""
    old, new = (game.legal_moves(state) for game, state in (pair.old, pair.new))
    if old.weights or new.weights:
        return []
    return [move for move in old if move in new]


def after_move(pair: PositionPair, move: Move) -> tuple[PositionPair, list[Difference]]:
    """The position after a move that both allow, and whether the move did the same."""
    after = PositionPair(
        (pair.old[0], pair.old[0].apply(pair.old[1], move)),
        (pair.new[0], pair.new[0].apply(pair.new[1], move)),
    )
    old, new = (table_contents(game, state) for game, state in (after.old, after.new))
    if old == new:
        return after, []
    parts = sorted(key for key in old.keys() | new.keys() if old.get(key) != new.get(key))
    rule = move.rule or move.verb
    words = f"changes {', '.join(parts)}"
    player = pair.old[0].legal_moves(pair.old[1]).player
    hexes = (1 << move.hex) if move.hex >= 0 else 0
    difference = Difference(
        EFFECT, rule, move.verb, player, words, words + " otherwise", hexes, hexes
    )
    return after, [difference]


def table_contents(game: Game, state: State) -> Mapping[str, Any]:
    """What lies on the table, by names: pieces, tiles, cards, gold."""
    catalog = game.ruleset.catalog
    contents: dict[str, Any] = {}
    for player, seat in enumerate(state.seats):
        who = "abcdef"[player]
        kinds = zip(catalog.pieces, seat.pieces, seat.supply, strict=True)
        pieces = {kind.id: (mask, left) for kind, mask, left in kinds}
        tiles = sorted((catalog.tiles[t.kind].id, t.origin, t.status) for t in seat.tiles)
        hand = sorted(catalog.card_name(card) for card in seat.hand if card != NONE)
        contents |= {f"{who}'s pieces": pieces, f"{who}'s tiles": tiles}
        contents |= {f"{who}'s hand": hand, f"{who}'s gold": seat.gold}
    contents["nobody's pieces"] = dict(
        zip((p.id for p in catalog.pieces), state.neutral, strict=True)
    )
    contents["the tiles left"] = [[catalog.tiles[kind].id for kind in s] for s in state.stock]
    contents["the cards face up"] = [catalog.card_name(card) for card in state.shown]
    contents["whether the end has begun"] = state.ending, state.is_over
    return contents
