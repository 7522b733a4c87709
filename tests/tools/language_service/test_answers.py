"""Hover, completion, help with arguments, hints: what is known at the cursor."""

from __future__ import annotations

import pytest

from kbrules.tools.language_service.completing import complete
from kbrules.tools.language_service.showing import hover, inlay_hints, signature_at
from kbrules.tools.language_service.workspace import Workspace
from tests.tools.language_service.conftest import Typing

CARD = '+card pikes "Pikes":\n    "What it pays."\n    '
FILE = "rules/rowers.kb"
SCENARIO = "scenarios/new.scenario.yaml"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("gold 1 per hex in min^e", "The hexes with a piece of the player"),
        ("gold 1 per row in ro^ws if any(mine & row)", "rows: groups"),
        ("gold 1 per row in rows if any(mine & ro^w)", "row: hexes"),
        ("gold 1 per hex in mine ^& lake", "Hexes in both sets"),
        ("when bu^ild: gain 1", "A piece was built"),
        ("forbid bu^ild on lake", "a verb of norms"),
        ("action:\n        bu^ild 1", "Put pieces from the supply"),
        ("gold 1 # kb: ignore[KB70^3] why", "**KB703**"),
        ("example:\n        | H^a H\n        gives 1", "player a"),
        ("gold 1 per hex in la^ke", "one of the terrains"),
        ("gold 1 if card_of(row^ers)", "One gold for each of your pieces beside a lake"),
        ("example:\n        | Ha H\n        giv^es 1", "The rule pays so much"),
    ],
)
def test_hover_in_rules(text: str, part: str, typing: Typing, workspace: Workspace) -> None:
    found = hover(workspace, *typing(FILE, CARD + text + "\n"))
    assert found is not None and part in found.markdown


def test_hover_shows_the_example_of_a_card(typing: Typing, workspace: Workspace) -> None:
    found = hover(workspace, *typing("expansion.yaml", "format: 1\nid: a\ncards: [row^ers]\n"))
    assert found is not None and found.place.end - found.place.start == len("rowers")
    assert "| Ha L\n|  H  Ha\ngives 2" in found.markdown and "Rowers" in found.markdown


def test_hover_on_keys(typing: Typing, workspace: Workspace) -> None:
    found = hover(workspace, *typing("expansion.yaml", "terrains:\n  heath: {let^ter: H}\n"))
    assert found is not None and "capital letter" in found.markdown
    found = hover(workspace, *typing(SCENARIO, "format: 1\nturn: {stag^e: start}\n"))
    assert found is not None and "stage" in found.markdown


@pytest.mark.parametrize("text", ['"What min^e is."', "^", "zzz^z"])
def test_nothing_is_said_of_nothing(text: str, typing: Typing, workspace: Workspace) -> None:
    assert hover(workspace, *typing(FILE, CARD + text)) is None


def labels(workspace: Workspace, typing: Typing, name: str, text: str) -> list[str]:
    """What is proposed."""
    return [each.label for each in complete(workspace, *typing(name, text)).proposals]


@pytest.mark.parametrize(
    ("text", "first", "there", "missing"),
    [
        (
            "gold 1 per hex in mine & ^",
            "adjacent",
            {"lake", "mine"},
            {"count"},
        ),
        ("gold 1 per hex in adjacent(la^", "adjacent", {"lake"}, {"count", "rowers"}),
        ("gold ^", "", {"count", "supply"}, {"lake", "mine", "rows"}),
        ("gold 1 per row in rows if any(mine & ^)", "row", {"lake"}, {"count"}),
        ("gold 1 per row in ^", "", {"rows"}, {"count"}),
        ("gold 1 if ^", "", {"any", "count", "not"}, set()),
        ("gold 1 ^", "", {"per", "if", "to"}, {"on"}),
        ("gold 1 per ^", "hex", {"row"}, {"mine"}),
        ("gold 1 to ^", "first", {"second"}, {"mine"}),
        ("permit ^", "", {"build", "move"}, {"mine", "draw"}),
        ("permit build on ^", "origin", {"lake"}, {"count"}),
        ("when ^", "", {"build", "turn_end"}, {"mine"}),
        ("when build by ^", "others", {"anyone"}, {"mine"}),
        ("when build:\n        build 1 on ^", "here", {"actor", "lake"}, {"count"}),
        ("action:\n        build 1 ^", "", {"on", "freely"}, {"from", "mine"}),
        ("action:\n        move 1 ^", "", {"from", "to"}, {"beside"}),
        ("action:\n        ^", "", {"build", "if", "repeat"}, {"permit", "gold"}),
        ("^", "", {"permit", "gold", "action", "example"}, {"build", "mine"}),
        ("example:\n        | ^", "H", {"L", "Y", "."}, {"mine"}),
        ("example:\n        | H^", "", {"Ha", "H+"}, {"L"}),
        ("example:\n        | Ha H\n        ^", "", {"gives", "offers"}, {"build", "mine"}),
        ("gold 1 # kb: ignore[^", "", {"KB703"}, {"KB201"}),
        ('"What ^', "", set(), {"mine"}),
        ("gold 1 # no ^", "", set(), {"mine"}),
    ],
)
def test_completion_in_a_card(
    text: str, first: str, there: set[str], missing: set[str], typing: Typing, workspace: Workspace
) -> None:
    found = labels(workspace, typing, FILE, CARD + text)
    assert there <= {*found} and not missing & {*found}
    assert not first or found[0] == first


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("^", {"card", "location", "define", "memory"}),
        ("card ^", {"pikes"}),
        ("memory seen: ^", {"hexes", "number"}),
        ("memory seen: hexes of ^", {"player", "turn"}),
        ("define near(where: ^): where", {"hexes", "player"}),
        ("define near(where: hexes):\n    adjacent(^)", {"where", "lake"}),
        ("option sure = ^", {"yes", "no"}),
        ("card pikes replaces ^", {"rowers", "anglers"}),
        ('steps go "Goes.":\n    build 1\n\nsteps more "More.":\n    do ^', set()),
    ],
)
def test_completion_of_declarations(
    text: str, there: set[str], typing: Typing, workspace: Workspace
) -> None:
    box = workspace.text(typing("expansion.yaml", "^")[0])
    path, _ = typing("expansion.yaml", "^")
    workspace.close_text(path)
    text_of_box = workspace.text(path).replace("[rowers,", "[pikes, rowers,")
    workspace.open_text(path, text_of_box)
    assert there <= {*labels(workspace, typing, FILE, "+" + text)}
    assert box == ""


