"""Which warnings are given: by options, settings and `# kb: ignore[...]`."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from typer.testing import CliRunner, Result

from cli.app import app
from kbrules.messages import CODES
from kbrules.project.project import Project
from kbrules.text import Source, Span
from kbrules.tools.check import checked
from kbrules.tools.lint.run import (
    LINTS,
    SCENARIO_LINTS,
    LintSettings,
    codes_named,
    suppressions_of,
    warnings,
)
from kbrules.tools.lint.subject import lint
from tests.example_games import DALE
from tests.source_tree import ROOT
from tests.tools.lint.written import PENDING, TEXT, folder, told

HERE = Span.none("here")
RULE = 'rule near "Near":\n    "Build close."\n    prefer build on edge & edge\n'


def check(*words: str) -> Result:
    return CliRunner().invoke(
        app, ["check", "--samples", "0", "--output-format", "concise", *words]
    )


@pytest.fixture
def dale(tmp_path: Path) -> Path:
    return folder(tmp_path, PENDING + RULE)


def test_every_lint_is_a_warning_that_makes_a_claim_and_the_other_way_round() -> None:
    given = [c for c, page in CODES.items() if page.severity == "warning" and c >= "KB5"]
    assert [*warnings()] == given
    assert {code for code in given if CODES[code].claim} == set(LINTS)
    assert {code for code in given if code < "KB7"} == SCENARIO_LINTS
    assert {LINTS[code].needs for code in TEXT if code in LINTS} == {"text"}
    assert all(CODES[code].claim == "exact" for code in LINTS if LINTS[code].needs == "text")


def test_a_code_has_one_lint() -> None:
    with pytest.raises(ValueError, match="KB703"):
        lint("KB703")


def test_names_are_codes_their_beginnings_and_short_names() -> None:
    assert codes_named(["KB703", "said-twice"], HERE)[0] == {"KB703", "KB716"}
    assert codes_named(["KB70"], HERE)[0] == {c for c in warnings() if c.startswith("KB70")}
    assert codes_named(["kb7"], HERE) == (frozenset(warnings()) - SCENARIO_LINTS, [])
    assert codes_named(["silent-end"], HERE) == codes_named(["KB508"], HERE) == (SCENARIO_LINTS, [])


@pytest.mark.parametrize(
    ("name", "help_"),
    [
        ("KB203", "only warnings can be chosen; what is wrong is always told"),
        ("KB2", "`kbrules explain` lists the codes"),
        ("said-twic", "did you mean `said-twice`?"),
        ("K", "`kbrules explain` lists the codes"),
    ],
)
def test_what_names_no_warning_is_refused(name: str, help_: str) -> None:
    found, (problem,) = codes_named([name, "KB703"], HERE)
    assert (found, problem.code, problem.help) == ({"KB703"}, "KB009", help_)


def test_only_what_is_selected_and_not_ignored_is_told(dale: Path) -> None:
    assert told(dale) == [("KB703", 1), ("KB716", 4)]
    assert told(dale, {"KB716"}) == [("KB716", 4)]
    with chdir(dale):
        assert (
            check(".", "--select", "KB716,KB703", "--ignore", "said-twice").stdout.count("KB7") == 1
        )
        result = check(".", "--select", "KB716", "--select", "no-such")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "error[KB009]: no warning is called `no-such`" in result.stderr


def test_what_the_exit_code_counts(dale: Path) -> None:
    with chdir(dale):
        assert check(".").exit_code == 1
        assert check(".", "--fail-level", "error").exit_code == 0
        assert check(".", "--exit-zero").exit_code == 0
        (dale / "rules" / "near.kb").write_text("define near: adjcent(mine)\n")
        assert check(".", "--fail-level", "error").exit_code == 1
        assert check(".", "--exit-zero").exit_code == 0
        assert check("no-such-file", "--exit-zero").exit_code == 2


GUIDE = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
SHOWN = GUIDE.partition("```toml\n")[2].partition("```")[0]
SET = [
    ("kbrules.toml", SHOWN, ["KB716"]),
    ("kbrules.toml", SHOWN.replace("200", "0"), ["KB716"]),
    ("kbrules.toml", 'select = ["KB716"]\n', ["KB716"]),
    ("kbrules.toml", 'ignore = ["KB716"]\nsamples = 0\n', ["KB703"]),
    ("pyproject.toml", '[tool.kbrules]\nignore = ["unused-define"]\n', ["KB716"]),
    ("pyproject.toml", '[tool.other]\nname = "tool.kbrules"\n', ["KB703", "KB716"]),
]


@pytest.mark.parametrize(("name", "text", "codes"), SET)
def test_a_folder_may_set_it(dale: Path, name: str, text: str, codes: list[str]) -> None:
    (dale / name).write_text(text)
    with chdir(dale / "rules"):  # the folder above it counts
        shown = check("..").stdout
        assert [code for code in ("KB703", "KB716") if code in shown] == codes
        shown = check("..", "--isolated").stdout
        assert "KB703" in shown and "KB716" in shown


def test_a_folder_may_let_warnings_pass(dale: Path) -> None:
    (dale / "kbrules.toml").write_text('fail-level = "error"\n')
    with chdir(dale):
        assert check(".").exit_code == 0
        assert check(".", "--fail-level", "warning").exit_code == 1


BAD = [
    ('ignroe = ["KB7"]\n', "1:1", "there is no setting `ignroe`", "did you mean `ignore`?"),
    ('\nselect = "KB7"\n', "2:1", "this is a list of codes", ""),
    ('select = ["KB20"]\n', "1:1", "no warning is called `KB20`", ""),
    ("samples = -1\n", "1:1", "this is a number from 0", ""),
    ('fail-level = "info"\n', "1:1", "this is `", ""),
    ("select = [\n", "1:", "this cannot be read as TOML", ""),
]


@pytest.mark.parametrize(("text", "place", "message", "help_"), BAD)
def test_what_cannot_be_set_is_told_at_its_place(
    dale: Path, text: str, place: str, message: str, help_: str
) -> None:
    (dale / "kbrules.toml").write_text(text)
    with chdir(dale):
        result = check(".", "--output-format", "full")
    assert (result.exit_code, result.stdout.count("error[")) == (2, 1)
    assert f"kbrules.toml:{place}" in result.stdout.replace(f"{dale}/", "")
    assert "error[KB729]: " + message in result.stdout and help_ in result.stdout


def test_nothing_is_warned_of_while_anything_is_wrong(dale: Path) -> None:
    (dale / "rules" / "wrong.kb").write_text('define wrong "Wrong.": adjcent(mine)\n')
    assert [code for code, _ in told(dale)] == ["KB201"]


def test_one_file_is_judged_with_all_others(dale: Path) -> None:
    (dale / "rules" / "more.kb").write_text('define more "More.": lonely - edge\n')
    wanted = LintSettings(TEXT, is_isolated=True)
    found = checked(Project([dale / "rules" / "near.kb"]), wanted).all
    assert [each.code for each in found] == ["KB716"]  # `lonely` is used elsewhere
    found = checked(Project([dale / "rules" / "more.kb"]), wanted).all
    assert [each.code for each in found] == ["KB703"]


@pytest.mark.parametrize("home", ["", "tests/house/dale", "tests/house/hex"])
def test_what_is_shipped_gives_no_cause(home: str) -> None:
    paths = [ROOT / home] if home else []
    assert checked(Project(paths), LintSettings(TEXT, is_isolated=True)).all == []


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
