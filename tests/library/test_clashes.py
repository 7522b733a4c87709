"""Things and words of an author that are called like words there are: told once, where they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbrules.diagnostics import Diagnostic
from kbrules.library.load import check_all

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
