"""`check --fix`: afterwards the file can be read, the finding is gone, and all means the same."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from typer.testing import CliRunner, Result

from cli.app import app
from kbrules.diagnostics import Diagnostic, Edit
from kbrules.lang.formatting import formatted
from kbrules.library.load import load
from kbrules.messages import CODES, Code
from kbrules.project.project import Project
from kbrules.text import Source
from kbrules.tools.check import checked
from kbrules.tools.explain import example_folder
from kbrules.tools.lint.fixing import Fixer, apply_fixes
from kbrules.tools.lint.run import LintSettings
from kbrules.tools.sampling import samples
from tests.tools.lint.written import RULES, TEXT, folder, told

FIXED = [entry for entry in CODES.values() if entry.fix]
RICHES = 'rule riches "Riches":\n    "Gold for what you have."\n    gold {}\n'
# What is written, what it becomes, and the warnings that are left.
BETTER = [
    ("1 if count(mine & edge) > 0", "1 if any(mine & edge)"),
    ("1 if count(mine & edge) = 0", "1 if none(mine & edge)"),
    ("1 if count(mine & edge)   >= 1 and any(mine)", "1 if any(mine & edge) and any(mine)"),
    ("1 if not none(mine)", "1 if any(mine)"),
    ("1 if not not any(mine)", "1 if any(mine)"),
    ("1 if not not not any(mine)", "1 if none(mine)"),
    ("count(mine & edge & mine)", "count(mine & edge)"),
    ("count(edge | mine | edge)", "count(edge | mine)"),
    ("1 if any(mine) and any(edge) and any(mine)", "1 if any(mine) and any(edge)"),
    ("count(touching(mine, at least 1))", "count(adjacent(mine))"),
    ("count(mine) * 1", "count(mine)"),
    ("count(mine) / 1 + 0", "count(mine)"),
    ("2 * (count(mine) * 1)", "2 * count(mine)"),
]


def fixing(path: Path) -> tuple[Fixer, list[Diagnostic]]:
    wanted = LintSettings(TEXT, is_isolated=True)
    work = Fixer(Project([path]), lambda project: checked(project, wanted))
    return work, work.run().all


@pytest.mark.parametrize(("written", "better"), BETTER, ids=[written for written, _ in BETTER])
def test_the_shorter_form_is_written(tmp_path: Path, written: str, better: str) -> None:
    work, left = fixing(folder(tmp_path, RICHES.format(written)))
    (file,) = work.changed()
    assert (file.after, left) == (RICHES.format(better), [])
    assert work.fixed > 0
    assert (tmp_path / RULES).read_text() == RICHES.format(written)  # nothing is written here


@pytest.mark.parametrize(("written", "better"), BETTER, ids=[written for written, _ in BETTER])
def test_it_pays_the_same_in_every_position(tmp_path: Path, written: str, better: str) -> None:
    sheets = []
    for name, amount in (("before", written), ("after", better)):
        path = folder(tmp_path / name, RICHES.format(amount))
        ruleset = load(folders=[path])
        sheets.append([s.game.score(s.state).totals for s in samples(ruleset, 6)])
    assert sheets[0] == sheets[1]
    assert any(any(totals) for totals in sheets[0])


@pytest.mark.parametrize("entry", FIXED, ids=[entry.code for entry in FIXED])
def test_the_wrong_example_of_a_code_is_mended(entry: Code) -> None:
    with example_folder(entry.wrong):
        work, left = fixing(Path())
        (file,) = work.changed()
        assert file.path == Path(entry.wrong.files[-1].name)
        assert entry.code not in [each.code for each in left]
        was_in_style = formatted(Source("x.kb", file.before)) == file.before
        assert (formatted(Source("x.kb", file.after)) == file.after) is was_in_style


def test_a_code_says_what_its_fix_does_if_and_only_if_it_has_one(tmp_path: Path) -> None:
    mending = set()
    for code in sorted(TEXT):
        with example_folder(CODES[code].wrong):
            found = checked(Project([Path()]), LintSettings(TEXT, is_isolated=True)).findings
        mending |= {each.code for each in found if each.fix}
    assert mending == {entry.code for entry in FIXED}


SUPPRESSED = [
    ("# kb: ignore[KB703] so\n", ""),
    ("# kb: ignore[KB703, KB716] so\n", ""),
    ("# what follows is rich\n# kb: ignore[KB703] so\n", "# what follows is rich\n"),
    ("# kb: ignore[KB715, KB703] so\n", "# kb: ignore[KB715] so\n"),
    ("# kb: ignore[KB703, KB715] so\n", "# kb: ignore[KB715] so\n"),
    ("# kb: ignore[KB703,KB715 ,KB716] so\n", "# kb: ignore[KB715] so\n"),
]


@pytest.mark.parametrize(("written", "better"), SUPPRESSED)
def test_suppressions_of_nothing_go(tmp_path: Path, written: str, better: str) -> None:
    rule = RICHES.format("0 - count(mine)" if "KB715" in written else "count(mine)")
    work, left = fixing(folder(tmp_path, written + rule))
    assert [file.after for file in work.changed()] == [better + rule]
    assert left == []


def test_a_suppression_behind_a_line_goes_and_the_line_stays(tmp_path: Path) -> None:
    rule = RICHES.format("count(mine)")
    work, left = fixing(folder(tmp_path, rule.rstrip() + "  # kb: ignore[KB703] so\n"))
    assert [file.after for file in work.changed()] == [rule]
    assert left == []


def test_groups_are_left_alone(tmp_path: Path) -> None:
    """`any` asks of hexes only, so that the number of groups has to be counted."""
    assert told(folder(tmp_path, RICHES.format("1 if count(groups(mine)) > 0"))) == []
    assert told(folder(tmp_path, RICHES.format("1 if not any(any(row) for row in rows)"))) == []


def test_a_comment_inside_is_not_lost(tmp_path: Path) -> None:
    text = RICHES.format("count(\n        mine  # all of them\n        & edge & mine\n    )")
    work, _ = fixing(folder(tmp_path, text))
    assert all("# all of them" in file.after for file in work.changed())


def test_line_ends_stay_as_they_are(tmp_path: Path) -> None:
    path = folder(tmp_path, "")
    written = RICHES.format("count(mine) * 1").replace("\n", "\r\n").encode()
    (path / RULES).write_bytes(written)
    work, _ = fixing(path)
    (file,) = work.changed()
    assert file.after.encode() == written.replace(b" * 1", b"")


def test_what_does_no_good_is_withdrawn(tmp_path: Path) -> None:
    """A fix that makes a mistake, offered beside one that makes none."""
    path = folder(tmp_path, RICHES.format("count(mine) * 1") + RICHES.format("1")[:0])

    def check(project: Project) -> object:
        report = checked(project, LintSettings(TEXT, is_isolated=True))
        source = next((each.span.source for each in report.findings), None)
        if source is None:
            return report
        bad = Diagnostic("KB703", source.span(0, 4), "a lie", fix=(Edit(source.span(0, 4), "rul"),))
        return type(report)(report.names, (*report.findings, bad), report.problems)

    work = Fixer(Project([path]), check)  # type: ignore[arg-type]
    left = work.run()
    assert [each.message for each in left.findings] == []
    assert [file.after for file in work.changed()] == [RICHES.format("count(mine)")]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4)), max_size=6))
def test_edits_that_meddle_are_left_for_another_time(places: list[tuple[int, int]]) -> None:
    source = Source("x.kb", "0123456789")
    findings = []
    for at, length in places:
        span = source.span(at, at + length)
        findings.append(Diagnostic("KB716", span, "m", fix=(Edit(span, "x"),)))
    text = apply_fixes(source, findings)
    kept = [each for each in text if each != "x"]
    assert kept == sorted(kept)  # what is left stands in its order
    assert ("x" in text) is bool(findings)


def check(*words: str) -> Result:
    return CliRunner().invoke(app, ["check", "--samples", "0", *words])


def test_the_command_writes_and_tells_what_is_left(tmp_path: Path) -> None:
    path = folder(
        tmp_path,
        RICHES.format("count(mine) * 1")
        + "\n"
        + RICHES.format("0").replace("riches", "none_at_all"),
    )
    with chdir(path):
        shown = check("--diff", ".")
        assert (shown.exit_code, "-    gold count(mine) * 1\n" in shown.stdout) == (1, True)
        assert "* 1" in (path / RULES).read_text()
        result = check("--fix", ".", "--output-format", "concise")
        assert result.exit_code == 1
        assert "fixed 1 finding in 1 file" in result.stderr
        assert "warning[KB715]" in result.stdout and "KB720" not in result.stdout
        assert "gold count(mine)\n" in (path / RULES).read_text()
        assert check("--diff", ".").exit_code == 0
