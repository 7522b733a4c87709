"""Boxes together: one union, whatever the order; clashes and wild ids are findings."""

from __future__ import annotations

from itertools import permutations

import pytest

from kbrules.library.union import merge
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
