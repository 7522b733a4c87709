"""Boxes together: one union in any order; clashes, wild ids and circles are findings."""

from __future__ import annotations

import random
from functools import cache
from itertools import pairwise, permutations, product
from pathlib import Path

import pytest

from kbrules import Game, load, new_game
from kbrules.diagnostics import Diagnostic
from kbrules.game.view import with_choice
from kbrules.lang.typed import Sort
from kbrules.library import compose
from kbrules.library.box import known_boxes
from kbrules.library.load import check_all
from kbrules.library.store import Files
from kbrules.library.union import merge
from kbrules.primitives.vocabulary import vocabulary
from kbrules.text import Source
from tests.example_games import DALE
from tests.library.written import base, box, facts

HILLS = """
needs: [base]
players: {most: 5}
numbers: {builds: 3, steps: 4}
terrains:
  swamp: {letter: S}
pieces:
  rider: {letter: r, supply: 2, tags: [movable]}
deck:
  - {terrains: [forest, flower, grass, desert], count: 1}
  - {terrains: [desert, grass, forest, flower], count: 1}
  - {terrains: [grass], count: 1}
cards: [rowers]
marks: {steep_hills: {}, aisles: {title: ways between}}
"""


def test_the_order_of_loading_does_not_matter() -> None:
    # By id alone, `aaa` would come before `base`, and `hills` before `aaa` needs it.
    boxes = [
        base(),
        box(HILLS, "hills"),
        box("needs: [hills]\ncards: [poets]", "aaa"),
        box("cards: [monks]\nmarks: {aaa: {}}", "zoo"),
    ]
    unions = [merge(order) for order in permutations(boxes)]
    assert all(union == unions[0] for union in unions)
    catalog, parts, found = unions[0]
    assert found == []
    assert parts.boxes == ("base", "hills", "aaa", "zoo")
    assert [kind.id for kind in catalog.hexes][-3:] == ["castle", "location", "swamp"]
    assert catalog.cards[-3:] == ("rowers", "poets", "monks")
    assert parts.players == (2, 5)
    assert catalog.numbers == {
        "builds": 3, "extra_builds": 0, "end_waits": 0, "roaming": 0,
        "hand": 1, "cards_in_play": 3, "steps": 4
    }  # fmt: skip
    assert [*parts.marks.items()] == [
        ("steep_hills", "steep hills"), ("aisles", "ways between"), ("aaa", "aaa"),
    ]  # fmt: skip


def test_equal_terrain_cards_of_two_boxes_are_one_kind() -> None:
    catalog, _, _ = merge([base(), box(HILLS, "hills")])
    names = {catalog.card_name(i): card.count for i, card in enumerate(catalog.deck)}
    assert names == {
"grass": 6, "canyon": 5, "desert": 5, "flower": 5, "forest": 5,
        "grass+desert+flower+forest": 2,
    }  # fmt: skip


def test_titles_are_made_of_ids() -> None:
    catalog, _, _ = merge([box("terrains: {high_moor: {letter: H}}")])
    assert catalog.hexes[0].title == "high moor"


def test_with_no_word_said_a_table_is_the_usual_one() -> None:
    _, parts, found = merge([box("")])
    assert found == []
    assert (parts.players, parts.table, parts.section_size) == ((1, 6), (2, 2), (10, 10))


@pytest.mark.parametrize(
    ("text", "marked", "label"),
    [
        ("terrains: {grass: {letter: S}}", "grass", "grass"),
        ("places: {grass: {letter: S}}", "grass", "grass"),
        ("terrains: {swamp: {letter: G}}", "G", "G"),
        ("places: {swamp: {letter: G}}", "G", "G"),
        ("pieces: {settlement: {letter: x, supply: 1}}", "settlement", "settlement"),
        ("pieces: {rider: {letter: s, supply: 1}}", "s", "s"),
        ("tiles: {farm: {kind: location}}", "farm", "farm"),
        ("cards: [lords]", "lords", "lords"),
        ("setups: {first-game: {}}", "first-game", "first-game"),
        ("numbers: {hand: 2}", "2", "1"),
        ("table: {rows: 1, columns: 2}", "{rows: 1, columns: 2}", "{rows: 2, columns: 2}"),
        ("section: {rows: 8, columns: 10}", "{rows: 8, columns: 10}", "{rows: 10, columns: 10}"),
    ],
)
def test_what_is_taken_is_taken(text: str, marked: str, label: str) -> None:
    added = box(f"needs: [base]\n{text}")
    for boxes in ([base(), added], [added, base()]):
        catalog, _, found = merge(boxes)
        clash = next(each for each in found if each.code == "KB411")
        assert clash.span.source is added.document.source and clash.span.text == marked
        assert [each.span.text for each in clash.labels] == [label]
        assert clash.labels[0].span.source.name.endswith("base.yaml")
        assert catalog.hexes == merge([base()])[0].hexes
        if not text.startswith("section:"):  # then the sections of the base box do not fit
            assert len(found) == 1


