"""Lints that look at maps and at the boards they form."""

from __future__ import annotations

from pathlib import Path

from kbrules.diagnostics import Diagnostic
from kbrules.messages import CODES, Example, File
from kbrules.tools.check import FileChecker
from kbrules.tools.explain import example_folder
from kbrules.tools.lint.run import LintSelection
from tests.example_games import MOOR

BOX = MOOR["expansion.yaml"]
WALLED = CODES["KB730"].right.files[0].text
HEAD = WALLED[: WALLED.index("      H")]
ROWS = "HHHH HYHH HLLH HHHL"
QUAY = next(file for file in CODES["KB739"].right.files if file.name == "rules/quay.kb")
LINTS = frozenset(f"KB73{digit}" for digit in range(9))
PRIZE = 'rule prize "A prize":\n    "Gold."\n    gold 1 per hex in mine & {}\n'


def box_of(rows: str) -> str:
    """A box of one section, drawn as a file has it."""
    lines = (" " * (6 + index % 2) + " ".join(row) for index, row in enumerate(rows.split()))
    return HEAD + "".join(f"{line}\n" for line in lines)


def of_map(rows: str, more: str = "") -> list[tuple[str, str]]:
    """What is said of a box with this map: codes, and what is marked."""
    with example_folder(Example((File("expansion.yaml", "", box_of(rows) + more),))):
        found = FileChecker().check([Path()], lints=LintSelection(LINTS, 0)).all
    return [(each.code, each.span.text) for each in found]


def of_set(text: str, box: str = BOX, samples: int = 20) -> list[Diagnostic]:
    """What is said of hexes of the moor."""
    files = File("expansion.yaml", "", box), File("rules/near.kb", "", PRIZE.format(text))
    with example_folder(Example(files, game="moor")):
        return FileChecker().check([Path()], lints=LintSelection(LINTS, samples)).all


def test_every_place_at_the_rim_is_told() -> None:
    assert of_map(ROWS) == []
    assert of_map("YHHH HHHH HLLH HHHY") == [("KB730", "Y"), ("KB730", "Y")]
    assert of_map("HHHH YHHH HHHH HLHH") == [("KB730", "Y")]


def test_each_pair_of_places_is_told_once() -> None:
    assert of_map("HHHH HYYH HLHH HHHH") == [("KB731", "Y")]


def test_ground_that_reaches_the_rim_is_no_pocket() -> None:
    assert of_map("LLLL LHLL LLLH HHHH") == [("KB732", "H")]
    assert of_map("LLLL LHHH LLLH HHHH") == []


def test_a_set_is_empty_on_all_boards_for_a_reason() -> None:
    (finding,) = of_set("heath & inside(lake) & adjacent(yard)")
    assert finding.code == "KB737" and finding.claim == "exact"
    assert finding.message.endswith("on all 2 boards there can be: none is `inside(lake)`")
    (finding,) = of_set("yard & edge")
    assert finding.message.endswith("no hex is `yard` and `edge`")


def test_many_boards_are_sampled_and_said_to_be() -> None:
    section = BOX[BOX.index("  north:") :]
    more = "".join(
        section.replace("north", f"north{n}").replace(
            "H H H H H L", " ".join("HHHHHH"[n:] + "L" * n)
        )
        for n in range(5)
    )
    box = BOX.replace("rows: 1, columns: 1", "rows: 2, columns: 2") + more
    (finding,) = [each for each in of_set("yard & edge", box) if each.code == "KB737"]
    assert finding.claim == "sampled 20" and "on 20 boards" in finding.message
    assert [each.code for each in of_set("yard & edge", box, 0) if each.code == "KB737"] == []


def test_a_needless_clause_and_what_makes_it_so() -> None:
    (finding,) = of_set("heath & (heath | yard)")
    assert (finding.code, finding.span.text, finding.claim) == ("KB738", "heath | yard", "exact")
    assert "beside `heath`" in finding.message
    assert of_set("heath & adjacent(lake)") == []


def test_what_the_text_tells_exactly_is_not_told_of_boards_once_more() -> None:
    two_kinds = PRIZE.format("lake & heath")
    with example_folder(Example((File("rules/near.kb", "", two_kinds),), game="moor")):
        for codes, told in ((LINTS, {"KB737"}), (LINTS | {"KB714"}, {"KB714"})):
            found = FileChecker().check([Path()], lints=LintSelection(codes, 20)).all
            assert {each.code for each in found} == told


def test_a_tile_that_chance_lays_out_needs_no_map() -> None:
    for counted, codes in (("each: 2", ["KB739"]), ("copies: 2", [])):
        box = box_of(ROWS)
        tile = f"tiles: {{quay: {{kind: location, place: yard, {counted}}}}}\n"
        box = box.replace("deck: [", tile + "deck: [")
        with example_folder(Example((QUAY, File("expansion.yaml", "", box)))):
            found = FileChecker().check([Path()], lints=LintSelection(frozenset({"KB739"}), 0)).all
        assert [each.code for each in found] == codes


def test_what_is_empty_by_its_words_is_told_once() -> None:
    rule = File("rules/near.kb", "", PRIZE.format("heath & lake"))
    with example_folder(Example((rule,), game="moor")):
        found = FileChecker().check([Path()], lints=LintSelection(LINTS | {"KB714"}, 20)).all
    assert [(each.code, each.claim) for each in found] == [("KB714", "exact")]
