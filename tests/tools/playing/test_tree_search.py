"""The bot that searches a tree: it never looks at hidden cards, and sees what others reply."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from kbrules.engine.game import Game
from kbrules.engine.matches import Match, outcome
from kbrules.game.board import NONE
from kbrules.game.moves import CHANCE, Move, MoveGroup, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State, draft_of
from kbrules.tools import bots as searching
from kbrules.tools.bots import (
    TreeSearch,
    bot_named,
    leads_by_states,
    native_bot_named,
    redeal_hidden_cards,
    tree_search,
)
from kbrules.tools.simulate.figures import Tally
from tests.engine.games import any_move, table_of


def positions(seed: int, engine: str = "reference") -> Iterator[tuple[Game, State]]:
    """Decisions of a random game in which somebody else holds a card."""
    _, table = table_of(seed, 3)
    game = table.with_engine(engine)
    match = Match(game, seed, [any_move] * 3)
    for number, played in enumerate(match):
        hands = [s.hand for p, s in enumerate(played.before.seats) if p != played.player]
        if played.player != CHANCE and number % 23 == 0 and any(hands):
            yield game, played.before


def otherwise_hidden(game: Game, state: State) -> State:
    """The same to whoever decides: a card of another player's hand is exchanged with the deck."""
    me = game.legal_moves(state).player
    deck, *piles = map(list, state.piles)
    draft, seats = draft_of(state), list(state.seats)
    for player, seat in enumerate(seats):
        cards = [card for card in seat.hand if card != NONE]
        others = [kind for kind, left in enumerate(deck) if left and kind not in cards]
        if player != me and cards and others:
            deck[others[0]] -= 1
            deck[cards[0]] += 1
            hand = tuple(others[0] if card == cards[0] else card for card in seat.hand)
            seats[player] = seat._replace(hand=hand)
            break
    draft.seats, draft.piles = tuple(seats), tuple(map(tuple, (deck, *piles)))
    return draft.seal()


def tree_of(game: Game, state: State, playouts: int = 60) -> dict[Move, tuple[int, int]]:
    """What a search counts for each of its moves."""
    search = TreeSearch(game, state, game.legal_moves(state), leads_by_states, Random(1, "search"))
    root = search._first_phase(playouts)
    return {move: (child.games, child.lead) for move, child in root.children.items()}


@pytest.mark.parametrize("seed", range(2))
def test_states_that_differ_in_hidden_things_are_played_alike(seed: int) -> None:
    bot = tree_search(40)
    for game, state in islice(positions(seed), 2):
        twin = otherwise_hidden(game, state)
        moves = game.legal_moves(state)
        assert twin != state and game.legal_moves(twin) == moves
        chosen = [bot(game, each, moves, Random(5, "bot")) for each in (state, twin)]
        assert chosen[0] == chosen[1]
        assert tree_of(game, state, 20) == tree_of(game, twin, 20)


def test_whoever_looked_would_be_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "redeal_hidden_cards", lambda game, state, moves, random: state)
    differ = [
        tree_of(game, state) != tree_of(game, otherwise_hidden(game, state))
        for game, state in islice(positions(0), 2)
    ]
    assert any(differ)


def test_hidden_cards_are_dealt_by_what_is_left() -> None:
    """Each kind as often as the deck and the hands of others have it; everything else stays."""
    game, state = next(positions(3))
    moves, random = game.legal_moves(state), Random(0, "deal")
    pool, seen = Counter[int](), Counter[int]()
    for kind, left in enumerate(state.piles[0]):
        pool[kind] += left
    hidden = [p for p in range(3) if p != moves.player]
    pool.update(card for p in hidden for card in state.seats[p].hand)
    first = next(p for p in hidden if state.seats[p].hand)
    for _ in range(2000):
        dealt = redeal_hidden_cards(game, state, moves, random)
        held = Counter(card for p in hidden for card in dealt.seats[p].hand)
        assert held + Counter(dict(enumerate(dealt.piles[0]))) == pool
        assert dealt.seats[moves.player] == state.seats[moves.player]
        assert dealt.piles[1:] == state.piles[1:]
        seen[dealt.seats[first].hand[0]] += 1
    for kind, count in pool.items():
        share = count / pool.total()
        assert abs(seen[kind] - 2000 * share) < 5 * (2000 * share * (1 - share)) ** 0.5 + 1


