"""Random games of single boxes, editions and variants: all laws, and their own."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from kbrules.engine.configuration import IllegalMove
from kbrules.engine.game import Game
from kbrules.engine.setup import choose_table, game_at
from kbrules.game.events import LastRound
from kbrules.game.moves import CHANCE, Move
from kbrules.game.random import Random
from kbrules.game.state import Seat, State
from kbrules.library.boards.tables import Layout
from kbrules.library.box import shipped_boxes, usual_boxes
from tests.oracle.seen import rules
from tests.properties.laws import check_events, check_near, check_state, check_step, check_turn
from tests.properties.mixed_laws import Laws
from tests.properties.mixes import Step, game_of, played, rules as mixed_rules, table_of
from tests.properties.test_mixes import play_by_the_laws

LONGEST = 2_000
SEEDS = st.integers(0, 2**32)
RULES = ("mandatory", "turn", "", "oracle", "farm", "oasis", "tower", "tavern", "barn", "harbor",
         "paddock", "nobody")  # fmt: skip
VERBS = ("build", "lift", "move", "end", "stop", "use", "fly")
OPTIONS: list[dict[str, Any]] = [
    {}, {"null_moves": True}, {"lift_first": False}, {"build_without_card": True},
]  # fmt: skip


class Games(RuleBasedStateMachine):
    """One game; `path` holds every state with its hash, `played` the moves between them."""

    game: Game

    @initialize(
        players=st.integers(2, 4), seed=SEEDS, setup=st.sampled_from(["random", "first-game"]),
        options=st.sampled_from(OPTIONS),
    )  # fmt: skip
    def sit_down(self, players: int, seed: int, setup: str, options: dict[str, Any]) -> None:
        table = choose_table(rules(), players, seed, setup, options)
        self.game = game_at(rules(), table)
        self.played: list[Move] = []
        self.path: list[tuple[State, str]] = []
        self.turns: list[int] = [0] * players
        self.turn: list[State] = []
        self.builds = 0
        self.come_to(self.game.start())

    def come_to(self, state: State) -> None:
        self.path.append((state, state.hash()))
        if state.stage[0] == "turn":
            self.turn.append(state)
        check_state(self.game, state)

    @property
    def state(self) -> State:
        return self.path[-1][0]

    def play(self, move: Move) -> None:
        before = self.state
        moves = self.game.legal_moves(before)
        if moves.player != CHANCE:
            check_near(self.game, before, moves)
        step = self.game.play(before, move)
        check_events(self.game, before, step.events, step.state)
        check_step(self.game, before, move, step.state)
        self.builds += (move.verb, move.rule) == ("build", "mandatory")
        if before.stage[0] == "turn" and before.stage != step.state.stage:
            check_turn(self.builds, self.turn, step.state)
            self.count_turns(before, step.state)
            self.builds, self.turn = 0, []
        self.played.append(move)
        self.come_to(step.state)

    def count_turns(self, before: State, after: State) -> None:
        """A turn with nothing to decide may pass unseen, so count by the number of the turn."""
        last = after.stage[1] if after.stage[0] == "turn" else before.stage[1] + 1
        for number in range(before.stage[1], last):
            self.turns[number % len(self.turns)] += 1
        assert (before.active, after.is_over or after.active) == (
            before.stage[1] % len(self.turns),
            after.is_over or last % len(self.turns),
        )

    @precondition(lambda self: not self.state.is_over)
    @rule(count=st.integers(1, 25), seed=SEEDS)
    def go_on(self, count: int, seed: int) -> None:
        random = Random(seed, "play")
        for _ in range(count):
            if not self.state.is_over:
                self.play(self.game.legal_moves(self.state).sample(random))

    @rule(verb=st.sampled_from(VERBS), name=st.sampled_from(RULES), seed=SEEDS)
    def try_any(self, verb: str, name: str, seed: int) -> None:
        """What is offered can be done, what is not offered is refused with a reason."""
        hexes = _hexes(self.game)
        self.attempt(Move(verb, name, hexes[seed % len(hexes)]))

    @rule(seed=SEEDS)
    def try_elsewhere(self, seed: int) -> None:
        """The moves that are offered, put on other hexes."""
        hexes = _hexes(self.game)
        moves = self.game.legal_moves(self.state)
        for group in moves.groups if moves.player != CHANCE else ():
            self.attempt(Move(group.verb, group.rule, hexes[seed % len(hexes)]))

    def attempt(self, move: Move) -> None:
        state, digest = self.path[-1]
        if move in self.game.legal_moves(state):
            self.game.apply(state, move)
        else:
            with pytest.raises(IllegalMove) as refused:
                self.game.apply(state, move)
            assert refused.value.refusal.reasons
            assert all(reason.text for reason in refused.value.refusal.reasons)
        assert state.hash() == digest

    @rule()
    def do_everything(self) -> None:
        """Every single move that is offered can be done, and leaves this state as it was."""
        state, digest = self.path[-1]
        for move in self.game.legal_moves(state):
            after = self.game.apply(state, move)
            assert after != state
        assert state.hash() == digest

    @precondition(lambda self: self.played)
    @rule(back=SEEDS)
    def look_back(self, back: int) -> None:
        """A state of long ago is what it was, and the same move leads where it led."""
        index = back % len(self.played)
        state, digest = self.path[index]
        assert state.hash() == digest
        again = self.game.apply(state, self.played[index])
        assert again.hash() == self.path[index + 1][1]
        assert again == self.path[index + 1][0]

    def teardown(self) -> None:
        """Every game comes to its end, all having had as many turns; the same moves lead there."""
        if not hasattr(self, "game"):
            return
        random = Random(len(self.played), "to the end")
        while not self.state.is_over:
            self.play(self.game.legal_moves(self.state).sample(random))
            assert len(self.played) < LONGEST
        assert len(set(self.turns)) == 1
        assert any(seat.supply[0] == 0 for seat in self.state.seats)
        self.replay()
        sheet = self.game.score(self.state)
        assert sheet.winners
        for player, total in enumerate(sheet.totals):
            assert (player in sheet.winners) == (total == max(sheet.totals))

    def replay(self) -> None:
        state = self.game.start()
        for move, (_, digest) in zip(self.played, self.path, strict=False):
            assert state.hash() == digest
            state = self.game.apply(state, move)
        assert state.hash() == self.path[-1][1]


def _hexes(game: Game) -> list[int]:
    grid = game.board.grid
    return [-1, *(hex for hex in range(grid.full.bit_length()) if grid.full >> hex & 1)]


class ManyGames(Games):
    """The same for longer."""


Games.TestCase.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
ManyGames.TestCase.settings = settings(max_examples=1500, stateful_step_count=40, deadline=None)
TestGames = Games.TestCase
TestManyGames = pytest.mark.slow(ManyGames.TestCase)


GAMES, EARLY = 30, 12
"""Games of each mix, and how many of them `make test` plays."""


class Returning(Laws):
    """A tile that is lost lies on its place again, whoever stands there by then."""

    def tile_was_taken(self, player: int, place: int) -> None:
        return

    def end(self, state: State) -> None:
        super().end(state)
        place, tiles = self.ledger.tiles, self.game.board.tiles
        gone = {hex for hex, number in self.ledger.gone.items() if number}
        assert {place[tiles[hex]].place for hex in gone} <= {"nomad"}, "a tile left the game"


class Casual(Laws):
    """Three cards are held, and four scoring cards are in play."""

    def end(self, state: State) -> None:
        super().end(state)
        assert len(self.game.cards) == 4
        assert all(len(seat.hand) <= 3 for seat in state.seats)


class SixSections(Laws):
    """Twice three sections make a table, and none lies there twice."""

    def end(self, state: State) -> None:
        super().end(state)
        grid = self.game.board.grid
        assert len(self.game.board.sectors) == 6
        assert (grid.full.bit_count(), grid.name(max(self.ledger.ground.near))) == (600, "t30")


class NewEdition(Laws):
    """Each sector has tiles of one kind, no other has them, and castle tiles lie in two sectors."""

    def end(self, state: State) -> None:
        super().end(state)
        board, option = self.game.board, self.game.options.get("beautiful_castles", False)
        there = [{k for hex, k in board.tiles.items() if s >> hex & 1} for s in board.sectors]
        assert [len(kinds) for kinds in there] == [1, 1, 1, 1]
        assert len(set.union(*there)) == 4
        assert len(board.stand_ins) == 4 and len({id[:6] for id in board.stand_ins}) == 1
        castles = state.memory[self.game.ruleset.memories["castle_tiles"][1]]
        assert castles.bit_count() == 2 * option
        assert sum(bool(castles & sector) for sector in board.sectors) == 2 * option
        for player in range(self.game.players):
            near = self.ledger.ground.around(state.seats[player].all)
            line = self.game.score(state).line("castle_gold", player)
            assert line is not None and line.gold == 3 * (near & castles).bit_count()


LAWS: dict[tuple[str, ...], type[Laws]] = {
    ("casual",): Casual,
    ("five_players",): Laws,
    ("returning_tiles",): Returning,
    ("settled_lords",): Laws,
    ("six_sections",): SixSections,
    ("new_edition",): NewEdition,
    ("capitol", "caves", "nomads", "new_edition"): Laws,
    ("island", "new_edition"): Laws,
    ("casual", "nomads", "returning_tiles", "settled_lords", "six_sections"): Returning,
}


@pytest.mark.parametrize("boxes", LAWS, ids="+".join)
def test_every_law_holds_in_every_game(boxes: tuple[str, ...]) -> None:
    """And all of them can be played together with base."""
    occurred = _play(boxes, range(EARLY))
    assert occurred >= {tile.id for tile in mixed_rules(()).catalog.tiles}


@pytest.mark.slow
@pytest.mark.parametrize("boxes", LAWS, ids="+".join)
def test_every_law_holds_in_later_games(boxes: tuple[str, ...]) -> None:
    _play(boxes, range(EARLY, GAMES))


def _play(boxes: tuple[str, ...], seeds: range) -> set[str]:
    """Play some games by the laws; what occurred in them."""
    occurred: set[str] = set()
    for seed in seeds:
        try:
            occurred |= play_by_the_laws(game_of(boxes, seed), seed, LAWS[boxes])
        except Exception as error:
            error.add_note(f"the game of {boxes} with seed {seed}")
            raise
    return occurred


def test_no_box_apart_is_passed_over() -> None:
    assert {id for boxes in LAWS for id in boxes} - {*usual_boxes()} == {*shipped_boxes()} - {
        *usual_boxes()
    }


def test_games_of_the_other_boxes_do_not_know_of_them() -> None:
    game = game_of((), 1)
    assert game.ruleset.boxes == ("base",)
    assert not any(board.startswith("side") for board in game.board.stand_ins)


MIXES = (("marshlands",), ("marshlands", "nomads", "crossroads", "caves", "capitol"))
MARSH_GAMES = 12
MARSHES = Layout(((("canoe", False), ("temple", True)), (("refuge", True), ("fountain", False))))
KINDS = ("temple", "refuge", "canoe", "fountain")


def remembered(game: Game, seat: Seat, name: str) -> int:
    return seat.memory[game.ruleset.memories[name][1]]


def no_piece_is_lost(game: Game, state: State) -> None:
    """On the board, in the supply, or laid aside; only settlements are laid aside."""
    for seat in state.seats:
        for piece, of in enumerate(game.ruleset.catalog.pieces):
            begun = remembered(game, seat, "founded") or state.stage[0] != "turn"
            owed = 0 if begun else remembered(game, seat, "owed")
            stored = remembered(game, seat, "away") + owed if of.id == "settlement" else 0
            on = seat.pieces[piece].bit_count() // of.size
            assert of.neutral or on + seat.supply[piece] + stored == of.supply, of.id


def bonuses_come_with_two(game: Game, state: State) -> None:
    """One bonus tile of a kind at most, and with the default never without two of the kind."""
    names = [tile.id for tile in game.ruleset.catalog.tiles]
    for seat in state.seats:
        held = Counter(names[tile.kind] for tile in seat.tiles)
        for kind in KINDS:
            assert held[f"{kind}_bonus"] <= 1 and held[kind] <= 2
            if game.plan.option("bonus_lost"):
                assert held[f"{kind}_bonus"] == (held[kind] == 2), kind


def who_decides(game: Game, state: State) -> int:
    """Whoever has the turn decides, but for reactions; 1 if this is one."""
    moves = game.legal_moves(state)
    rules = {group.rule for group in moves.groups}
    if moves.player in (CHANCE, state.active) and rules != {"canoe"}:
        return 0
    assert not moves or rules == {"canoe"}, rules
    assert not moves or ("stop", "canoe") in {(g.verb, g.rule) for g in moves.groups}
    unused = [t for t in state.seats[moves.player].tiles if t.status != "used"]
    names = [game.ruleset.catalog.tiles[tile.kind].id for tile in unused]
    deciding = state.stack[-1].block.endswith("?")
    assert not moves or not deciding or "canoe" in names
    return 1


def the_end_waits_for_pieces_off_the_board(game: Game, step: Step) -> int:
    """The last round waits for a settlement laid aside, unless an option says otherwise."""
    _, _, done = step
    calls = [event.player for event in done.events if isinstance(event, LastRound)]
    for player in calls:
        seat = done.state.seats[player]
        waits = game.options.get("temple_delays_end", True) and remembered(game, seat, "away") > 0
        assert seat.supply[0] == 0 and not waits
    return len(calls)


def takers_are_not_asked(game: Game, state: State) -> None:
    """Nobody is asked because of a last tile they took themselves."""
    if state.stack and state.stack[-1].block.endswith("?"):
        assert game.legal_moves(state).player != state.stack[-1].env["actor"]


@pytest.mark.parametrize("boxes", MIXES, ids="+".join)
def test_every_law_holds_in_every_game_in_the_marshes(boxes: tuple[str, ...]) -> None:
    reactions = calls = 0
    for seed in range(MARSH_GAMES):
        table = replace(table_of(mixed_rules(boxes), seed), layout=MARSHES, tiles={})
        game = game_at(mixed_rules(boxes), table)
        for step in played(game, seed):
            state = step[2].state
            no_piece_is_lost(game, state)
            bonuses_come_with_two(game, state)
            takers_are_not_asked(game, state)
            reactions += who_decides(game, state)
            calls += the_end_waits_for_pieces_off_the_board(game, step)
    assert calls == MARSH_GAMES
    assert reactions > 0