def test_a_section_is_taken_too() -> None:
    rows = "".join(f"      {'G ' * 10}\n" for _ in range(10))
    added = box(f"needs: [base]\nsections:\n  farm:\n    rows: |\n{rows}")
    assert facts(merge([added, base()])[2]) == [("KB411", "farm")]


def test_a_mark_of_two_boxes_is_taken() -> None:
    boxes = [box("marks: {shore: {}}", "here"), box("marks: {shore: {title: coast}}", "there")]
    for order in (boxes, boxes[::-1]):
        _, parts, found = merge(order)
        assert facts(found) == [("KB411", "shore")] and parts.marks == {"shore": "shore"}


def test_a_card_listed_twice_is_a_clash_in_one_box() -> None:
    assert facts(merge([box("cards: [rowers, poets, rowers]")])[2]) == [("KB411", "rowers")]


def test_what_boxes_agree_on_is_no_clash() -> None:
    same = box("table: {rows: 2, columns: 2}\nnumbers: {builds: 3}")
    assert merge([base(), same])[2] == []


@pytest.mark.parametrize(
    ("text", "marked", "near"),
    [
        ("tiles: {well: {kind: location, place: castel}}", "castel", "castle"),
        ("tiles: {well: {kind: location, place: grass}}", "grass", ""),
        ("deck: [{terrains: [gras], count: 1}]", "gras", "grass"),
        ("deck: [{terrains: [castle], count: 1}]", "castle", ""),
        ("setups: {x: {cards: [lord]}}", "lord", "lords"),
        ("setups: {x: {sections: [[farm, ousis turned]]}}", "ousis turned", "oasis"),
    ],
)
def test_an_id_of_nothing_is_found_and_guessed(text: str, marked: str, near: str) -> None:
    _, _, found = merge([base(), box(text)])
    assert facts(found) == [("KB413", marked)]
    assert (f"did you mean `{near}`?" == found[0].help) == bool(near)


def test_a_box_that_is_needed_must_be_there() -> None:
    _, _, found = merge([base(), box("needs: [bose]")])
    assert facts(found) == [("KB413", "bose")] and found[0].help == "did you mean `base`?"


def test_boxes_that_need_each_other_are_found_once() -> None:
    circle = [box(f"needs: [{need}]", id) for id, need in ("ab", "bc", "cb")]
    for order in permutations(circle):
        _, parts, found = merge(order)
        assert facts(found) == [("KB403", "[c]")]
        assert sorted(parts.boxes) == ["a", "b", "c"]


def test_a_box_is_not_loaded_twice() -> None:
    _, parts, found = merge([box("cards: [rowers]"), box("cards: [rowers]")])
    assert facts(found) == [("KB411", "dale")] and parts.boxes == ("dale",)


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("players: {least: 4, most: 3}", "4"),
        ("section: {rows: 5, columns: 4}", "5"),
        ("setups: {x: {sections: [[a, b], [a]]}}", "[[a, b], [a]]"),
        ("setups: {x: {sections: [[]]}}", "[[]]"),
        ("setups: {x: {sections: [[turned]]}}", "[[turned]]"),
        ("terrains: {moor: {letter: M}}\ndeck: [{terrains: [moor, moor], count: 1}]", "moor"),
    ],
)
def test_what_cannot_be_is_a_wrong_value(text: str, marked: str) -> None:
    _, _, found = merge([box(text)])
    assert ("KB403", marked) in facts(found)
    assert {each.code for each in found} <= {"KB403", "KB413"}


def test_a_table_of_one_row_may_have_odd_sections() -> None:
    text = "section: {rows: 5, columns: 4}"
    one = box("table: {rows: 1, columns: 1}", "zoo")  # said by a later box
    assert merge([box(text), one])[2] == []