def test_the_native_kernel_plays_the_same_moves() -> None:
    pytest.importorskip("numba")
    bots = bot_named("uct:150"), native_bot_named("uct:150")
    for game, state in islice(positions(2), 3, 5):
        moves, fast = game.legal_moves(state), game.with_engine("native")
        plainly = bots[0](game, state, moves, Random(7, "bot"))
        assert bots[1](fast, state, fast.legal_moves(state), Random(7, "bot")) == plainly


class Replies:
    """One moves here or there; then the other replies, well or badly, and it is over."""

    leads: ClassVar = {"here, good": -9, "here, bad": 21, "there, good": 1, "there, bad": 2}
    scoring = SimpleNamespace(win_values=lambda state, totals: ())

    def legal_moves(self, state: SimpleNamespace) -> MoveSet:
        if state.name in ("here", "there"):
            groups = (MoveGroup("build", "good"), MoveGroup("build", "bad"))
            return MoveSet(1, groups)
        return MoveSet(CHANCE, ())

    def apply(self, state: SimpleNamespace, move: Move) -> SimpleNamespace:
        name = move.rule if state.name == "now" else f"{state.name}, {move.rule}"
        return SimpleNamespace(name=name)

    def totals(self, state: SimpleNamespace) -> tuple[int, int]:
        return self.leads[state.name], 0

    def played_on(
        self, game: Any, state: Any, me: int, moves: Any, times: int, random: Random
    ) -> list[int]:
        """By chance half of the replies are bad."""
        ends = [self.apply(state, move).name for move in moves]
        return [sum(self._end(name, random) for _ in range(times)) for name in ends]

    def _end(self, name: str, random: Random) -> int:
        reply = name if "," in name else f"{name}, {random.choice(['good', 'bad'])}"
        return self.leads[reply]


def test_a_tree_sees_what_games_by_chance_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """By chance `here` leads by 6 on average; whoever replies well makes it lose."""
    monkeypatch.setattr(searching, "redeal_hidden_cards", lambda game, state, moves, random: state)
    game: Any = Replies()
    now: Any = SimpleNamespace(name="now", stack=(), used=())
    moves = MoveSet(0, (MoveGroup("build", "here"), MoveGroup("build", "there")))
    for seed in range(5):
        bot = tree_search(4000, game.played_on)
        assert bot(game, now, moves, Random(seed, "bot")).rule == "there"
        flat = tree_search(60, game.played_on)
        assert flat(game, now, moves, Random(seed, "bot")).rule == "here"


@pytest.mark.parametrize("playouts", [1, 7, 500])
def test_the_budget_is_kept(playouts: int) -> None:
    spent = 0

    def counted(
        game: Any, state: State, me: int, moves: Any, times: int, random: Random
    ) -> list[int]:
        nonlocal spent
        spent += times * len(moves)
        return [0] * len(moves)

    for game, state in islice(positions(0), 2):
        spent = 0
        tree_search(playouts, counted)(game, state, game.legal_moves(state), Random(0, "bot"))
        assert 0 < spent <= playouts


@pytest.mark.slow
def test_it_beats_the_greedy_bot() -> None:
    pytest.importorskip("numba")
    bots, gaps = [native_bot_named("uct:1000"), native_bot_named("greedy")], Tally()
    for seed in range(20):
        _, table = table_of(seed)
        game = table.with_engine("native")
        here, there = (outcome(game, seed, seats).totals for seats in (bots, bots[::-1]))
        gaps.add(here[0] - here[1] + there[1] - there[0], 2)
    assert gaps.figure().low > 0
