"""`# kb: ignore[...]`: what it reaches, and what is said of it when it has nothing to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbrules.text import Source
from kbrules.tools.lint.suppressions import suppressions_of
from tests.example_games import DALE
from tests.tools.lint.written import PENDING, folder, told

REASON = " kept for later"
FAR = 'define far "Far from yours.": board - mine\n'
NEAR = 'rule near "Near":\n    "Build close."\n'


@pytest.mark.parametrize("name", ["KB703", "kb703", "unused-define", " KB703 ", "KB714, KB703"])
def test_above_and_behind_by_code_and_by_name(tmp_path: Path, name: str) -> None:
    comment = f"# kb: ignore[{name}]{REASON}"
    unused = [("KB700", 1)] if "KB714" in name else []
    assert told(folder(tmp_path, f"{comment}\n{PENDING}")) == unused
    assert told(folder(tmp_path, f"{PENDING.rstrip()}  {comment}\n")) == unused


def test_it_reaches_one_declaration_and_no_further(tmp_path: Path) -> None:
    text = f"# kb: ignore[KB703]{REASON}\n{PENDING}\n{FAR}"
    assert told(folder(tmp_path, text)) == [("KB703", 4)]


def test_above_a_declaration_it_reaches_all_that_is_indented_below(tmp_path: Path) -> None:
    norms = "    prefer build on edge & edge\n    prefer build on mine - mine\n"
    assert told(folder(tmp_path, NEAR + norms)) == [("KB716", 3), ("KB714", 4), ("KB717", 4)]
    ignored = f"# kb: ignore[KB714, KB716, KB717]{REASON}\n"
    assert told(folder(tmp_path, ignored + NEAR + norms)) == []
    ignored = f"    # kb: ignore[KB714, KB717]{REASON}\n"
    halves = norms.splitlines(keepends=True)
    text = NEAR + halves[0] + ignored + halves[1]
    assert told(folder(tmp_path, text)) == [("KB716", 3)]


def test_a_reason_is_asked_for_and_the_suppression_holds_all_the_same(tmp_path: Path) -> None:
    assert told(folder(tmp_path, f"# kb: ignore[KB703]\n{PENDING}")) == [("KB701", 1)]


@pytest.mark.parametrize("said", ["ignore", "ignore[]", "ignroe[KB703] so", "ignore[KB799] so"])
def test_what_says_nothing_useful_is_told(tmp_path: Path, said: str) -> None:
    assert told(folder(tmp_path, f"# kb: {said}\n{PENDING}")) == [("KB702", 1), ("KB703", 2)]


def test_errors_cannot_be_suppressed(tmp_path: Path) -> None:
    text = f"# kb: ignore[KB201]{REASON}\n{PENDING.replace('adjacent', 'adjcent')}"
    assert told(folder(tmp_path, text)) == [("KB201", 2)]
    assert told(folder(tmp_path, text.replace("adjcent", "adjacent")))[0] == ("KB702", 1)


def test_in_texts_and_drawings_it_is_no_comment(tmp_path: Path) -> None:
    text = 'rule near "Near":\n    "See # kb: ignore[KB703] here."\n    prefer build on edge\n'
    assert told(folder(tmp_path, text)) == []


def test_what_did_not_run_is_not_called_unused(tmp_path: Path) -> None:
    text = f"# kb: ignore[KB703]{REASON}\n{FAR}{NEAR}    prefer build on far\n"
    path = folder(tmp_path, text)
    assert told(path) == [("KB700", 1)]
    assert told(path, {"KB700", "KB716"}) == []


def test_data_files_hold_the_same_comment(tmp_path: Path) -> None:
    box = DALE["expansion.yaml"] + "numbers:\n  haste: 2\n  speed: 3\n"
    assert told(folder(tmp_path, "", box)) == [("KB707", 18), ("KB707", 19)]
    one = box.replace("  speed", f"  # kb: ignore[KB707]{REASON}\n  speed")
    assert told(folder(tmp_path, "", one)) == [("KB707", 18)]
    both = box.replace("numbers:", f"# kb: ignore[KB707]{REASON}\nnumbers:")
    assert told(folder(tmp_path, "", both)) == []


@given(
    st.lists(st.sampled_from(["# kb: ignore[KB703] so", "a", "    b", "", "# c", "|#"]), max_size=9)
)
def test_lines_lie_in_the_text_and_never_overlap_what_stands_above(lines: list[str]) -> None:
    source = Source("x.kb", "\n".join(lines))
    for each in suppressions_of(source):
        assert each.lines.start >= each.span.line or not each.lines
        assert not each.lines or each.lines.stop <= source.line_count + 1