def test_the_place_of_every_declaration_is_kept() -> None:
    catalog, parts, _ = merge([base()])
    for table, ids in (
        ("tiles", [tile.id for tile in catalog.tiles]),
        ("cards", catalog.cards),
        ("pieces", [piece.id for piece in catalog.pieces]),
        ("sections", parts.sections),
        ("setups", parts.setups),
        ("numbers", catalog.numbers),
        ("boxes", parts.boxes),
    ):
        assert [parts.spans[table, id].text for id in ids] == list(ids)
    kinds = {id for table, id in parts.spans if table in ("terrains", "places")}
    assert kinds == {kind.id for kind in catalog.hexes}


BOX = "format: 1\nid: fen\ntitle: Fen\nneeds: [base]\ncards: [{}]\n"
CARD = """\
card {0} "Fen":
    "One gold for each of your pieces at the edge."
    gold 1 per hex in mine & edge
    example:
        | .a .
        gives 1
"""


def findings(folder: Path, card: str, rules: str) -> list[Diagnostic]:
    (folder / "expansion.yaml").write_text(BOX.format(card))
    (folder / "fen.kb").write_text(rules)
    return check_all(folders=[folder])[1]


@pytest.mark.parametrize(
    "name", ["mine", "adjacent", "most", "build", "theirs", "movers", "visited", "row", "sector"]
)
def test_a_card_called_like_a_word_is_told_where_its_box_lists_it(
    tmp_path: Path, name: str
) -> None:
    (finding,) = findings(tmp_path, name, CARD.format(name))
    assert (finding.code, finding.span.text) == ("KB202", name)
    assert finding.span.source.name == str(tmp_path / "expansion.yaml")


@pytest.mark.parametrize(
    "name", ["mine", "adjacent", "build", "theirs", "movers", "lift_first", "sector", "row"]
)
@pytest.mark.parametrize(
    "says",
    ["define {}(some: hexes) 'X.': some", "option {} = 3 'X.'", "memory {}: number of player 'X.'"],
)
def test_a_word_called_like_another_is_told_where_it_is_declared(
    tmp_path: Path, name: str, says: str
) -> None:
    rules = CARD.format("fenland") + says.format(name).replace("'", '"') + "\n"
    (finding,) = findings(tmp_path, "fenland", rules)
    assert (finding.code, finding.span.text) == ("KB202", name)
    assert finding.span.source.name == str(tmp_path / "fen.kb")


def test_what_nobody_uses_may_be_a_name(tmp_path: Path) -> None:
    rules = CARD.format("fenland") + 'define wet "X.": adjacent(water)\n'
    assert findings(tmp_path, "fenland", rules) == []


