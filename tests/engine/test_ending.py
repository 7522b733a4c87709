"""The end: when it is triggered, who wins, what score sheets and outcomes say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import kbrules
from kbrules.engine.game import Game
from kbrules.engine.matches import Match, outcome
from kbrules.engine.scoring import ScoreLine, Sheet
from kbrules.engine.setup import choose_table, game_at, with_cards
from kbrules.game.events import Event, to_json
from kbrules.game.state import State, draft_of
from kbrules.library.box import usual_boxes
from kbrules.library.load import check_all, load
from kbrules.text import Source
from kbrules.tools.narration import sheet_text
from tests.engine.games import Scene, any_move, scene
from tests.oracle.positions import Wanted

OPEN = """
| G  G  G  G  G  G  G
|  C  C  C  C  C  C  C
| C  C  C  C  C  C  C
"""


def finish_turn(table: Scene) -> Scene:
    """The same player's turn played to its end, whatever is built."""
    turn = table.state.stage
    while table.state.stage == turn:
        moves = table.game.legal_moves(table.state)
        table = Scene(table.game, table.game.apply(table.state, next(iter(moves))))
    return table


SEATS = [(players, seat) for players in (2, 3, 4) for seat in range(players)]


@pytest.mark.parametrize(("players", "seat"), SEATS)
def test_the_round_in_which_a_supply_ends_is_the_last(players: int, seat: int) -> None:
    start = Wanted(active=seat, round=4, supply={seat: 3})
    table = scene(OPEN, start, players=players)
    assert not table.state.ending
    table = finish_turn(table)
    assert table.state.seats[seat].supply == (0,)
    assert table.state.ending
    for player in range(seat + 1, players):
        assert table.state.active == player and not table.state.is_over
        table = finish_turn(table)
    assert table.state.is_over
    assert len(table.game.legal_moves(table.state)) == 0


def test_with_a_piece_left_the_game_goes_on() -> None:
    table = finish_turn(scene(OPEN, Wanted(active=1, round=4, supply={1: 4})))
    assert table.state.seats[1].supply == (1,)
    assert not table.state.ending and not table.state.is_over
    assert table.state.stage == ("turn", 10)


@pytest.mark.parametrize("left", [1, 2])
def test_a_supply_that_runs_out_in_the_middle_ends_the_action(left: int) -> None:
    table = scene(OPEN, Wanted(supply={0: left})).do("a1", *["b1"][: left - 1])
    assert len(table.pieces(0)) == left
    assert table.draws()  # nothing more to do: the new card is drawn
    assert table.state.ending and not table.state.is_over


def test_without_a_supply_there_is_still_a_turn_with_moves_but_no_builds() -> None:
    board = OPEN.replace("| G  G  G  G", "| 8  2  Ga G", 1)
    start = Wanted(supply={0: 0})
    table = scene(board, start, "a paddock at a1", "a farm at b1")
    assert table.rules_offered() == {"paddock", "turn"}
    table = table.do("lift c1", "move e1")
    assert table.state.ending
    assert table.state.seats[0].supply == (0,)
    assert table.draws()


def test_a_tile_may_take_the_last_piece_before_the_mandatory_action() -> None:
    board = OPEN.replace("| G  G  G  G", "| 2  Ga G  G", 1)
    start = Wanted(supply={0: 1}, shown="canyon", hands={1: "grass"})
    table = scene(board, start, "a farm at a1").do("farm: c1")
    assert table.state.ending
    assert table.draws()


def test_the_turn_is_not_over_because_the_last_piece_is_placed() -> None:
    board = OPEN.replace("| G  G  G  G", "| 8  Ga G  G", 1)
    table = scene(board, Wanted(supply={0: 1}), "a paddock at a1").do("c1")
    assert table.rules_offered() == {"paddock", "turn"}
    assert table.do("end").draws()


def test_nothing_is_legal_after_the_end() -> None:
    over = finish_turn(scene(OPEN, Wanted(active=1, supply={1: 3})))
    assert list(over.game.legal_moves(over.state)) == []
    for text in ("mandatory: build a1", "end turn", "paddock: lift a1"):
        assert [reason.rule for reason in over.refused(text).reasons] == ["end"]


def sheet(*totals: int) -> Sheet:
    return Sheet(tuple((ScoreLine("x", "X", total, 0),) for total in totals), (0,) * len(totals))


def test_gold_gained_in_play_counts() -> None:
    lines = ((ScoreLine("x", "X", 4, 0),), (ScoreLine("x", "X", 2, 0), ScoreLine("y", "Y", 1, 0)))
    assert Sheet(lines, (0, 3)).totals == (4, 6)


