"""What boxes say in place of what others say: it wins in any order, and two of it may clash."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from kbrules.diagnostics import Diagnostic, RulesError
from kbrules.library.boards.tables import BoardParts
from kbrules.library.box import read_box, shipped_box, shipped_boxes, usual_boxes
from kbrules.library.load import load
from kbrules.library.union import merge, options_of
from tests.library.written import box, facts

DALE = "numbers: {builds: 3, hand: 1}\ntable: {rows: 1, columns: 2}\n"
TWO = "instead: {numbers: {hand: 2}}\n"


def numbers(*texts: str) -> tuple[dict[str, int], list[tuple[str, str]]]:
    boxes = [box(text, f"box{i}") for i, text in enumerate(texts)]
    answers = [merge(order) for order in permutations(boxes)]
    catalog, _, found = answers[0]
    for other, _, more in answers:
        assert (other.numbers, more) == (catalog.numbers, found)
    return dict(catalog.numbers), facts(found)


def test_a_number_gives_way_to_what_is_said_instead_in_any_order() -> None:
    assert numbers(DALE) == ({"builds": 3, "hand": 1}, [])
    assert numbers(DALE, TWO) == numbers(TWO, DALE) == ({"builds": 3, "hand": 2}, [])
    assert numbers(DALE, TWO, TWO) == ({"builds": 3, "hand": 2}, [])


def test_two_that_say_different_things_instead_clash() -> None:
    three = TWO.replace("2", "3")
    assert numbers(DALE, TWO, three)[1] == [("KB411", "3")]
    assert numbers(DALE, three, "instead: {numbers: {builds: 4}}\n")[1] == []


def test_there_must_be_something_in_whose_place_it_stands() -> None:
    assert numbers(DALE, "instead: {numbers: {hans: 2}}\n")[1] == [("KB413", "hans")]


def test_a_table_gives_way_as_well() -> None:
    longer = "instead: {table: {rows: 3, columns: 2}}\n"
    for boxes in permutations([box(DALE, "a"), box(longer, "b")]):
        assert merge(boxes)[1].table == (3, 2)
    assert merge([box(longer)])[1].table == (3, 2)
    wider = longer.replace("columns: 2", "columns: 3")
    _, _, found = merge([box(DALE, "a"), box(longer, "b"), box(wider, "c")])
    assert [each.code for each in found] == ["KB411"]
    assert "what the table is instead" in found[0].message


def parts_of(*texts: str) -> tuple[BoardParts, list[Diagnostic]]:
    _, parts, found = merge([box(text, f"box{i}") for i, text in enumerate(texts)])
    return parts, found


def test_defaults_of_options() -> None:
    parts, found = parts_of("instead: {options: {shy: yes, most: 4, bold: false}}\n")
    assert found == [] and parts.defaults == {"shy": True, "most": 4, "bold": False}
    _, found = parts_of("instead: {options: {most: 1}}\n", "instead: {options: {most: yes}}\n")
    assert facts(found) == [("KB411", "yes")]
    _, misfits = options_of([], parts)
    assert facts(misfits) == [("KB413", "shy"), ("KB413", "most"), ("KB413", "bold")]


def test_a_box_sets_another_default_of_an_option() -> None:
    plain, lords = load("base"), load("base", "settled_lords")
    changed = {id for id, value in plain.options.items() if lords.options[id] != value}
    assert changed == {"lords_rank_zero"} and lords.options["lords_rank_zero"] is False
    assert list(lords.options) == list(plain.options)
    assert lords.digest != plain.digest


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        ("{lords_rank_zeros: no}", ["KB413"]),
        ("{lords_rank_zero: 2}", ["KB209"]),
        ("{lords_rank_zero: no}", []),
    ],
)
def test_an_author_sets_another_default(tmp_path: Path, options: str, codes: list[str]) -> None:
    text = f"format: 1\nid: mine\ntitle: Mine\nneeds: [base]\ninstead:\n  options: {options}\n"
    (tmp_path / "expansion.yaml").write_text(text, encoding="utf-8")
    try:
        found = [] if load(folders=[tmp_path]) else ["?"]
    except RulesError as error:
        found = [each.code for each in error.diagnostics]
    assert found == codes


def test_which_boxes_are_meant_where_none_is_named() -> None:
    kinds = {}
    for id in shipped_boxes():
        model, _ = read_box(shipped_box(id))
        assert model is not None
        kinds[id] = model.model.kind
    assert usual_boxes() == [id for id, kind in kinds.items() if kind == "expansion"]
    assert set(load().boxes) == set(usual_boxes())
    assert {*kinds.values()} >= {"expansion", "variant"}
