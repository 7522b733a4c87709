"""Gold and cards of all boxes, engine and twin side by side; nothing is without a twin."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from kbrules.engine.game import Game
from kbrules.game.state import State
from kbrules.library.load import load
from tests.boxes import bridge, harvest, marshes, red_cards, scores
from tests.boxes.drawing import told
from tests.boxes.effects import Story
from tests.boxes.follow import alike
from tests.boxes.red_cards import RED
from tests.boxes.scattered import opening, scattered
from tests.boxes.scene import Held, Scene
from tests.boxes.scores import BASE, SCORES, score
from tests.boxes.test_twins import A, B, on
from tests.boxes.turn import begin_turn, end_turn, possible, rest_of_turn, story
from tests.oracle import twin_scores
from tests.oracle.geometry import Cell, neighbours
from tests.oracle.twin_game import CHANCE, Question
from tests.properties.twins import PAID_BY_ACTIONS

CHUNK, CHUNKS, MANY = 25, 8, 160
RULES = (*BASE, *SCORES)


def compare(seed: int) -> None:
    laid = scattered(seed)
    with told(laid) as scene:
        game = bridge.game_of(laid)
        agree(game, bridge.state_of(game, scene), scene)


def agree(game: Game, state: State, scene: Scene) -> None:
    """Fail unless every player gets the same from every card, task and rule."""
    sheet = game.score(state)
    for player in range(scene.players):
        paid = {line.rule: line.gold for line in sheet.lines[player] if line.rule not in RED}
        expected = {rule: score(scene, rule, player) for rule in RULES}
        alike(f"gold at the end for {player}", paid, expected)
        assert sheet.totals[player] == sum(paid.values()) + scene.gold[player]


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_gold(chunk: int) -> None:
    for seed in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        compare(seed)


@pytest.mark.slow
def test_gold_of_many() -> None:
    for seed in range(CHUNKS * CHUNK, MANY * CHUNK):
        compare(seed)


def test_every_rule_pays_somewhere() -> None:
    paying = Counter(
        rule
        for seed in range(CHUNKS * CHUNK)
        for scene in [scattered(seed).scene]
        for rule in RULES
        if any(score(scene, rule, player) for player in range(scene.players))
    )
    assert {rule: n for rule, n in paying.items() if n >= 3}.keys() == set(RULES)


CROSSING = (3, 4)


def holding(*cards: str, cells: tuple[Cell, ...] = ((0, 0),)) -> Scene:
    """A scene whose first player has laid these cards face up; the deck is full of flowers."""
    s = on(*cells)
    s.shown, s.hands, s.deck = list(cards), [[], [], []], Counter(flower=9)
    s.held, s.visited = [[], [], []], [set(), set(), set()]
    return s


def chosen_of(s: Scene) -> set[str]:
    return {rule for verb, rule, _ in possible(s, A) if verb == "choose"}


def close(s: Scene, terrain: str, but: int = 0) -> None:
    """Settlements of another player on all hexes of a terrain, or all but a few."""
    for cell in sorted(s.available(terrain))[but:]:
        s.pieces[cell] = on(cell).pieces[cell]._replace(owner=B)


def tell(told: Story, *answers: object) -> Question | None:
    """The question after some answers."""
    for answer in (None, *answers):
        try:
            question = told.send(answer)
        except StopIteration:
            return None
    return question


def test_two_cards_are_chosen_from_and_two_equal_ones_are_not() -> None:
    assert chosen_of(holding("grass", "desert")) == {"grass", "desert"}
    assert chosen_of(holding("grass", "grass")) == set()
    assert chosen_of(holding("grass")) == set()


def test_what_was_chosen_serves_the_whole_turn_and_the_other_card_is_set_aside() -> None:
    s = holding("grass", "desert")
    question = tell(rest_of_turn(s), ("choose", "desert", None))
    assert question is not None
    assert {rule for _, rule, _ in question.answers} == {"mandatory"}
    assert (s.shown, s.aside, s.terrain) == (["desert"], ["grass"], "desert")


def test_before_the_choice_each_dead_card_is_replaced() -> None:
    s = holding("grass", "desert")
    close(s, "grass")
    close(s, "desert")
    question = tell(rest_of_turn(s), "flower", "flower")
    assert question is not None
    assert s.shown == ["flower", "flower"]
    assert s.removed == Counter(grass=1, desert=1)


def test_after_the_choice_only_the_chosen_card_is_replaced() -> None:
    s = holding("grass", "desert")
    close(s, "grass")
    close(s, "desert", but=1)
    s.deck["canyon"] = 1
    s.shown, s.aside, s.chosen = ["desert"], ["grass"], "desert"
    last = min(s.available("desert"))
    told = rest_of_turn(s)
    question = tell(told, ("build", "mandatory", last))
    assert question is not None
    assert question.player == CHANCE
    assert question.cards == (("canyon", 1), ("flower", 9))
    told.send("canyon")
    assert (s.shown, s.aside, s.removed) == (["canyon"], ["grass"], Counter(desert=1))


@pytest.mark.parametrize(("tiles", "drawn"), [(0, 1), (1, 2)])
def test_all_cards_are_discarded_and_as_many_drawn_as_may_be_held(tiles: int, drawn: int) -> None:
    s = holding("desert")
    s.aside, s.chosen = ["grass"], "desert"
    s.held[A] = [Held("crossroads", CROSSING)] * tiles
    assert tell(end_turn(s), *["flower"] * drawn) is None
    assert s.hands[A] == ["flower"] * drawn
    assert s.discards == Counter(desert=1, grass=1)


def test_a_terrain_with_which_nothing_can_begin_is_not_offered() -> None:
    """Without a settlement in the supply walls are left, and those only beside a piece."""
    s = holding("grass", "desert")
    terrains = {s.ground.kind[cell] for cell in neighbours((0, 0))}
    s.supply[A]["settlement"] = 0
    s.uses_left = Counter(quarry=1)
    assert chosen_of(s) == {"grass", "desert"} & terrains != {"grass", "desert"}


def test_both_cards_stay_though_the_tile_was_lost() -> None:
    s = holding("desert")
    s.hands[B] = ["grass", "canyon"]
    begin_turn(s)
    assert s.held[B] == []
    assert s.to_choose() == ["canyon", "grass"]


HAPPENINGS = {
    "a choice", "a choice, or something that needs no card",
    "nothing to do with either", "two equal cards", "dead before the choice",
    "dead after the choice", "two in hand", "two cards and no tile", "reshuffled",
}  # fmt: skip


def watched(s: Scene, turns: int, random: Random) -> set[str]:
    """What happens to the cards while a twin is told anything."""
    found: set[str] = set()
    twin = story(s, turns)
    gone, left, question = s.removed.total(), s.deck.total(), tell(twin)
    while question is not None:
        found |= happening(s, question, s.removed.total() > gone, s.deck.total() > left)
        gone, left = s.removed.total(), s.deck.total()
        try:
            question = twin.send(any_answer(question, random))
        except StopIteration:
            question = None
    return found


def any_answer(question: Question, random: Random) -> object:
    if question.player == CHANCE:
        return random.choice([card for card, count in question.cards for _ in range(count)])
    return random.choice(sorted(question.answers, key=str))


def happening(s: Scene, question: Question, dead: bool, reshuffled: bool) -> set[str]:
    """What this question shows of the cards."""
    verbs = Counter(verb for verb, _, _ in question.answers)
    tile = any(tile.kind == "crossroads" for tile in s.held[s.mover])
    acts = question.player != CHANCE
    shown = {
        "a choice": verbs["choose"] >= 2,
        "a choice, or something that needs no card": 0 < verbs["choose"] < verbs.total() - 1,
        "nothing to do with either": acts and bool(s.to_choose()) and not verbs["choose"],
        "two equal cards": acts and len(s.shown) == 2 and not s.to_choose(),
        "dead before the choice": dead and bool(s.shown) and not s.aside,
        "dead after the choice": dead and bool(s.aside),
        "two in hand": any(len(hand) == 2 for hand in s.hands),
        "two cards and no tile": len([*s.shown, *s.aside]) == 2 and not tile,
        "reshuffled": reshuffled,
    }
    return {name for name, is_so in shown.items() if is_so}


def test_everything_happens_in_the_positions_that_are_compared() -> None:
    found = Counter(
        name for seed in range(200) for name in watched(scattered(seed).scene, 1, Random(seed))
    )
    assert {name: found[name] for name in HAPPENINGS if found[name] < 3} == {}


def test_second_cards_are_won_chosen_and_discarded_in_whole_games() -> None:
    found = set().union(*(watched(opening(seed).scene, 1000, Random(seed)) for seed in (1, 3, 5)))
    assert found >= {"a choice", "two in hand", "two equal cards", "reshuffled"}


AT_ONCE = (red_cards.families, red_cards.shepherds, red_cards.ambassadors)


def test_everything_that_pays_has_a_twin() -> None:
    """At the end, at once, or for what was done: nothing is scored by one telling alone."""
    twins = {*twin_scores.SCORES, *scores.SCORES, *marshes.CARDS, marshes.palaces.__name__}
    twins |= {*harvest.gold(harvest.scattered(0))} | {twin.__name__ for twin in AT_ONCE}
    ruleset = load()
    paying = {rule.id for rule in ruleset.rules if rule.awards} | {*ruleset.catalog.cards}
    assert paying - twins - PAID_BY_ACTIONS == set()
    assert twins - paying == set(), "a twin of what is no more"
    assert not twins & PAID_BY_ACTIONS
