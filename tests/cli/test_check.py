"""`kbrules check`: what is looked at, by which settings, what is shown, and the exit code."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.app import app
from kbrules.lang.syntax.split import KnownDeclarations
from kbrules.library import store
from kbrules.library.reading import data_root
from kbrules.project.project import Project
from kbrules.text import Source
from kbrules.tools.check import CheckResult, checked
from kbrules.tools.language_service.workspace import Workspace
from kbrules.tools.workshop.writing import WorkingCopy, Writing
from tests.example_games import DALE, write_files
from tests.pace import calls

BOX = """\
format: 1
id: dale
title: The Dale
needs: [base]
terrains:
  heath: {letter: H, tags: [buildable]}
cards: [rowers]
marks: {close: {title: close by}}
sections:
  heaths:
    rows: |
      G H H H H H H H H H
"""
BOX += 9 * "      H H H H H H H H H H\n"
ROWERS = """\
card rowers "Rowers":
    "One gold for each of your pieces on heath."
    gold 1 per hex in mine & heath
    example:
        | Ha Ha G
        |  G  G  G
        gives 2
"""
WORDS = 'define close "Next to yours.": adjacent(mine)\n'
SCENARIO = """\
format: 1
title: Heath pays
board:
  drawing: |
    Ha Ha G
     G  G  G
cards: [rowers]
expect:
  gold: {a: {rowers: 2}}
"""


@pytest.fixture
def dale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An author's folder, seen from the folder above it."""
    files = {
        "expansion.yaml": BOX,
        "rules/rowers.kb": ROWERS,
        "rules/words.kb": WORDS,
        "scenarios/pays.scenario.yaml": SCENARIO,
        "README.md": "# The Dale\n",
    }
    write_files(tmp_path / "dale", files)
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "dale"