@pytest.mark.parametrize(
    ("totals", "winners"),
    [((3, 5), (1,)), ((5, 5), (0, 1)), ((7, 2, 7), (0, 2)), ((0, 0, 0, 0), (0, 1, 2, 3))],
)
def test_equal_gold_is_a_shared_victory(totals: tuple[int, ...], winners: tuple[int, ...]) -> None:
    table = scene(OPEN, players=len(totals))
    draft = draft_of(table.state)
    seats = zip(draft.seats, totals, strict=True)
    draft.seats = tuple(seat._replace(gold=gold) for seat, gold in seats)
    found = table.game.score(draft.seal())
    assert (found.totals, found.winners) == (totals, winners)


def test_a_real_table_is_shared_too() -> None:
    board = """
    | K  Ga G  G  Gb K
    |  C  C  C  C  C  C
    """
    table = scene(board)
    assert table.game.score(table.state).totals == (3, 3)
    assert table.game.score(table.state).winners == (0, 1)


def laid(state: State) -> State:
    """The same position, for a game with other rules or cards."""
    return draft_of(state).seal()


def test_only_the_cards_in_play_pay() -> None:
    board = """
    | K  Ga Ga W  Gb K
    |  C  C  C  C  C  C
    """
    plain = scene(board)
    fished = Game(plain.game.ruleset, plain.game.board, 2, ("fishermen", "hermits"))
    lines = fished.score(laid(plain.state)).lines
    assert [{line.rule: line.gold for line in each} for each in lines] == [
        {"castles": 3, "fishermen": 1, "hermits": 1},
        {"castles": 3, "fishermen": 1, "hermits": 1},
    ]
    assert {line.rule for line in plain.game.score(plain.state).lines[0]} == {"castles"}


# who wins, in other games

APART = """
| K  Ga G  Gb
|  C  Ga Ga C
"""
RICH = 'rule other "Other" replaces winning:\n    "Otherwise."\n'


def winners(*rules: str, options: dict[str, bool] | None = None) -> tuple[int, ...]:
    """Who wins a table (3 gold and three pieces against 0 gold and one) under these rules."""
    ruleset, findings = check_all(["base"], texts=[Source("x.kb", "".join(rules))])
    assert ruleset is not None, findings
    table = scene(APART)
    game = Game(ruleset, table.game.board, 2, (), options)
    return game.score(laid(table.state)).winners


@pytest.mark.parametrize(
    ("by", "won"),
    [
        ("total", (0,)),
        ("-total", (1,)),
        ("count(mine)", (0,)),
        ("total * count(occupied - mine) - 3", (0,)),
        ("total - count(mine)", (0,)),
        ("total - 2 * count(mine)", (1,)),
        ("total - count(mine) * 4 / 3", (0, 1)),
        ("supply(settlement)", (1,)),
        ("7", (0, 1)),
        ("sum(total for row in rows if any(mine & row))", (0,)),
    ],
)
def test_a_rule_says_who_wins(by: str, won: tuple[int, ...]) -> None:
    assert winners(RICH, f"    win by {by}\n") == won


@pytest.mark.parametrize(("poor", "won"), [(False, (0,)), (True, (1,))])
def test_options_may_decide_what_wins(poor: bool, won: tuple[int, ...]) -> None:
    said = 'option poor = no "The poorest wins."\n' + RICH
    by = "    win by (-total if poor otherwise total)\n"
    assert winners(said, by, options={"poor": poor}) == won


def test_where_nothing_is_said_nobody_wins() -> None:
    assert winners(RICH, "    gold 100\n") == ()
    assert sheet(3, 5).winners == ()


def test_what_wins_is_not_asked_before_the_winners_are() -> None:
    asked: list[tuple[int, ...]] = []
    found = replace(sheet(3, 5), judge=lambda totals: asked.append(totals) or totals)
    assert found.totals == (3, 5) and asked == []
    assert found.winners == (1,) and asked == [(3, 5)]
    assert found == sheet(3, 5)


def test_a_card_in_play_that_pays_decides_with_the_rest() -> None:
    table = scene(APART)
    game = Game(table.game.ruleset, table.game.board, 2, ("hermits", "fishermen"))
    assert game._machine is table.game._machine  # who wins is no reason for works of its own
    assert game.score(laid(table.state)).totals == (4, 1)
    assert game.score(laid(table.state)).winners == (0,)


HOUSE_RULES = Path(__file__).parents[1] / "house"
SEEDS = range(6)


def hexes() -> kbrules.Ruleset:
    ruleset, findings = kbrules.check_all([], [HOUSE_RULES / "hex"])
    assert ruleset is not None and not findings
    return ruleset


