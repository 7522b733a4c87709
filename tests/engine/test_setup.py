"""Set-up: tables as printed and at random, drafts, seats, editions, phases with a condition."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import pytest
from hypothesis import given, strategies as st

import kbrules
from kbrules.engine.game import Game
from kbrules.engine.logs.replay import parse_log, replay
from kbrules.engine.logs.writing import MatchInfo, Recorder
from kbrules.engine.matches import Match
from kbrules.engine.setup import (
    SetupError,
    TableSetup,
    choose_table,
    draft_cards,
    game_at,
    new_game,
    offered_cards,
    random_strikes,
)
from kbrules.game.moves import CHANCE, Move
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.library.boards.tables import Layout
from kbrules.library.box import shipped_boxes, usual_boxes
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.text import Source
from kbrules.tools.narration import marks_text
from tests.engine.games import any_move
from tests.oracle.geometry import neighbours
from tests.oracle.ground import BUILDABLE, lay
from tests.oracle.positions import Wanted, stand
from tests.oracle.seen import rules

MANY = 300


def tables() -> list[TableSetup]:
    return [choose_table(rules(), 2 + seed % 3, seed) for seed in range(MANY)]


def spots(table: TableSetup) -> list[tuple[str, bool]]:
    return [spot for row in table.layout.rows for spot in row]


@given(st.integers(), st.integers(2, 4))
def test_the_first_game_is_as_printed_whatever_the_seed(seed: int, players: int) -> None:
    table = choose_table(rules(), players, seed, "first-game")
    assert str(table.layout) == "tavern paddock/oasis farm"
    assert sorted(table.cards) == ["fishermen", "knights", "merchants"]
    assert table.players == players


def test_no_section_and_no_card_is_taken_twice() -> None:
    for table in tables():
        names = [section for section, _ in spots(table)]
        assert len(names) == len(set(names)) == 4
        assert len(table.cards) == len(set(table.cards)) == 3
        assert [len(row) for row in table.layout.rows] == [2, 2]


def test_every_section_lies_everywhere_either_way_up_and_every_card_comes_up() -> None:
    seen = Counter((place, spot) for table in tables() for place, spot in enumerate(spots(table)))
    sections = rules().parts.sections
    assert set(seen) == {(p, (s, t)) for p in range(4) for s in sections for t in (False, True)}
    cards = Counter(card for table in tables() for card in table.cards)
    assert set(cards) == set(rules().catalog.cards)
    assert max(cards.values()) < 2 * min(cards.values())


def test_a_seed_is_a_table_and_another_seed_another_table() -> None:
    assert tables() == tables()
    assert len({(str(table.layout), table.cards) for table in tables()}) > MANY * 0.98


def test_the_players_do_not_change_the_table() -> None:
    few, many = (choose_table(rules(), players, 7) for players in (2, 4))
    assert (few.layout, few.cards) == (many.layout, many.cards)


@pytest.mark.parametrize(
    ("players", "setup", "options", "words"),
    [
        (1, "random", {}, ["2 to 4", "not 1"]),
        (5, "random", {}, ["2 to 4", "not 5"]),
        (2, "first-gam", {}, ["first-gam", "did you mean `first-game`"]),
        (2, "chess", {}, ["no set-up `chess`"]),
        (2, "random", {"lift_fist": True}, ["did you mean `lift_first`"]),
        (2, "random", {"lift_first": 3}, ["lift_first", "yes or no"]),
    ],
)
def test_what_cannot_be_set_up(
    players: int, setup: str, options: dict[str, bool | int], words: list[str]
) -> None:
    with pytest.raises(SetupError) as refused:
        choose_table(rules(), players, 0, setup, options)
    assert all(word in str(refused.value) for word in words)


def test_a_layout_of_unknown_sections_cannot_be_laid() -> None:
    layout = Layout(((("tavern", False), ("tawer", False)),))
    with pytest.raises(SetupError, match="tower"):
        game_at(rules(), TableSetup(2, layout, ()))


@pytest.mark.parametrize(("cards", "options"), [(("chess",), {}), ((), {"chess": True})])
def test_a_game_of_unknown_cards_or_options(
    cards: tuple[str, ...], options: dict[str, bool | int]
) -> None:
    board = game_at(rules(), choose_table(rules(), 2, 0)).board
    with pytest.raises(KeyError, match="chess"):
        Game(rules(), board, 2, cards, options)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_before_the_first_turn_everybody_is_dealt_a_card(players: int) -> None:
    game = game_at(rules(), choose_table(rules(), players, 1))
    state = game.start()
    for dealt in range(players):
        moves = game.legal_moves(state)
        assert moves.player == CHANCE and sum(moves.weights) == 25 - dealt
        assert [len(seat.hand) for seat in state.seats] == [1] * dealt + [0] * (players - dealt)
        assert state.stage[0] == "setup"
        state = game.apply(state, moves.sample(Random(0, "deal")))
    assert game.legal_moves(state).player == state.active == 0
    assert state.stage == ("turn", 0)
    assert len(state.shown) == 1
    assert [seat.supply for seat in state.seats] == [(40,)] * players
    assert state.occupied == 0 and not any(seat.tiles or seat.gold for seat in state.seats)
    assert [len(stock) for stock in state.stock] == [2] * len(game.board.places)


def test_the_first_build_may_be_anywhere_on_the_terrain() -> None:
    game = game_at(rules(), choose_table(rules(), 2, 1))
    state = game.start()
    state = game.apply(game.apply(state, Move("draw", "", 2)), Move("draw", "", 4))
    moves = game.legal_moves(state)
    assert [(group.verb, group.rule) for group in moves.groups] == [("build", "mandatory")]
    assert moves.groups[0].hexes == game.board.kinds[game.ruleset.catalog.deck[2].terrains[0]]


def test_two_games_on_one_board_keep_their_own_options() -> None:
    board = game_at(rules(), choose_table(rules(), 2, 1)).board
    switched = [
        Game(rules(), board, 2, ("lords",), {"lords_rank_zero": on}) for on in (True, False)
    ]
    usual = Game(rules(), board, 2, ("lords",))
    for game, gold in [*zip(switched, (48, 0), strict=True), (usual, 48)]:
        line = game.score(game.start()).line("lords", 1)
        assert line is not None and line.gold == gold  # first of four empty sectors, or of none


def test_two_games_on_one_board_keep_their_own_moves() -> None:
    layout = choose_table(rules(), 2, 0, "first-game").layout
    ground, board = lay(layout.rows), game_at(rules(), TableSetup(2, layout, ())).board
    place = next(cell for cell, kind in ground.tile.items() if kind == "oasis")
    near = next(cell for cell in sorted(neighbours(place)) if ground.kind[cell] in BUILDABLE)
    for on in (True, False, True):
        game = Game(rules(), board, 2, (), {"build_without_card": on})
        everything = sum((Counter({terrain: 5}) for terrain in BUILDABLE), Counter[str]())
        wanted = Wanted({near: 0}, shown=None, removed=everything)
        moves = game.legal_moves(stand(game, wanted))
        assert any(group.rule == "mandatory" for group in moves.groups) == on


def test_works_once_made_are_kept_however_many_words_are_looked_up() -> None:
    ruleset = load(*usual_boxes())
    table = choose_table(ruleset, 2, 0)
    first = game_at(ruleset, table)
    for part in range(1000):
        ruleset.mentions((part,), "no such word")
    game_at(ruleset, choose_table(ruleset, 3, 0))
    again = game_at(ruleset, table)
    assert again.plan is first.plan


RULESET = kbrules.load("base", "crossroads")


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("more", [1, 2, 5])
def test_the_last_player_strikes_first_and_as_many_as_usual_are_left(
    players: int, more: int
) -> None:
    table = kbrules.choose_table(RULESET, players, 7)
    tasks = [card for card in table.cards if card in RULESET.catalog.tasks]
    asked: list[tuple[int, tuple[str, ...]]] = []

    def strike(player: int, left: tuple[str, ...]) -> str:
        asked.append((player, left))
        return left[0]

    found = draft_cards(RULESET, table, more, 7, strike)
    order = list(reversed(range(players))) * more
    assert [player for player, _ in asked] == order[:more]
    laid = offered_cards(RULESET, table, more, 7)
    assert len(set(laid)) == len(laid) == len(table.cards) - len(tasks) + more
    assert [left for _, left in asked] == [laid[number:] for number in range(more)]
    assert found.cards == (*laid[more:], *tasks)
    assert (found.layout, found.players, found.tiles) == (table.layout, players, table.tiles)


def test_a_seed_decides_a_draft_of_bots() -> None:
    table = kbrules.choose_table(RULESET, 3, 1)
    one, same = (draft_cards(RULESET, table, 4, 9, random_strikes(9)) for _ in range(2))
    others = {draft_cards(RULESET, table, 4, s, random_strikes(s)).cards for s in range(20)}
    assert one == same
    assert len(others) > 10


@pytest.mark.parametrize("more", [-1, 0, 99])
def test_there_is_no_draft_of_too_few_or_too_many(more: int) -> None:
    table = kbrules.choose_table(RULESET, 2, 1)
    with pytest.raises(SetupError, match="a draft lays out 1 to"):
        draft_cards(RULESET, table, more, 1, random_strikes(1))


def test_nobody_strikes_what_is_not_there() -> None:
    table = kbrules.choose_table(RULESET, 2, 1)
    with pytest.raises(SetupError, match="not among the cards"):
        draft_cards(RULESET, table, 1, 1, lambda player, left: "nothing")


FIFTH = ("crossroads", "five_players", "harvest", "marshlands", "nomads")  # let a fifth play
FOUR = (
    ("base",), ("capitol",), ("caves",), ("island",), ("capitol", "caves", "island"),
    ("new_edition",), ("new_edition", "capitol", "caves", "island"),
    ("casual",), ("six_sections",), ("settled_lords",), ("returning_tiles",),
)  # fmt: skip


def test_every_box_is_asked_about() -> None:
    assert {*FIFTH, *(box for boxes in FOUR for box in boxes)} == {*shipped_boxes()}


@pytest.mark.parametrize("boxes", FOUR, ids=" ".join)
def test_without_the_fifth_colour_two_to_four_play(boxes: tuple[str, ...]) -> None:
    ruleset = load(*boxes)
    assert [choose_table(ruleset, n, 1).players for n in (2, 3, 4)] == [2, 3, 4]
    for players in (1, 5):
        with pytest.raises(SetupError) as refused:
            choose_table(ruleset, players, 1)
        assert refused.value.part == "players"
        said = f"the game is for 2 to 4 players, not {players}, as `base` says"
        boxes = "`crossroads`, `five_players`, `harvest`, `marshlands` or `nomads`"
        more = f"; 5 play with the box {boxes}"
        assert str(refused.value) == said + (more if players == 5 else "")


@pytest.mark.parametrize("fifth", FIFTH)
@pytest.mark.parametrize("boxes", FOUR, ids=" ".join)
def test_with_it_five_play_with_the_same_boxes(boxes: tuple[str, ...], fifth: str) -> None:
    ruleset = load(*boxes, fifth)
    assert [choose_table(ruleset, n, 1).players for n in (2, 3, 4, 5)] == [2, 3, 4, 5]
    with pytest.raises(SetupError, match=f"2 to 5 players, not 6, as `{fifth}` says$"):
        choose_table(ruleset, 6, 1)


TEXT = """\
option early = no "Everybody begins with gold."
option late = no "Everybody ends with gold."
option choosy = no "The first player chooses a hex."

