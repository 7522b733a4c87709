"""Bots: what they choose is legal, and what they know is what they may."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings, strategies as st

from kbrules.engine.game import Game
from kbrules.engine.matches import Match, outcome, play_to_end
from kbrules.game.board import NONE
from kbrules.game.moves import CHANCE, Move, MoveGroup, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State, draft_of
from kbrules.tools import bots as searching
from kbrules.tools.bots import (
    BOTS,
    DESCRIPTIONS,
    NAMES,
    TreeSearch,
    UnknownBot,
    bot_named,
    bots_text,
    greedy,
    leads_by_states,
    native_bot_named,
    redeal_hidden_cards,
    tree_search,
)
from kbrules.tools.simulate.figures import Tally
from tests.engine.games import any_move, logged, table_of


@pytest.mark.parametrize("name", BOTS)
def test_a_seed_decides_what_a_bot_does(name: str) -> None:
    _, game = table_of(4, 3)
    one, other = (Match(game, 4, [BOTS[name]] * 3) for _ in range(2))
    assert [played.move for played in one] == [played.move for played in other]
    assert one.state.is_over


def test_greed_pays() -> None:
    wins = 0
    for seed in range(12):
        _, game = table_of(seed)
        bots = [any_move, greedy] if seed % 2 else [greedy, any_move]
        totals = game.score(play_to_end(game, seed, bots)).totals
        wins += totals[seed % 2] > totals[1 - seed % 2]
    assert wins >= 10


def after(game: Game, state: State, me: int) -> tuple[int, int]:
    totals = game.score(state).totals
    return totals[me], totals[me] - max(t for player, t in enumerate(totals) if player != me)


@given(st.integers(0, 15), st.data())
@settings(max_examples=40)
def test_of_builds_on_few_hexes_the_best_is_chosen(seed: int, data: st.DataObject) -> None:
    """Compared with trying all of them, wherever each move is whole by itself."""
    log = logged(seed, 3)
    game = log.game
    few = [
        played.before
        for played in log.played
        if played.player != CHANCE
        and all(group.verb == "build" for group in game.legal_moves(played.before).groups)
        and 1 < len(game.legal_moves(played.before)) <= 60
    ]
    state = data.draw(st.sampled_from(few))
    moves = game.legal_moves(state)
    chosen = greedy(game, state, moves, Random(data.draw(st.integers(0, 9)), "greedy"))
    worths = {move: after(game, game.apply(state, move), moves.player) for move in moves}
    assert worths[chosen] == max(worths.values())


@dataclass(frozen=True)
class Toy:
    """A game of one decision: each move leads to a state of its name with this much gold."""

    gold: dict[str, int]
    offered: MoveSet

    def legal_moves(self, state: SimpleNamespace) -> MoveSet:
        return self.offered if state.name == "now" else MoveSet(CHANCE, ())

    def apply(self, state: SimpleNamespace, move: Move) -> SimpleNamespace:
        return SimpleNamespace(name=move.rule, seats=(SimpleNamespace(pieces=(move.rule,)),))

    def totals(self, state: SimpleNamespace) -> tuple[int, ...]:
        return self.gold[state.name], 9

    @property
    def scoring(self) -> SimpleNamespace:
        return SimpleNamespace(win_values=lambda state, totals: ())


NOW = SimpleNamespace(name="now", seats=(SimpleNamespace(pieces=("now",)),), stack=(), used=())


@pytest.mark.parametrize(
    ("worse", "better", "ending", "chosen"),
    [
        (3, 7, True, "better"),
        (3, 5, True, "better"),  # it costs nothing, so it is done
        (3, 4, True, "turn"),
        (3, 4, False, "better"),  # something must be done
    ],
)
def test_a_turn_ends_only_when_all_else_costs_gold(
    worse: int, better: int, ending: bool, chosen: str
) -> None:
    groups = [MoveGroup("build", "worse"), MoveGroup("build", "better")]
    moves = MoveSet(0, (*groups, MoveGroup("end", "turn")) if ending else tuple(groups))
    toy: Any = Toy({"now": 5, "worse": worse, "better": better, "turn": 5}, moves)
    now: Any = NOW
    for seed in range(5):
        assert greedy(toy, now, moves, Random(seed, "greedy")).rule == chosen


def test_of_half_a_move_the_best_way_to_go_on_counts() -> None:
    """Whoever lifts a piece looks where it may go; what must be done may cost gold."""
    lifted = 0
    for seed in range(8):
        _, game = table_of(seed, 2)
        for played in Match(game, seed, [greedy] * 2):
            offered = {group.verb for group in game.legal_moves(played.before).groups}
            if played.move.verb == "lift" and "end" in offered:
                lifted += 1
                me = played.player
                now = game.score(played.before).totals[me]
                ways = game.legal_moves(played.transition.state)
                ends = [game.apply(played.transition.state, way) for way in ways]
                assert max(game.score(end).totals[me] for end in ends) >= now
    assert lifted > 5


@pytest.mark.parametrize("name", ["careful", "careful:0", "careful:3", "mc:6"])
def test_a_seed_decides_what_a_bot_with_a_number_does(name: str) -> None:
    _, game = table_of(4, 2)
    moves = []
    for _ in range(2):
        match = Match(game, 4, [bot_named(name)] * 2)
        moves.append([played.move for _, played in zip(range(40), match, strict=False)])
    assert moves[0] == moves[1] and len({*moves[0]}) > 10


@pytest.mark.parametrize(
    "name", ["greed", "mc:", "mc:0", "random:3", "careful:-1", "MC", "mc:1x", ""]
)
def test_a_name_of_no_bot_is_told_with_those_there_are(name: str) -> None:
    with pytest.raises(UnknownBot) as told:
        bot_named(name)
    assert told.value.help


def test_bots_with_a_number_have_a_usual_one() -> None:
    assert NAMES == ("random", "greedy", "careful:1", "mc:100", "uct:2000")
    assert all(bot_named(name) for name in NAMES)
    assert {name.partition(":")[0] for name in NAMES} == set(DESCRIPTIONS)
    assert all(f"{name.partition(':')[0]}" in bots_text() for name in NAMES)


@pytest.mark.parametrize(("better", "chosen"), [(6, "better"), (5, "better"), (4, "turn")])
def test_a_careful_bot_ends_its_turn_like_a_greedy_one(better: int, chosen: str) -> None:
    moves = MoveSet(
        0, (MoveGroup("build", "worse"), MoveGroup("build", "better"), MoveGroup("end", "turn"))
    )
    toy: Any = Toy({"now": 5, "worse": 3, "better": better, "turn": 5}, moves)
    now: Any = NOW
    for seed in range(5):
        for margin in range(2):
            bot = bot_named(f"careful:{margin}")
            assert bot(toy, now, moves, Random(seed, "careful")).rule == chosen


@pytest.mark.slow
def test_care_pays() -> None:
    """What it gives up now it has back later; each pair of games has one table and both seats."""
    bots, gaps = [bot_named("careful"), bot_named("greedy")], Tally()
    for seed in range(120):
        _, game = table_of(seed)
        here, there = (outcome(game, seed, seats).totals for seats in (bots, bots[::-1]))
        gaps.add(here[0] - here[1] + there[1] - there[0], 2)
    assert gaps.figure().low > 0


@dataclass(frozen=True)
class Replies:
    """A game in which the other player replies to a move: who does less has more left, and then
    it is over."""

    left: dict[str, tuple[int, int]]

    def legal_moves(self, state: SimpleNamespace) -> MoveSet:
        replies = {name: MoveGroup("build", f"{name}, replied") for name in ("rich", "safe")}
        if state.name in replies:
            return MoveSet(1, (replies[state.name],))
        return MoveSet(CHANCE, ())

    def apply(self, state: SimpleNamespace, move: Move) -> SimpleNamespace:
        return SimpleNamespace(name=move.rule, seats=(SimpleNamespace(pieces=(move.rule,)),))

    def totals(self, state: SimpleNamespace) -> tuple[int, ...]:
        return self.left[state.name]

    @property
    def scoring(self) -> SimpleNamespace:
        return SimpleNamespace(win_values=lambda state, totals: ())


@pytest.mark.parametrize(("margin", "chosen"), [(0, "rich"), (1, "rich"), (2, "safe")])
def test_of_moves_within_the_margin_the_one_that_is_best_later_is_chosen(
    margin: int, chosen: str
) -> None:
    left = {"rich": (9, 5), "safe": (7, 5), "rich, replied": (9, 12), "safe, replied": (7, 6)}
    game: Any = Replies({"now": (4, 5), **left})
    now: Any = NOW
    moves = MoveSet(0, (MoveGroup("build", "rich"), MoveGroup("build", "safe")))
    for seed in range(5):
        assert bot_named(f"careful:{margin}")(game, now, moves, Random(seed, "c")).rule == chosen


class Further(Replies):
    """A game in which whoever has moved decides once more, and not everywhere as well."""

    def legal_moves(self, state: SimpleNamespace) -> MoveSet:
        further = {name: MoveGroup("build", f"{name}, further") for name in ("here", "there")}
        if state.name in further:
            return MoveSet(0, (further[state.name],))
        return MoveSet(CHANCE, ())


def test_of_equal_moves_the_one_that_leads_on_is_chosen() -> None:
    left = {"here": (5, 5), "there": (5, 5), "here, further": (6, 5), "there, further": (9, 5)}
    game: Any = Further({"now": (4, 5), **left})
    now: Any = NOW
    moves = MoveSet(0, (MoveGroup("build", "here"), MoveGroup("build", "there")))
    for seed in range(8):
        assert bot_named("careful:0")(game, now, moves, Random(seed, "c")).rule == "there"


def test_games_played_on_find_the_move_that_wins() -> None:
    """Close to the end, the move by which one gets most is found by chance alone."""
    wins = 0
    for seed in range(3):
        _, game = table_of(seed)
        state = _near_the_end(game, seed)
        moves = game.legal_moves(state)
        ends = {move: game.totals(_ended(game, game.apply(state, move))) for move in moves}
        lead = {move: end[moves.player] - end[1 - moves.player] for move, end in ends.items()}
        chosen = bot_named("mc:400")(game, state, moves, Random(seed, "mc"))
        wins += lead[chosen] >= sorted(lead.values())[len(lead) // 2]
    assert wins == 3


def _near_the_end(game: Game, seed: int) -> State:
    """The last decision of a random game that is one."""
    states = [p.before for p in Match(game, seed, [any_move] * 2) if p.player != CHANCE]
    return next(state for state in reversed(states) if len(game.legal_moves(state)) > 3)


def _ended(game: Game, state: State) -> State:
    random = Random(0, "end")
    while moves := game.legal_moves(state):
        state = game.apply(state, moves.sample(random))
    return state


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


class SearchedReplies:
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
    game: Any = SearchedReplies()
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