RULES: dict[str, Callable[[], kbrules.Ruleset]] = {
    "dale": lambda: kbrules.load(folders=[HOUSE_RULES / "dale"]),
    "hex": hexes,
    "all": lambda: kbrules.load(*usual_boxes()),
}


@pytest.fixture(scope="module", params=RULES)
def games(request: pytest.FixtureRequest) -> list[Game]:
    ruleset = RULES[request.param]()
    least, most = ruleset.parts.players
    return [kbrules.new_game(ruleset, least + seed % (most - least + 1), seed) for seed in SEEDS]


def told(game: Game, seed: int) -> tuple[Match, list[Event], Counter[int]]:
    """A match played on, everything that happened in it, and who decided how often."""
    match = Match(game, seed, [any_move] * game.players)
    events, decided = list(game.opening().events), Counter[int]()
    for played in match:
        events += played.transition.events
        decided[played.player] += 1
    return match, events, decided


def test_it_is_what_the_events_and_the_sheet_say(games: list[Game]) -> None:
    for seed, game in enumerate(games):
        match, events, decided = told(game, seed)
        sheet, found = game.score(match.state), outcome(game, seed, [any_move] * game.players)
        facts = [to_json(event) for event in events]
        assert found.totals == sheet.totals
        assert found.winners == sheet.winners
        assert found.gained == tuple(seat.gold for seat in match.state.seats)
        assert found.turns == sum(fact["event"] == "turnstarted" for fact in facts)
        assert found.decisions == tuple(decided[player] for player in range(game.players))
        for player in range(game.players):
            mine = [fact for fact in facts if fact.get("player") == player]
            for kind in range(len(game.ruleset.catalog.tiles)):
                of_kind = [fact["event"] for fact in mine if fact.get("kind") == kind]
                assert found.used[player][kind] == of_kind.count("used")
                assert found.taken[player][kind] == sum(
                    name in ("took", "received") for name in of_kind
                )


def test_every_rule_pays_in_the_order_of_the_scoring(games: list[Game]) -> None:
    for seed, game in enumerate(games):
        state = told(game, seed)[0].state
        found = outcome(game, seed, [any_move] * game.players)
        for player, paid in enumerate(found.gold):
            lines = [game.scoring.line(rule, state, player).gold for rule in game.scoring.rules]
            assert paid == tuple(lines)


def test_gold_got_in_play_is_told_rule_by_rule(games: list[Game]) -> None:
    for seed, game in enumerate(games):
        found = outcome(game, seed, [any_move] * game.players)
        for player, gains in enumerate(found.gains):
            assert sum(gold for _, gold in gains) == found.gained[player]
            assert list(gains) == sorted(gains)
            assert all(gold and game.ruleset.rule(rule) for rule, gold in gains)


def test_the_same_seed_is_the_same_outcome(games: list[Game]) -> None:
    for game in games[:2]:
        bots = [any_move] * game.players
        assert outcome(game, 1, bots) == outcome(game, 1, bots)
        assert outcome(game, 1, bots) != outcome(game, 2, bots)


def test_a_turn_that_begins_before_anybody_decides_counts() -> None:
    """One stone a turn: as many turns as decisions, the first turn too."""
    game = kbrules.new_game(hexes(), 2, 0)
    found = outcome(game, 0, [any_move] * 2)
    assert found.turns == sum(found.decisions) > 11
    assert len(found.winners) == 1


COAST = "Fishing from the coast"


def game(*cards: str, **options: bool) -> Game:
    ruleset = load("base", "island", "marshlands")
    table = choose_table(ruleset, 2, 3, options=options)
    return game_at(ruleset, with_cards(ruleset, table, (*cards, "knights", "lords")[:3]))


@pytest.mark.parametrize(
    ("cards", "options", "is_shown"),
    [
        (("fishermen",), {}, True),
        (("fishermen",), {"coast_is_water": False}, False),
        (("miners",), {}, False),
    ],
)
def test_the_coast_pays_with_the_fishermen(
    cards: tuple[str, ...], options: dict[str, bool], is_shown: bool
) -> None:
    played = game(*cards, **options)
    sheet = played.score(played.start())
    assert (COAST in sheet_text(played, sheet)) is is_shown
    assert ("coast_fishing" in sheet.nonpaying) is not is_shown
    assert sheet.line("coast_fishing", 0) is not None  # asked by name it says 0
    assert "Knights" in sheet_text(played, sheet)


def test_palaces_are_paid_by_the_noblewomen_instead() -> None:
    for cards, is_shown in ((("noblewomen",), False), (("miners",), True)):
        played = game(*cards)
        assert ("Palaces" in sheet_text(played, played.score(played.start()))) is is_shown
