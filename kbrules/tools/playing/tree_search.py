"""The bot that searches a tree: Monte Carlo tree search with a budget of games for each decision.

A part of the budget is spent on all moves alike. The moves after which the bot leads by most are
kept, and the rest grows a tree below them by upper confidence bounds. The decisions in it are those
of all players, of whom the others want the bot to lead by little. A leaf gets a few moves: those
that did best when they were tried at once, and others that came up since. From each of these a few
games are played on by chance, up to their end. Chance draws anew at each visit.

What others hold in their hands is dealt anew for every visit: the bot never looks at it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from math import log, sqrt

from kbrules.engine.configuration import GameLike
from kbrules.engine.matches import Bot
from kbrules.game.moves import CHANCE, Move, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.tools.playing.greedy import decide_within, value_of
from kbrules.tools.playing.montecarlo import (
    MAX_WORK,
    Leads,
    leads_by_kernel,
    leads_by_states,
    redeal_hidden_cards,
)

FIRST_PHASE_SHARE = 3  # a third of the budget is for all moves alike
KEPT_MOVES = 8  # moves that are kept after that
LEAF_MOVES = 6  # moves of a leaf that are tried
LEAF_PLAYOUTS = 60  # games that are played on from a leaf
DEALS = 8  # deals of hidden cards, at most, for the games of all moves alike
EXPLORATION = 10.0  # gold by which the lead of a game strays: how much doubt is worth


class SearchNode:
    """A place in the tree: games played on from below it, and by how much they were led in all."""

    __slots__ = ("children", "games", "lead")

    def __init__(self) -> None:
        self.games, self.lead = 0, 0
        self.children: dict[Move, SearchNode] = {}

    def add(self, games: int, lead: int) -> None:
        """Take in some games."""
        self.games += games
        self.lead += lead

    @property
    def mean(self) -> float:
        """By how much they were led on average; of none, nothing."""
        return self.lead / self.games if self.games else 0.0

    def best(self, moves: Iterable[Move], sign: int, exploration: float) -> Move:
        """The move with the highest bound; sign: -1 for who wants the lead to be small."""
        exploration *= sqrt(log(1 + self.games))
        bounds = [
            (sign * child.mean + exploration / sqrt(child.games or 1), move)
            for move, child in ((move, self.children[move]) for move in moves)
        ]
        return max(bounds, key=lambda each: each[0])[1]


class TreeSearch:
    """A search for the best of the moves of a player, the one whose lead is meant."""

    def __init__(
        self, game: GameLike, state: State, moves: MoveSet, leads: Leads, random: Random
    ) -> None:
        self._game, self._state, self._moves = game, state, moves
        self._leads, self._random, self._me = leads, random, moves.player
        self._means: dict[Move, float] = {}

    def best(self, playouts: int) -> Move:
        """The best move after so many games."""
        root = self._first_phase(playouts // FIRST_PHASE_SHARE or 1)
        self._means = {move: child.mean for move, child in root.children.items()}
        kept = sorted(self._means, key=self._means.__getitem__, reverse=True)[:KEPT_MOVES]
        while len(kept) > 1 and root.games + LEAF_PLAYOUTS <= playouts:
            move = root.best(kept, 1, EXPLORATION)
            root.add(*self._visit(root.children[move], self._game.apply(self._deal(), move)))
        return max(kept, key=lambda move: root.children[move].mean)

    def _deal(self) -> State:
        return redeal_hidden_cards(self._game, self._state, self._moves, self._random)

    def _first_phase(self, playouts: int) -> SearchNode:
        """Games played on from all moves alike; of more moves than games, from some."""
        root = SearchNode()
        candidates = self._random.sample([*self._moves], min(len(self._moves), playouts))
        share = playouts // len(candidates)
        deals = min(DEALS, share)
        for deal in range(deals):
            times = share // deals + (deal < share % deals)
            root.add(*self._play_on(root, self._deal(), candidates, times))
        return root

    def _visit(self, node: SearchNode, state: State) -> tuple[int, int]:
        """Down the tree to a leaf: how many games were played on from there, and by what lead."""
        moves, path = self._game.legal_moves(state), [node]
        while moves:
            move = self._choice(node, moves)
            if move is None:
                break
            node = node.children.setdefault(move, SearchNode())
            path.append(node)
            state = self._game.apply(state, move)
            moves = self._game.legal_moves(state)
        games, lead = self._at_leaf(node, state, moves)
        for each in path:
            each.add(games, lead)
        return games, lead

    def _choice(self, node: SearchNode, moves: MoveSet) -> Move | None:
        """What chance draws, or who decides prefers; None where none of the moves was tried."""
        if moves.player == CHANCE:
            return moves.sample(self._random)
        visited = [move for move in node.children if move in moves]
        return node.best(visited, self._sign(moves), EXPLORATION) if visited else None

    def _sign(self, moves: MoveSet) -> int:
        return 1 if moves.player == self._me else -1

    def _at_leaf(self, node: SearchNode, state: State, moves: MoveSet) -> tuple[int, int]:
        if not moves:
            return LEAF_PLAYOUTS, LEAF_PLAYOUTS * value_of(self._game, state, self._me)[1]
        candidates = self._promising(moves)
        return self._play_on(node, state, candidates, max(1, LEAF_PLAYOUTS // len(candidates)))

    def _promising(self, moves: MoveSet) -> Sequence[Move]:
        """A few moves of a leaf: half of them those that did well at once, the others by lot."""
        every = self._random.sample([*moves], len(moves))
        if moves.player != self._me:
            return every[:LEAF_MOVES]
        known = sorted((m for m in every if m in self._means), key=lambda m: -self._means[m])
        new = [move for move in every if move not in self._means]
        return [*known[: max(LEAF_MOVES // 2, LEAF_MOVES - len(new))], *new][:LEAF_MOVES]

    def _play_on(
        self, node: SearchNode, state: State, moves: Sequence[Move], times: int
    ) -> tuple[int, int]:
        """So many games from each of some moves, told to these: how many in all, by what lead."""
        leads = self._leads(self._game, state, self._me, moves, times, self._random)
        for move, lead in zip(moves, leads, strict=True):
            node.children.setdefault(move, SearchNode()).add(times, lead)
        return times * len(moves), sum(leads)


def tree_search(playouts: int, leads: Leads = leads_by_states) -> Bot:
    """A bot that has about so many games played on by chance before it decides. leads: plays them.

    With a budget for fewer games than moves it looks at so many moves, drawn by lot.
    """

    def bot(game: GameLike, state: State, moves: MoveSet, random: Random) -> Move:
        if len(moves) == 1:
            return next(iter(moves))
        search = TreeSearch(game, state, moves, leads, random)
        work = playouts * MAX_WORK
        return decide_within(work, state, moves, random, lambda: search.best(playouts))

    return bot


native_tree_search = partial(tree_search, leads=leads_by_kernel)
"""The same bot; the native kernel plays the games."""
