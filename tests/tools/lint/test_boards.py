"""Lints that look at maps and boards, and at rules that are sayable and senseless."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbrules.diagnostics import Diagnostic
from kbrules.messages import CODES, Example, File
from kbrules.project.project import Project
from kbrules.tools.check import checked
from kbrules.tools.explain import example_folder
from kbrules.tools.lint.run import LintSettings
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
        found = checked(Project([Path()]), LintSettings(LINTS, samples=0, is_isolated=True)).all
    return [(each.code, each.span.text) for each in found]


def of_set(text: str, box: str = BOX, samples: int = 20) -> list[Diagnostic]:
    """What is said of hexes of the moor."""
    files = File("expansion.yaml", "", box), File("rules/near.kb", "", PRIZE.format(text))
    with example_folder(Example(files, game="moor")):
        return checked(
            Project([Path()]), LintSettings(LINTS, samples=samples, is_isolated=True)
        ).all


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
            found = checked(
                Project([Path()]), LintSettings(codes, samples=20, is_isolated=True)
            ).all
            assert {each.code for each in found} == told


def test_a_tile_that_chance_lays_out_needs_no_map() -> None:
    for counted, codes in (("each: 2", ["KB739"]), ("copies: 2", [])):
        box = box_of(ROWS)
        tile = f"tiles: {{quay: {{kind: location, place: yard, {counted}}}}}\n"
        box = box.replace("deck: [", tile + "deck: [")
        with example_folder(Example((QUAY, File("expansion.yaml", "", box)))):
            found = checked(
                Project([Path()]), LintSettings(frozenset({"KB739"}), samples=0, is_isolated=True)
            ).all
        assert [each.code for each in found] == codes


def test_what_is_empty_by_its_words_is_told_once() -> None:
    rule = File("rules/near.kb", "", PRIZE.format("heath & lake"))
    with example_folder(Example((rule,), game="moor")):
        found = checked(
            Project([Path()]), LintSettings(LINTS | {"KB714"}, samples=20, is_isolated=True)
        ).all
    assert [(each.code, each.claim) for each in found] == [("KB714", "exact")]


SENSELESS_BOX = "format: 1\nid: fog\ntitle: Fog\nneeds: [base]\n"
RULE = 'rule night "Night":\n    "Something is done."\n    {}\n'
LIMITS = frozenset({"KB725", "KB756", "KB757"})


def found(folder: Path, body: str, codes: frozenset[str] = LIMITS) -> list[Diagnostic]:
    (folder / "rules").mkdir(parents=True, exist_ok=True)
    (folder / "expansion.yaml").write_text(SENSELESS_BOX)
    (folder / "rules" / "night.kb").write_text(RULE.format(body))
    return checked(Project([folder]), LintSettings(codes, samples=16, is_isolated=True)).all


@pytest.mark.parametrize("on", ["board", "buildable", "grass | canyon | desert | flower | forest"])
def test_a_ban_on_all_that_cards_show_is_told_with_the_word_that_is_meant(
    tmp_path: Path, on: str
) -> None:
    (finding,) = found(tmp_path, f"forbid build on {on} if count(mine) > 2")
    assert (finding.code, finding.severity, finding.span.line) == ("KB756", "warning", 3)
    assert "`deny build`" in finding.help


@pytest.mark.parametrize(
    "norm",
    [
        "deny build on board if count(mine) > 2",
        "forbid build on grass | canyon | desert | flower if count(mine) > 2",
        "forbid build on board & edge if count(mine) > 2",
        "forbid move on board if count(mine) > 2",
    ],
)
def test_other_norms_are_not(tmp_path: Path, norm: str) -> None:
    assert found(tmp_path, norm, frozenset({"KB756"})) == []


def test_what_nobody_can_prove_is_told_by_play(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, "forbid build on within(adjacent(mine), 90) if count(mine) > 2")
    assert (finding.code, finding.claim) == ("KB757", "sampled 8")
    assert "`deny`" in finding.help


@pytest.mark.parametrize(
    "body",
    [
        "whenever any(board): gain 1",
        "whenever count(mine) > 2: gain 1",
        "whenever not finishing: gain 1",
    ],
)
def test_what_can_never_rest_is_an_error_at_the_condition(tmp_path: Path, body: str) -> None:
    (finding,) = found(tmp_path, body)
    assert (finding.code, finding.severity, finding.span.line) == ("KB213", "error", 3)
    assert finding.span.text in body and finding.span.text in finding.message


@pytest.mark.parametrize(
    "body", ["whenever any(board): end game", "whenever cards(deck) = 0: reshuffle discards"]
)
def test_what_may_rest_is_none(tmp_path: Path, body: str) -> None:
    assert found(tmp_path, body) == []


def test_what_did_not_rest_in_play_is_a_warning(tmp_path: Path) -> None:
    body = "whenever cards(deck) < 90: reshuffle discards"
    (finding,) = found(tmp_path, body)
    assert (finding.code, finding.severity) == ("KB725", "warning")
    assert CODES["KB725"].claim == "sampled"


def test_rounds_that_are_cut_are_told_by_play(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, "when build:\n        repeat count(board) * 2 times: gain 1")
    assert (finding.code, finding.span.text) == ("KB757", "count(board) * 2")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("when build if any(here & theirs & edge): gain 1", "here & theirs & edge"),
        ("when build, move: gain count(here - mine)", ""),
        ("when build: gain count(adjacent(here) & theirs)", ""),
        ("when build by anyone if any(here & theirs): gain 1", ""),
        ("when take: gain count(here & theirs)", ""),
        ("when build: gain 1 if any(here & (theirs - edge))", "here & (theirs - edge)"),
        ("when build: gain 1 to actor", "actor"),
    ],
)
def test_what_others_alone_can_do_is_told_behind_own_events(
    tmp_path: Path, body: str, said: str
) -> None:
    findings = found(tmp_path, body, frozenset({"KB759"}))
    assert [(each.code, each.span.text) for each in findings] == [("KB759", said)] * bool(said)


def test_a_piece_called_like_a_shipped_tile_is_told_once_at_the_author_s_line(
    tmp_path: Path,
) -> None:
    (tmp_path / "expansion.yaml").write_text(
        f"{SENSELESS_BOX}pieces: {{tower: {{letter: k, supply: 3}}}}\n"
    )
    (tmp_path / "night.kb").write_text(RULE.format("action: place 1 tower on edge & empty"))
    (finding,) = checked(Project([tmp_path])).all
    assert (finding.code, finding.span.line, finding.span.text) == ("KB202", 5, "tower")
    assert finding.message == "`tower` is also in `tiles`"
    assert [label.span.source.name.rsplit("/", 1)[-1] for label in finding.labels] == ["base.yaml"]
