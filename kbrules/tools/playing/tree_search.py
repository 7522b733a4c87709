"""The bot that searches a tree: Monte Carlo tree search with a budget of games for each decision.

The budget is spent on fewer and fewer moves: after each round the half of them that look worse
are left (sequential halving). As long as there is little for each move, games are played on from
all of them alike. What is left of the budget grows a tree below each move that is left, by upper
confidence bounds: its decisions are those of all players, of which others want the player who
searches to lead by little; chance draws anew at each visit.

What others hold in their hands is dealt anew for every visit: the bot never looks at it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import log, sqrt

from kbrules.engine.interface import GameLike
from kbrules.engine.matches.match import Bot
from kbrules.game.moves import CHANCE, Move, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.tools.playing.greedy import value_of
from kbrules.tools.playing.hidden_cards import redealt
from kbrules.tools.playing.montecarlo import Leads, by_kernel, by_states

__all__ = ["native_tree_search", "tree_search"]

BATCH = 64  # games that are played on from a leaf
DEALS = 8  # deals of hidden cards, at most, for the games of all moves alike
EXPLORATION = 0.4  # of what leads stray: how much doubt is worth


class Node:
    """A place in the tree: games played on from below it, and by how much they were led in all."""

    __slots__ = ("children", "games", "lead")

    def __init__(self) -> None:
        self.games, self.lead = 0, 0
        self.children: dict[Move, Node] = {}

    def add(self, games: int, lead: int) -> None:
        """Take in some games."""
        self.games += games
        self.lead += lead

    @property
    def mean(self) -> float:
        """By how much they were led on average."""
        return self.lead / self.games if self.games else 0.0


class Search:
    """A search for the best of some moves. lead: of the player who decides."""

    def __init__(
        self, game: GameLike, state: State, moves: MoveSet, leads: Leads, random: Random
    ) -> None:
        self._game, self._state, self._moves = game, state, moves
        self._leads, self._random, self._me = leads, random, moves.player
        self._root = Node()

    def best(self, playouts: int) -> Move:
        """The move that is left after so many games."""
        left = self._random.sample([*self._moves], min(len(self._moves), playouts))
        for move in left:
            self._root.children[move] = Node()
        rounds = max(1, (len(left) - 1).bit_length())
        while len(left) > 1:
            share = playouts // (rounds * len(left))
            if share < 2 * BATCH:
                self._widen(left, max(1, share))
            else:
                for _ in range(share // BATCH):
                    for move in left:
                        self._deepen(move)
            left.sort(key=lambda move: self._root.children[move].mean, reverse=True)
            left = left[: (len(left) + 1) // 2]
        best: Move = left[0]
        return best

    def _deal(self) -> State:
        return redealt(self._game, self._state, self._moves, self._random)

    def _widen(self, moves: Sequence[Move], share: int) -> None:
        """Play on so many games from each of some moves."""
        deals = min(DEALS, share)
        for deal in range(deals):
            times = share // deals + (deal < share % deals)
            self._play_on(self._root, self._deal(), moves, times)

    def _play_on(
        self, node: Node, state: State, moves: Sequence[Move], times: int
    ) -> tuple[int, int]:
        """Play on so many games from each of some moves: how many in all, and by what lead."""
        leads = self._leads(self._game, state, self._me, moves, times, self._random)
        for move, lead in zip(moves, leads, strict=True):
            node.children.setdefault(move, Node()).add(times, lead)
        node.add(times * len(moves), sum(leads))
        return times * len(moves), sum(leads)

    def _deepen(self, move: Move) -> None:
        """One visit of the tree below a move: down to a leaf, and games from there."""
        path = [self._root]
        state, node = self._game.apply(self._deal(), move), self._root.children[move]
        moves = self._game.legal_moves(state)
        while moves and (node.children or moves.player == CHANCE):
            path.append(node)
            move = self._choice(node, moves)
            node = node.children.setdefault(move, Node())
            state = self._game.apply(state, move)
            moves = self._game.legal_moves(state)
        games, lead = self._at_leaf(node, state, moves)
        for each in path:
            each.add(games, lead)

    def _at_leaf(self, node: Node, state: State, moves: MoveSet) -> tuple[int, int]:
        if not moves:
            lead = BATCH * value_of(self._game, state, self._me)[1]
            node.add(BATCH, lead)
            return BATCH, lead
        some = self._random.sample([*moves], min(len(moves), BATCH))
        return self._play_on(node, state, some, max(1, BATCH // len(some)))

    def _choice(self, node: Node, moves: MoveSet) -> Move:
        """What chance draws, or what has the best upper bound to whoever decides."""
        if moves.player == CHANCE:
            return moves.sample(self._random)
        sign = 1 if moves.player == self._me else -1
        doubt = EXPLORATION * self._spread * sqrt(log(1 + node.games))
        tried = [move for move in moves if move in node.children]
        if not tried:  # other moves than when it was first visited
            return moves.sample(self._random)
        found = ((sign * c.mean + doubt / sqrt(c.games or 1), m) for m, c in _pairs(node, tried))
        return max(found, key=lambda each: each[0])[1]

    @property
    def _spread(self) -> float:
        """By how much leads stray from move to move."""
        means = [child.mean for child in self._root.children.values() if child.games]
        return 1.0 + max(means) - min(means)


def _pairs(node: Node, moves: Sequence[Move]) -> list[tuple[Move, Node]]:
    return [(move, node.children[move]) for move in moves]


def tree_search(playouts: int, leads: Leads = by_states) -> Bot:
    """A bot that has about so many games played on by chance before it decides. leads: plays them.

    With a budget of fewer games than moves it looks at so many moves, drawn by lot.
    """

    def bot(game: GameLike, state: State, moves: MoveSet, random: Random) -> Move:
        if len(moves) == 1:
            return next(iter(moves))
        return Search(game, state, moves, leads, random).best(playouts)

    return bot


native_tree_search = partial(tree_search, leads=by_kernel)
"""The same bot; the native kernel plays the games."""