memory chosen: hexes of table "What was chosen."

rule gifts "Gifts":
    "Gold for nothing."
    setup if early: gain 5
    finish if late: gain 7
    before setup if choosy: mark 1 on edge as chosen
"""


@pytest.fixture(scope="module")
def phased_rules() -> Ruleset:
    return load("base", texts=[Source("gifts.kb", TEXT)])


def started(rules: Ruleset, **options: bool) -> tuple[Game, State]:
    game = new_game(rules, 2, 1, options=options)
    return game, game.start()


def test_a_phase_whose_condition_fails_is_passed_over(phased_rules: Ruleset) -> None:
    game, state = started(phased_rules)
    assert {move.verb for move in game.legal_moves(state)} == {"draw"}
    assert [seat.gold for seat in state.seats] == [0, 0]


def test_a_phase_whose_condition_holds_is_done_by_everybody(phased_rules: Ruleset) -> None:
    game, state = started(phased_rules, early=True)
    while state.stage[0] == "setup":
        state = game.apply(state, next(iter(game.legal_moves(state))))
    assert [seat.gold for seat in state.seats] == [5, 5]


def test_hexes_are_marked_once_before_set_up_by_the_first_player(phased_rules: Ruleset) -> None:
    game, state = started(phased_rules, choosy=True)
    moves = game.legal_moves(state)
    assert moves.player == 0
    (group,) = moves.groups
    assert (group.verb, group.rule, group.hexes) == ("mark", "gifts", game.board.grid.edge())
    after = game.apply(state, list(moves)[3])
    assert after.memory[phased_rules.memories["chosen"][1]] == 1 << list(moves)[3].hex
    assert {move.verb for move in game.legal_moves(after)} == {"draw"}


FIRST = "first-game-new-edition"
CASTLES = {"beautiful_castles": True}


@lru_cache(maxsize=4)
def edition_rules(*more: str) -> Ruleset:
    return load("base", "new_edition", *more)


def sections_of(table: TableSetup) -> list[str]:
    return [id for row in table.layout.rows for id, _ in row]


def test_a_random_table_is_all_of_one_side() -> None:
    sides = Counter[str]()
    for seed in range(60):
        sections = sections_of(choose_table(edition_rules(), 2, seed))
        assert len({*sections}) == 4
        sides.update({id.rpartition("_")[0] for id in sections})
    assert sides.keys() == {"side_a", "side_b"} and sides.total() == 60
    assert min(sides.values()) > 18


def test_other_boxes_bring_cards_but_no_sections() -> None:
    cards: set[str] = set()
    for seed in range(60):
        table = choose_table(edition_rules("nomads"), 5, seed)
        assert all(id.startswith("side_") for id in sections_of(table))
        cards.update(table.cards)
    assert {"families", "shepherds", "ambassadors"} < cards
    with pytest.raises(SetupError, match=r"the set `side_.` has 4 sections; a table needs 6"):
        choose_table(edition_rules("six_sections"), 2, 1)


def test_eight_kinds_are_drawn_and_each_has_its_four_tiles() -> None:
    kinds = Counter[str]()
    for seed in range(80):
        game = game_at(edition_rules(), choose_table(edition_rules(), 2, seed))
        tiles = Counter(kind for stock in game.start().stock for kind in stock)
        assert len(tiles) == 4 and {*tiles.values()} == {4}
        kinds.update(game.ruleset.catalog.tiles[kind].id for kind in tiles)
    assert len(kinds) == 8 and kinds.total() == 320
    assert all(22 < number < 60 for number in kinds.values())


def test_the_first_game() -> None:
    table = choose_table(edition_rules(), 2, 3, FIRST)
    assert str(table.layout) == "side_a_1 side_a_2/side_a_3 side_a_4"
    assert table.cards == ("fishermen", "knights", "merchants")
    plain = game_at(load("base"), choose_table(load("base"), 2, 3, "first-game"))
    game = game_at(edition_rules(), table)
    names = [tile.id for tile in plain.ruleset.catalog.tiles]
    assert game.board.tiles == plain.board.tiles and game.board.kinds == plain.board.kinds
    assert [tile.id for tile in game.ruleset.catalog.tiles] == names
    assert len(game.board.stand_ins) == 4 and plain.board.stand_ins == ()


@pytest.mark.parametrize("options", [{}, CASTLES])
def test_a_log_replays(options: dict[str, bool | int]) -> None:
    table = choose_table(edition_rules(), 2, 11, options=options)
    game = game_at(edition_rules(), table)
    recorder = Recorder(game, game.start(), MatchInfo(table, 11, ("random", "random")))
    match = Match(game, 11, [any_move] * 2, recorder.watch)
    for played in match:
        recorder.add(played.player, played.move, played.transition)
    recorder.close(match.state)
    log, found = parse_log(Source("game.log", "".join(recorder.lines)))
    assert log is not None and not found
    result = replay(edition_rules(), log)
    assert not result.findings and result.states[-1].hash() == match.state.hash()


def test_tables_of_base_are_what_they_were() -> None:
    """The draws of a seed do not change by what boxes apart have brought to the engine."""
    table = choose_table(load("base"), 2, 5)
    assert (str(table.layout), table.cards) == (
        str(choose_table(load("base", "casual"), 2, 5).layout),
        choose_table(load("base", "settled_lords"), 2, 5).cards,
    )
    assert len(choose_table(load("base", "casual"), 2, 5).cards) == 4


def test_chance_lays_castle_tiles_evenly_and_players_see_them() -> None:
    table = choose_table(edition_rules(), 2, 1, FIRST, CASTLES)
    game = game_at(edition_rules(), table)
    start = game.start()
    moves = game.legal_moves(start)
    assert moves.player == CHANCE and not moves.weights and len(moves) == 8
    refused = game.explain(start, Move("mark", "castle_laying", 0))
    assert [reason.text for reason in refused.reasons] == ["chance is about to choose"]
    firsts = Counter(Match(game, seed, [any_move] * 2)._choice(moves) for seed in range(400))
    assert len(firsts) == 8 and min(firsts.values()) > 25
    state = game.apply(start, next(iter(moves)))
    first = next(iter(moves)).hex
    seconds = game.legal_moves(state)
    sector = next(mask for mask in game.board.sectors if mask >> first & 1)
    assert not any(sector >> move.hex & 1 for move in seconds) and len(seconds) == 6
    state = game.apply(state, next(iter(seconds)))
    name = game.board.grid.name(first)
    title, _, hexes = marks_text(game, state).partition(": ")
    assert title == "castle tiles" and name in hexes.split() and len(hexes.split()) == 2


def test_next_to_a_castle_tile_the_other_location_keeps_its_tiles() -> None:
    for seed in range(40):
        game = game_at(edition_rules(), choose_table(edition_rules(), 2, seed, options=CASTLES))
        state = game.start()
        for _ in range(2):
            state = game.apply(state, list(game.legal_moves(state))[seed % 5])
        left = dict(zip(game.board.places, map(len, state.stock), strict=True))
        each = [[n for hex, n in left.items() if mask >> hex & 1] for mask in game.board.sectors]
        assert sorted(sorted(found) for found in each) == [[0, 2], [0, 2], [2, 2], [2, 2]]