def check(*words: str | Path) -> Result:
    result = CliRunner().invoke(app, ["check", *map(str, words)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def spoil(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def told(result: Result) -> list[tuple[str, str, int]]:
    """(code, file, line) of each finding of a JSON report."""
    return [(f["code"], f["file"], f["line"]) for f in json.loads(result.stdout)["findings"]]


# What is looked at


def test_everything_shipped_is_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = check()
    shipped = [
        *data_root("rules").rglob("*.kb"),
        *data_root("expansions").rglob("*.yaml"),
    ]
    assert (result.exit_code, result.output) == (0, f"all good: {len(shipped)} files\n")


def test_without_a_path_the_folder_we_are_in_is_checked_too(
    dale: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil(dale / "rules" / "words.kb", "adjacent", "adjcent")
    assert check().exit_code == 0
    monkeypatch.chdir(dale)
    result = check("--output-format", "json")
    assert told(result) == [("KB201", "rules/words.kb", 1)]
    assert result.exit_code == 1


def test_without_a_path_the_folders_given_are_checked_too(dale: Path) -> None:
    spoil(dale / "rules" / "words.kb", "adjacent", "adjcent")
    result = check("--with", "dale", "--output-format", "json")
    assert told(result) == [("KB201", "dale/rules/words.kb", 1)]
    assert result.exit_code == 1


def test_a_folder_is_all_files_in_it(dale: Path) -> None:
    result = check("dale")
    assert (result.exit_code, result.output) == (0, "all good: 4 files\n")
    spoil(dale / "rules" / "words.kb", "adjacent", "adjcent")
    spoil(dale / "rules" / "rowers.kb", "gold 1", "gold mine")
    spoil(dale / "scenarios" / "pays.scenario.yaml", "drawing", "drwing")
    spoil(dale / "expansion.yaml", "title", "titel")
    codes = sorted(code for code, _, _ in told(check("dale", "--output-format", "json")))
    assert codes[0] == "KB201" and {"KB402", "KB412"} <= set(codes)


def test_hidden_folders_are_left_out(dale: Path) -> None:
    (dale / ".old").mkdir()
    (dale / ".old" / "words.kb").write_text("nonsense\n")
    assert check("dale").output == "all good: 4 files\n"


def test_only_what_was_asked_for_is_shown(dale: Path) -> None:
    spoil(dale / "rules" / "words.kb", "adjacent", "adjcent")
    assert check("dale/rules/rowers.kb").output == "all good: 1 file\n"
    assert check("dale/expansion.yaml").output == "all good: 1 file\n"
    assert check("dale/rules/words.kb").exit_code == 1


def test_a_file_is_checked_with_the_folder_it_lies_in(dale: Path) -> None:
    spoil(dale / "rules" / "rowers.kb", "mine & heath", "mine & heath & close")
    assert check("dale/rules/rowers.kb", "--samples", "0").exit_code == 0
    (dale / "rules" / "words.kb").unlink()
    result = check("dale/rules/rowers.kb", "--output-format", "json")
    assert told(result) == [("KB201", "dale/rules/rowers.kb", 3)]


def test_a_file_without_a_folder_is_checked_with_the_shipped_boxes(dale: Path) -> None:
    Path("loose.kb").write_text('define far "Far.": terrain(played) - adjacent(mine)\n')
    assert check("loose.kb", "--ignore", "unused-define").exit_code == 0
    Path("loose.kb").write_text(ROWERS)
    codes = [code for code, _, _ in told(check("loose.kb", "--output-format", "json"))]
    assert codes == ["KB410", "KB201", "KB408"]


def test_a_shipped_file_is_not_taken_for_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    file = sorted(data_root("rules").rglob("*.kb"))[-1]
    monkeypatch.chdir(file.parent)
    assert check(file.name).output == "all good: 1 file\n"
    assert check(file, Path("..") / file.parent.name / file.name).output == "all good: 1 file\n"
    assert check(*sorted(data_root("expansions").glob("*.yaml"))).exit_code == 0


def test_a_clash_is_shown_from_both_sides(dale: Path) -> None:
    (dale / "rules" / "more.kb").write_text(WORDS.replace("mine", "empty"))
    for name in ("words", "more"):
        result = check(f"dale/rules/{name}.kb", "--output-format", "json")
        assert [code for code, _, _ in told(result)] == ["KB202"]


def test_what_keeps_a_file_from_being_checked_is_shown(dale: Path) -> None:
    spoil(dale / "expansion.yaml", "letter: H", "letter: 7")
    result = check("dale/rules/rowers.kb", "--output-format", "json")
    assert told(result) == [("KB403", "dale/expansion.yaml", 6)]
    assert result.exit_code == 1


def test_data_of_a_box_alone_may_be_asked_for(dale: Path) -> None:
    spoil(dale / "expansion.yaml", "cards: [rowers]", "cards: [rowers, oars]")
    result = check("dale/expansion.yaml", "--output-format", "json")
    assert told(result) == [("KB409", "dale/expansion.yaml", 7)]


def test_with_loads_another_folder_as_well(dale: Path) -> None:
    other = dale.parent / "vale"
    (other / "rules").mkdir(parents=True)
    (other / "expansion.yaml").write_text("format: 1\nid: vale\ntitle: The Vale\nneeds: [dale]\n")
    (other / "rules" / "x.kb").write_text('define wild "Wild.": heath - close\n')
    assert check("vale", "--ignore", "KB703").output == "all good: 2 files\n"
    far = dale.rename(dale.parent / ".far")  # no box is looked for there
    result = check("vale", "--output-format", "json")
    assert {code for code, _, _ in told(result)} == {"KB413", "KB201"}
    assert check("vale", "--with", far, "--ignore", "KB703").output == "all good: 2 files\n"
    assert check("vale", "--with", "no-such-thing").exit_code == 2


def test_scenarios_are_read_and_laid_out_but_not_played(dale: Path) -> None:
    file = dale / "scenarios" / "pays.scenario.yaml"
    spoil(file, "rowers: 2", "rowers: 5")
    assert check(file).exit_code == 0  # that it fails is for `test` to say
    spoil(file, "cards: [rowers]", "cards: [rowrs]")
    assert told(check(file, "--output-format", "json")) == [
        ("KB413", "dale/scenarios/pays.scenario.yaml", 7)
    ]


def test_examples_are_read_but_not_run(dale: Path) -> None:
    file = dale / "rules" / "rowers.kb"
    spoil(file, "gives 2", "gives 7")
    assert check(file, "--samples", "0").exit_code == 0
    spoil(file, "gives 7", "gvies 7")
    spoil(file, "| Ha Ha G", "| Ha Ha Q")
    found = [(code, line) for code, _, line in told(check(file, "--output-format", "json"))]
    assert found == [("KB408", 5), ("KB201", 7)]


def test_cards_and_locations_need_an_example(dale: Path) -> None:
    file = dale / "rules" / "rowers.kb"
    file.write_text(ROWERS.partition("    example:")[0])
    assert told(check("dale", "--output-format", "json")) == [("KB212", "dale/rules/rowers.kb", 1)]


# What cannot be checked


def test_a_path_that_is_not_there(dale: Path) -> None:
    result = check("dale", "nowhere", "--output-format", "json")
    assert result.exit_code == 2
    assert [code for code, _, _ in told(result)] == ["KB001"]


def test_a_file_of_another_kind(dale: Path) -> None:
    result = check("dale/README.md", "--output-format", "concise")
    assert result.exit_code == 2
    assert "error[KB006]" in result.stdout


def test_a_folder_with_nothing_in_it(dale: Path) -> None:
    (dale / "empty").mkdir()
    result = check("dale/empty")
    assert result.exit_code == 2
    assert "error[KB007]" in result.stdout


def test_a_problem_does_not_hide_findings(dale: Path) -> None:
    spoil(dale / "rules" / "words.kb", "adjacent", "adjcent")
    result = check("nowhere", "dale", "--output-format", "json")
    assert sorted(code for code, _, _ in told(result)) == ["KB001", "KB201"]
    assert result.exit_code == 2


# Forms


def test_in_full_there_is_an_excerpt_and_a_summary(dale: Path) -> None:
    spoil(dale / "rules" / "words.kb", "adjacent", "adjcent")
    result = check("dale")
    assert result.stdout == (
        "dale/rules/words.kb:1:31: error[KB201]: `adjcent` is not a word I know\n"
        '   1 | define close "Next to yours.": adjcent(mine)\n'
        "     |                                ^^^^^^^\n"
        "   help: did you mean `adjacent`?\n"
        "\n"
        "1 finding in 1 file\n"
    ).replace(":31:", ":32:")
    assert result.stderr == ""


def test_concise_is_one_line_for_each(dale: Path) -> None:
    spoil(dale / "rules" / "words.kb", "adjacent", "adjcent")
    spoil(dale / "rules" / "rowers.kb", "mine & heath", "mine & heth")
    result = check("dale", "--output-format", "concise")
    lines = result.stdout.splitlines()
    assert [line.split(": ")[1] for line in lines[:2]] == ["error[KB201]", "error[KB201]"]
    assert lines[2:] == ["2 findings in 2 files"]


@pytest.mark.parametrize("form", ["json", "github"])
def test_a_form_for_programs_has_standard_output_to_itself(dale: Path, form: str) -> None:
    good = check("dale", "--output-format", form)
    assert good.stderr == "all good: 4 files\n"
    whole = {"format": 1, "files": 4, "findings": []}
    assert json.loads(good.stdout) == whole if form == "json" else good.stdout == ""
    spoil(dale / "rules" / "words.kb", "adjacent", "adjcent")
    bad = check("dale", "--output-format", form)
    assert bad.stderr == "1 finding in 1 file\n"
    if form == "json":
        assert json.loads(bad.stdout)["findings"][0]["slug"] == "unknown-word"
    else:
        assert bad.stdout.startswith("::error file=dale/rules/words.kb,line=1,")
        assert bad.stdout.count("\n") == 1


# Again and again


def test_a_checker_reads_only_what_has_changed(dale: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    parse = store.parse_with_tables

    def noted(source: Source, *known: KnownDeclarations) -> object:
        read.append(Path(source.name).name)
        return parse(source, *known)

    monkeypatch.setattr(store, "parse_with_tables", noted)
    project = Project([dale])
    assert checked(project).exit_code_at("warning") == 0
    assert "rowers.kb" in read and "words.kb" in read
    read.clear()
    words = Project([dale / "rules" / "words.kb"], files=project.texts)
    assert checked(words).exit_code_at("warning") == 0
    assert read == []
    spoil(dale / "rules" / "words.kb", "adjacent", "adjcent")
    assert [f.code for f in checked(words.refreshed()).findings] == ["KB201"]
    assert read == ["words.kb"]


def test_a_checker_sees_what_a_fresh_one_sees(dale: Path) -> None:
    project = Project([dale])
    words, box = dale / "rules" / "words.kb", dale / "expansion.yaml"
    for file, old, new in [
        (words, "adjacent", "adjcent"),
        (box, "heath", "heather"),
        (words, "adjcent", "adjacent"),
        (box, "heather", "heath"),
        (box, "cards: [rowers]", "cards: []"),
    ]:
        spoil(file, old, new)
        project = project.refreshed()
        assert seen(checked(project)) == seen(checked(Project([dale])))
    words.unlink()
    assert seen(checked(project.refreshed())) == seen(checked(Project([dale])))


def seen(report: CheckResult) -> tuple[int, list[tuple[str, str, int, str]]]:
    places = [(f.code, f.span.source.name, f.span.start, f.message) for f in report.all]
    return len(report.names), places


def test_a_second_look_at_a_file_is_little_work() -> None:
    """Only the file that changed is read again, and only what is said of its box is found anew."""
    file = next(iter(data_root("rules").rglob("scoring.kb")))
    project, stamp = Project([file]), file.stat()
    checked(project)
    os.utime(file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns + 1))
    second = calls(lambda: checked(project.refreshed()))  # the first takes some two millions
    os.utime(file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert second < 100_000


def typed(text: str | bytes, *words: str) -> Result:
    result = CliRunner().invoke(app, ["check", *words], input=text)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


UNSAVED = ("-", "--stdin-filename", "dale/rules/rowers.kb", "--select", "KB700")


def test_a_text_that_is_not_saved_stands_in_the_place_of_its_file(dale: Path) -> None:
    assert typed(ROWERS, *UNSAVED).stdout == "all good: 1 file\n"
    said = typed(ROWERS.replace("heath\n", "haeth\n"), *UNSAVED)
    assert said.exit_code == 1
    assert "dale/rules/rowers.kb:3:30: error[KB201]" in said.stdout
    assert (dale / "rules" / "rowers.kb").read_text() == ROWERS
    (dale / "rules" / "rowers.kb").write_text("card rowers\n")
    assert typed(ROWERS, *UNSAVED).exit_code == 0  # what is saved is not looked at
    uses = ROWERS.replace("mine & heath", "close & heath")
    assert "KB201" not in typed(uses, *UNSAVED).output  # the other files of its folder are


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("-",), "needs the name of the file"),
        (("-", "dale"), "go with each other"),
        (("dale", "--stdin-filename", "dale/rules/rowers.kb"), "go with each other"),
        (("-", "--stdin-filename", "dale/rules/new.kb"), "is no rule file that is there"),
        (("-", "--stdin-filename", "dale/expansion.yaml"), "is no rule file that is there"),
        ((*UNSAVED, "--fix"), "is not mended or watched"),
    ],
)
def test_a_typed_text_without_its_place_is_refused(
    dale: Path, words: tuple[str, ...], why: str
) -> None:
    said = typed(ROWERS, *words)
    assert (said.exit_code, said.stdout) == (2, "")
    assert "KB009" in said.stderr and why in said.stderr


def test_a_typed_text_is_read_with_the_care_of_a_file(dale: Path) -> None:
    assert "KB002" in typed(b"\xff", *UNSAVED).stderr
    said = typed("#" * 300_000, *UNSAVED)
    assert said.exit_code == 2 and "KB003" in said.stderr


UNUSED = 'define shore "Next to heath.":\n    adjacent(heath)\n'
QUIET = 'ignore = ["unused-define"]\n'


def check_here(*words: str) -> Result:
    result = CliRunner().invoke(app, ["check", "--samples", "0", *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder above two boxes, each with a definition that is never used."""
    monkeypatch.chdir(tmp_path)
    for box in ("orchard", "vale"):
        for name, text in {**DALE, "rules/unused.kb": UNUSED}.items():
            written = text.replace("id: dale", f"id: {box}")
            (tmp_path / box / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / box / name).write_text(written, encoding="utf-8")
    return tmp_path


def warned(output: str) -> list[str]:
    return sorted(
        line.split(":")[0] for line in output.splitlines() if "[KB703]" in line or "KB703 " in line
    )


def test_settings_of_a_box_count_from_outside(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert warned(check_here("orchard").stdout) == ["orchard/rules/unused.kb"]
    (shelf / "orchard" / "kbrules.toml").write_text(QUIET)
    assert check_here("orchard").exit_code == 0
    assert check_here("orchard/rules/unused.kb").exit_code == 0
    assert warned(check_here("orchard", "vale").stdout) == ["vale/rules/unused.kb"]
    assert warned(check_here(".").stdout) == ["vale/rules/unused.kb"]
    assert warned(check_here(".", "--isolated").stdout) == [
        "orchard/rules/unused.kb", "vale/rules/unused.kb",
    ]  # fmt: skip
    monkeypatch.chdir(shelf / "orchard")
    assert check_here(".").exit_code == 0
    assert "vale/rules/unused.kb:1:8: warning[KB703]" in check_here("../vale").stdout


def test_the_nearest_settings_count(shelf: Path) -> None:
    (shelf / "pyproject.toml").write_text("[tool.kbrules]\n" + QUIET)
    assert check_here(".").exit_code == 0
    (shelf / "vale" / "rules" / "kbrules.toml").write_text("")
    assert warned(check_here(".").stdout) == ["vale/rules/unused.kb"]


def test_options_come_before_settings(shelf: Path) -> None:
    (shelf / "orchard" / "kbrules.toml").write_text('select = ["KB704"]\n')
    assert check_here("orchard").exit_code == 0
    assert warned(check_here("orchard", "--select", "KB703").stdout) == ["orchard/rules/unused.kb"]


def test_a_finding_fails_by_the_settings_of_its_file(shelf: Path) -> None:
    (shelf / "orchard" / "kbrules.toml").write_text('fail-level = "error"\n')
    assert check_here("orchard").exit_code == 0
    assert check_here("orchard", "--fail-level", "warning").exit_code == 1
    assert check_here("orchard", "vale").exit_code == 1


def test_settings_that_cannot_be_read_are_reported_from_anywhere(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = shelf / "orchard" / "kbrules.toml"
    broken.write_text("select = 7\n")
    for words in (["orchard"], ["."], ["orchard/rules/unused.kb"]):
        result = check_here(*words)
        assert (result.exit_code, result.stdout.count("KB729")) == (2, 1), result.stdout
        assert "orchard/kbrules.toml:1:1" in result.stdout
    assert check_here("vale").exit_code == 1
    assert check_here("orchard", "--isolated").exit_code == 1
    workspace = Workspace([shelf])
    (finding,) = workspace.findings(shelf / "orchard" / "rules" / "unused.kb")[broken]
    assert finding.code == "KB729"


def test_the_workshop_takes_the_settings_of_the_folder(shelf: Path) -> None:
    page, unused = Writing(WorkingCopy(shelf / "orchard")), "rules/unused.kb"
    found = page.handle("lints", {"path": unused})["result"]
    assert [each["code"] for each in found[unused]] == ["KB703"]
    (shelf / "kbrules.toml").write_text(QUIET)
    assert page.handle("lints", {"path": unused})["result"][unused] == []
    (shelf / "kbrules.toml").write_text("ignore = 3\n")
    assert "KB729" in str(page.handle("findings", {}))