@pytest.mark.parametrize(
    ("name", "text", "there", "missing"),
    [
        (SCENARIO, "format: 1\n^", {"title", "board", "expect"}, {"format"}),
        (SCENARIO, "format: 1\nboard:\n  ^", {"drawing", "sections"}, {"title"}),
        (SCENARIO, "format: 1\nturn: {stage: ^}", {"setup", "actions"}, {"true"}),
        (SCENARIO, "format: 1\nturn: {^", {"stage", "played"}, {"title"}),
        (SCENARIO, "format: 1\nturn:\n  played: ^\n", {"heath", "lake"}, {"rowers"}),
        (SCENARIO, "format: 1\ncards:\n  - ^", {"rowers", "anglers"}, {"heath"}),
        (SCENARIO, "format: 1\nwith: [^]", {"base"}, {"rowers"}),
        (SCENARIO, "format: 1\nexpect:\n  gold: {a: {^", {"rowers"}, {"title"}),
        (SCENARIO, "format: 1\nunchecked: ^", {"yes"} - {"yes"}, {"rowers"}),
        ("expansion.yaml", "format: 1\nid: a\nkind: ^\n", {"variant"}, {"card"}),
        ("expansion.yaml", "format: 1\ntiles:\n  well:\n    ^\n", {"kind", "place"}, {"title_"}),
        ("expansion.yaml", "format: 1\ntiles:\n  well:\n    kind: ^\n", {"location"}, {"variant"}),
        ("expansion.yaml", "format: 1\ntitle: ^\n", set(), {"rowers"}),
    ],
)
def test_completion_in_data(
    name: str, text: str, there: set[str], missing: set[str], typing: Typing, workspace: Workspace
) -> None:
    found = {*labels(workspace, typing, name, text)}
    assert there <= found and not missing & found


def test_a_snippet_can_be_typed_without_places(typing: Typing, workspace: Workspace) -> None:
    path, at = typing(FILE, "+^")
    found = complete(workspace, path, at).proposals
    card = next(e for e in found if e.is_snippet and e.label == "card")
    assert "${1:name}" in card.text and card.plain_text.startswith('card name "Title":\n    "')
    workspace.open_text(path, workspace.text(path) + card.plain_text)
    assert workspace.syntax(path) == ()


@pytest.mark.parametrize(
    ("text", "label", "number"),
    [
        ("gold 1 per hex in adjacent(^", "adjacent(of: hexes)", 0),
        ("gold 1 per hex in within(mine, ^", "within(of: hexes, distance: number)", 1),
        ("gold 1 per hex in within(adjacent(mine), (^", "within(", 1),
        ("gold count(mine & row ^", "count(", 0),
        ("action:\n        move 1 from ^", "move COUNT", 1),
    ],
)
def test_help_with_arguments(
    text: str, label: str, number: int, typing: Typing, workspace: Workspace
) -> None:
    found = signature_at(workspace, *typing(FILE, CARD + text))
    assert found is not None and found.parameter == number
    shape = found.shapes[found.active]
    assert shape.label.startswith(label)
    assert all(0 <= start < end <= len(shape.label) for start, end in shape.parameters)


def test_no_help_where_nothing_is_open(typing: Typing, workspace: Workspace) -> None:
    assert (
        signature_at(workspace, *typing(FILE, CARD + "gold 1 per hex in adjacent(mine) ^")) is None
    )


def test_hints_tell_the_sort_of_a_definition_and_the_size_of_a_drawing(
    typing: Typing, workspace: Workspace
) -> None:
    path, _ = typing(
        FILE, "+define near(where: hexes): adjacent(where)\ndefine many: count(mine)\n^"
    )
    workspace.findings(path)
    text = workspace.text(path)
    found = {
        text[: hint.offset].rpartition("\n")[2].strip(): hint.text
        for hint in inlay_hints(workspace, path)
    }
    assert found == {
        "example:": "4 hexes", "define near(where: hexes)": ": hexes", "define many": ": number",
    }  # fmt: skip