VERBS = sorted(vocabulary().norm_verbs())
HEAD = 'rule {0} "R":\n    "W."\n'
FORMS = {
    "own set": "    forbid {0} on adjacent(open({0}))\n",
    "own set, permitted": "    permit {0} on adjacent(open({0}))\n",
    "stuck": "    permit {0} on edge if stuck({0})\n",
    "dead": "    forbid {0} on edge if dead({0}) > 0\n",
    "of what is forbidden": "    forbid {0} on adjacent(forbidden({0}))\n",
    "in a loop": "    forbid {0} on edge if any(any(open({0}) & r) for r in rows)\n",
    "with other verbs": "    forbid build, mark, {0} on edge if none(open({0}))\n",
    "through a define": '    forbid {0} on spots\ndefine spots "S.": edge & fields\n'
    'define fields "F.": adjacent(open({0}))\n',
    "through another verb": "    forbid {0} on edge if stuck(swap)\n"
    "    forbid swap on adjacent(open({0}))\n",
    "through a number": "    increase luck by 1 if any(open({0}))\n"
    "    forbid {0} on edge if luck > 1\n",
}
HARMLESS = (
    "    prefer {0} on adjacent(open({0})) if stuck({0})\n",
    "    deny {0} on adjacent(open({0})) if dead({0}) > 0\n",
    "    waive {0} if any(open({0}))\n",
    "    permit {0} on board - forbidden({0})\n",
    "    forbid {0} on edge if luck > 1\n    increase luck by 1 if round > 1\n",
    "    action:\n        build 1 on open({0})\n",
)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small game with a number, and a card that shows terrain for words about dead cards."""
    return small_game(tmp_path_factory.mktemp("dale"))


def small_game(folder: Path, numbers: str = "luck: 1") -> Path:
    for name, text in DALE.items():
        (folder / name).parent.mkdir(exist_ok=True)
        numbered = text.replace("players:", f"numbers: {{{numbers}}}\nplayers:", 1)
        (folder / name).write_text(numbered if name.endswith("yaml") else text)
    return folder


def circles(folder: Path, *texts: str) -> list[Diagnostic]:
    """What is found of circles; verbs that no step has are refused in permits besides."""
    sources = [Source(f"{at}.kb", text) for at, text in enumerate(texts)]
    found = check_all(folders=[folder], texts=sources, files=files_of(folder))[1]
    assert {each.code for each in found} <= {"KB208", "KB423"}, found
    return [each for each in found if each.code == "KB423"]


@cache
def files_of(folder: Path) -> Files:
    return Files()


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("form", FORMS)
def test_what_asks_its_own_verb_is_told(game: Path, verb: str, form: str) -> None:
    text = HEAD.format("r") + FORMS[form].format(verb)
    found = circles(game, text)
    assert found and all(each.help and each.labels for each in found), form
    assert f"{verb} in `r` -> " in found[0].message or verb == "swap"


@pytest.mark.parametrize("verb", VERBS)
def test_what_does_not_is_not(game: Path, verb: str) -> None:
    rules = [HEAD.format(f"r{at}") + text.format(verb) for at, text in enumerate(HARMLESS)]
    assert circles(game, *rules) == []


def test_the_message_follows_the_circle(game: Path) -> None:
    text = (
        HEAD.format("walls")
        + "    forbid build on edge if stuck(place)\n"
        + HEAD.format("gates")
        + "    increase luck by count(open(build))\n"
        + HEAD.format("roads")
        + "    permit place on edge if luck > 2\n"
    )
    (found,) = circles(game, text)
    assert found.message == (
        "`permit place` depends on itself: permit place in `roads` -> luck -> change of luck in "
        "`gates` -> open(build) -> forbid build in `walls` -> stuck(place) -> permit place in "
        "`roads`"
    )
    assert found.span.text == "permit place on edge if luck > 2"
    assert [label.span.text for label in found.labels] == ["luck", "open(build)", "stuck(place)"]
    assert found.help == "let a change of `luck` ask numbers that do not depend on it"


def test_two_boxes_that_are_right_alone_may_make_one(tmp_path: Path, game: Path) -> None:
    norms = {"first": "forbid build on open(mark)", "last": "permit mark on open(build)"}
    folders = []
    for name, norm in norms.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "expansion.yaml").write_text(
            f"format: 1\nid: {name}\ntitle: T\nneeds: [dale]\n"
        )
        (tmp_path / name / "r.kb").write_text(HEAD.format(name) + f"    {norm}\n")
        folders.append(tmp_path / name)
        assert check_all(folders=[game, folders[-1]])[1] == []
    (found,) = check_all(folders=[game, *folders])[1]
    assert (found.code, found.span.text) == ("KB423", norms["last"])
    assert found.labels[1].span.source.name == str(folders[0] / "r.kb")


def test_all_boxes_together_have_none() -> None:
    assert compose._dependent(load(*known_boxes()).rules) == []


def test_a_rule_that_is_replaced_does_not_count(game: Path) -> None:
    bad = HEAD.format("r") + "    forbid build on adjacent(open(build))\n"
    good = HEAD.format("s").replace(' "R"', " replaces r") + "    forbid build on edge\n"
    assert len(circles(game, bad)) == 1
    assert circles(game, bad, good) == []


NODES = {f"open({verb})": verb for verb in VERBS} | {f"n{at}": "" for at in range(4)}


def random_rules(draw: random.Random) -> tuple[str, list[tuple[str, str]]]:
    """Rules with a norm or change in each, and which word depends on which by them."""
    text, arrows = "", []
    for at in range(draw.randrange(1, 9)):
        node, *asked = draw.choices(list(NODES), k=1 + draw.randrange(3))
        arrows += [(node, each) for each in asked]
        sums = [f"count({each})" if NODES[each] else each for each in asked]
        number = " + ".join(["1", *sums])
        says = (
            f"forbid {NODES[node]} on edge if {number} > 2"
            if NODES[node]
            else f"increase {node} by {number}"
        )
        text += HEAD.format(f"r{at}") + f"    {says}\n"
    return text, arrows


def is_circular(arrows: list[tuple[str, str]]) -> bool:
    """Whether there is a way from something to itself: all ways of all lengths are tried."""
    reached = set(arrows)
    for _ in NODES:
        reached |= {(a, d) for (a, b), (c, d) in product(reached, arrows) if b == c}
    return any(a == b for a, b in reached)


def test_random_rules_are_refused_if_and_only_if_they_are_circular(tmp_path: Path) -> None:
    folder = small_game(tmp_path, ", ".join(f"n{at}: 1" for at in range(4)))
    draw = random.Random(7)
    seen = set()
    for _ in range(40):
        text, arrows = random_rules(draw)
        found = circles(folder, text)
        assert bool(found) == is_circular(arrows), text
        for each in found:
            steps = each.message.split(": ", 1)[1].split(" -> ")
            assert steps[0] == steps[-1] and len({*steps}) == len(steps) - 1
            words = steps[1::2]
            assert all(pair in arrows for pair in pairwise([words[-1], *words])), text
        seen.add(len(found))
    assert {0, 1, 2} <= seen


ASKING = [
    signature
    for found in vocabulary().words.values()
    for signature in found
    if any(each.sort is Sort.VERB for each in signature.parameters)
]
TESTS = {Sort.HEXES: "any({})", Sort.NUMBER: "{} > 0", Sort.TRUTH: "{}"}


@pytest.mark.parametrize("kind", ["permit", "forbid", "prefer", "waive", "deny"])
@pytest.mark.parametrize("word", sorted({signature.name for signature in ASKING}))
def test_a_word_is_refused_if_and_only_if_it_would_never_end(
    monkeypatch: pytest.MonkeyPatch, kind: str, word: str
) -> None:
    """Every word about a verb, asked by every kind of norm: without the check the game tells."""
    (signature,) = (each for each in ASKING if each.name == word)
    guard = TESTS[signature.result].format(f"{word}(build)")
    target = "" if kind == "waive" else " on edge"
    text = HEAD.format("r") + f"    {kind} build{target} if {guard}\n"
    texts = [Source("r.kb", text)]
    is_refused = [each.code for each in check_all(["marshlands"], texts=texts)[1]] == ["KB423"]
    monkeypatch.setattr(compose, "_dependent", lambda rules: [])
    game = new_game(load("marshlands", texts=texts), 2, 1)
    assert is_refused != ends(game)


def ends(game: Game) -> bool:
    """Whether the game can be played for some moves, and asked after a terrain is chosen."""
    try:
        state = game.start()
        for _ in range(4):
            state = game.apply(state, next(iter(game.legal_moves(state))))
        game.legal_moves(with_choice(state, 1))
    except RecursionError:
        return False
    return True


@pytest.mark.parametrize(
    ("amount", "levels"), [("{}", 60), ("{0} + {0}", 14), ("{0} + {0} + {0}", 9)]
)
def test_what_asks_through_too_many_others_is_refused(
    tmp_path: Path, amount: str, levels: int
) -> None:
    names = [f"n{at}" for at in range(levels)]
    folder = small_game(tmp_path, ", ".join(f"{name}: 1" for name in names))
    lines = [f"    increase {a} by {amount.format(b)}\n" for a, b in pairwise(names)]
    text = [Source("r.kb", HEAD.format("r") + "".join(lines))]
    (found,) = check_all(folders=[folder], texts=text)[1]
    assert (found.code, found.message) == ("KB303", "this could take too long")
    few = [Source("r.kb", HEAD.format("r") + "".join(lines[-levels // 2 :]))]
    assert check_all(folders=[folder], texts=few)[1] == []


def test_there_are_so_many_changes_of_quantities_and_no_more(game: Path) -> None:
    lines = "    increase luck by 1\n" * compose.MAX_CHANGES
    texts = [Source("r.kb", HEAD.format("r") + lines)]
    assert check_all(folders=[game], texts=texts)[1] == []
    texts = [Source("r.kb", HEAD.format("r") + lines + "    increase luck by 2\n")]
    (found,) = check_all(folders=[game], texts=texts)[1]
    assert (found.code, found.span.text) == ("KB303", "increase luck by 2")
