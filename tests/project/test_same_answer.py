"""Check, test, editor, page, plug-in and `Project` answer alike: which files, findings and cases.

Each layout is a folder with its right answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from kbrules.diagnostics import Diagnostic
from kbrules.library.reading import SCENARIO, data_root, is_shipped, real_path
from kbrules.project.project import Project
from kbrules.scenario.collection import Collection
from kbrules.scenario.running import Case
from kbrules.tools.check import checked
from kbrules.tools.language_service.workspace import Workspace
from kbrules.tools.lint.run import LintSettings
from kbrules.tools.workshop.writing import WorkingCopy, Writing
from tests.collecting import collect
from tests.example_games import DALE, MOOR, write_files

Files = Mapping[str, str]


def moved(folder: str, files: Files) -> dict[str, str]:
    """Files below a folder."""
    return {f"{folder}/{name}": text for name, text in files.items()}


def without(files: Files, *names: str) -> dict[str, str]:
    """Files but for some."""
    return {name: text for name, text in files.items() if name not in names}


DRAWN = "board:\n  drawing: |\n    Ha L\n     H  H\n"
GOLD = "expect: {gold: {a: {rowers: 1}}}\n"
SCENARIO_TEXT = f"format: 1\ntitle: a lake\ncards: [rowers]\n{DRAWN}{GOLD}"
LONE = "format: 1\ntitle: alone\nboard:\n  drawing: |\n    .a .\nexpect: {gold: {a: {}}}\n"
BROKEN = "card nonsense\n"
HILL = {
    "expansion.yaml": "format: 1\nid: hill\ntitle: The Hill\nneeds: [dale]\ncards: [sentries]\n",
    "rules/hill.kb": MOOR["rules/rowers.kb"].replace("rowers", "sentries").replace("Row", "Sent"),
}
WITH_SCENARIO = {**MOOR, "scenarios/lake.scenario.yaml": SCENARIO_TEXT}
NO_PLUS = MOOR["rules/mill.kb"].replace("+", "")
BARE = """\
card idle "Idle":
    "Nothing."
    gold 1 per hex in mine
    example:
        | .a
        gives 1
"""
UNUSED = "define idle: mine & adjacent(lake)\n"


@dataclass(frozen=True)
class Layout:
    """A folder, what is asked in it, and the right answer, with names as seen from the folder.

    `files` are those of authors that are selected; cases are counted by file. `seen_as` are the
    askers that are asked.
    """

    laid: Files
    files: set[str]
    findings: set[str] = field(default_factory=set)
    cases: Mapping[str, int] = field(default_factory=dict)
    paths: tuple[str, ...] = (".",)
    cwd: str = "."
    folders: tuple[str, ...] = ()
    prepare: Callable[[Path], None] = lambda folder: None
    page: str = ""
    has_warnings: bool = False


def rules_of(folder: str, files: Files = MOOR) -> dict[str, int]:
    """One example in each rule file of a game, but for those that have none."""
    named = {f"{folder}/{name}": text.count("example:") for name, text in files.items()}
    return {name: number for name, number in named.items() if name.endswith(".kb") and number}


def link(at: str, to: str) -> Callable[[Path], None]:
    """Make a link in the folder."""

    def make(folder: Path) -> None:
        (folder / at).parent.mkdir(parents=True, exist_ok=True)
        (folder / at).symlink_to(to)

    return make


def all_of(folder: str, files: Files = MOOR) -> set[str]:
    """The files of a game in a folder."""
    return {f"{folder}/{name}" for name in files}


IN_MOOR = moved("moor", MOOR)
LAYOUTS: dict[str, Layout] = {
    "a game": Layout(IN_MOOR, all_of("moor"), cases=rules_of("moor"), page="moor"),
    "a game with a scenario": Layout(
        moved("moor", WITH_SCENARIO),
        all_of("moor", WITH_SCENARIO),
        cases={**rules_of("moor"), "moor/scenarios/lake.scenario.yaml": 1},
        page="moor",
    ),
    "its folder from outside": Layout(
        {**IN_MOOR, "loose/other.kb": BROKEN}, all_of("moor"), cases=rules_of("moor"),
        paths=("moor",), page="moor",
    ),
    "one rule file": Layout(
        IN_MOOR, {"moor/rules/mill.kb"}, cases={"moor/rules/mill.kb": 1},
        paths=("moor/rules/mill.kb",),
    ),
    "one scenario": Layout(
        moved("moor", WITH_SCENARIO), {"moor/scenarios/lake.scenario.yaml"},
        cases={"moor/scenarios/lake.scenario.yaml": 1},
        paths=("moor/scenarios/lake.scenario.yaml",),
    ),
    "a scenario deep in a box": Layout(
        {**IN_MOOR, "moor/a/b/c/d/e/f/lake.scenario.yaml": SCENARIO_TEXT},
        {*IN_MOOR, "moor/a/b/c/d/e/f/lake.scenario.yaml"},
        cases={**rules_of("moor"), "moor/a/b/c/d/e/f/lake.scenario.yaml": 1},
        page="moor",
    ),
    "a rule file deep in a box": Layout(
        {**moved("moor", without(MOOR, "rules/mill.kb")),
         "moor/rules/a/b/c/d/e/mill.kb": MOOR["rules/mill.kb"]},
        {*moved("moor", without(MOOR, "rules/mill.kb")), "moor/rules/a/b/c/d/e/mill.kb"},
        cases={**rules_of("moor", without(MOOR, "rules/mill.kb")),
               "moor/rules/a/b/c/d/e/mill.kb": 1},
        page="moor",
    ),
    "names of editors": Layout(
        {**IN_MOOR, "moor/rules/._mill.kb": "\x00\x05"}, all_of("moor"), cases=rules_of("moor"),
        prepare=link("moor/rules/.#mill.kb", "nobody@nowhere"), page="moor",
    ),
    "an environment beside it": Layout(
        {**IN_MOOR, "env/pyvenv.cfg": "", "env/x.kb": BROKEN, "build/x.kb": BROKEN,
         "p/site-packages/x.kb": BROKEN},
        all_of("moor"), cases=rules_of("moor"),
    ),
    "what git ignores": Layout(
        {**IN_MOOR, ".gitignore": "out/\n", "out/x.kb": BROKEN, ".git/HEAD": ""},
        all_of("moor"), cases=rules_of("moor"),
    ),
    "an ignored rule file of a box": Layout(
        {**IN_MOOR, ".gitignore": "mill.kb\n", ".git/HEAD": ""},
        all_of("moor"), cases=rules_of("moor"),
    ),
    "an ignored file that is named": Layout(
        {**IN_MOOR, ".gitignore": "x.kb\n", ".git/HEAD": "", "x.kb": BROKEN},
        {"x.kb"}, {"x.kb KB107"}, paths=("x.kb",),
    ),
    "a card with a mistake": Layout(
        moved("moor", {**MOOR, "rules/mill.kb": MOOR["rules/mill.kb"].replace("heath", "heat")}),
        all_of("moor"), {"moor/rules/mill.kb KB201"},
        cases=without(rules_of("moor"), "moor/rules/mill.kb"),  # type: ignore[arg-type]
        page="moor",
    ),
    "an example without a mark": Layout(
        moved("moor", {**MOOR, "rules/mill.kb": NO_PLUS}),
        all_of("moor"), {"moor/rules/mill.kb KB110"}, cases=rules_of("moor"), page="moor",
    ),
    "an example without terrains": Layout(
        {"bare/expansion.yaml": "format: 1\nid: bare\ntitle: Bare\ncards: [idle]\n",
         "bare/idle.kb": BARE}, {"bare/expansion.yaml", "bare/idle.kb"},
        {"bare/idle.kb KB408"}, cases={"bare/idle.kb": 1}, page="bare",
    ),
    "a loose rule file": Layout(
        {"x.kb": "define huddle: mine & adjacent(mine)\n"}, {"x.kb"},
    ),
    "a loose rule file by a word of a further box": Layout(
        {"x.kb": "define sites: mine & hall_sites\n"}, {"x.kb"},
    ),
    "a loose card": Layout(
        {"x.kb": 'card idle "Idle":\n    gold 1 per hex in mine\n'}, {"x.kb"},
        {"x.kb KB211", "x.kb KB212", "x.kb KB410"},
    ),
    "a scenario in no box": Layout({"s.scenario.yaml": LONE}, {"s.scenario.yaml"},
                                   cases={"s.scenario.yaml": 1}),
    "a scenario in no box with unknown ones": Layout(
        {"s.scenario.yaml": LONE.replace("board:", "with: [nowhere]\nboard:")},
        {"s.scenario.yaml"}, {"s.scenario.yaml KB413"},
    ),
    "a box that needs its neighbour": Layout(
        {**IN_MOOR, **moved("hill", HILL)}, {*IN_MOOR, *moved("hill", HILL)},
        cases={**rules_of("moor"), "hill/rules/hill.kb": 1},
    ),
    "a box whose neighbour is not named": Layout(
        {**IN_MOOR, **moved("hill", HILL)}, {*moved("hill", HILL)},
        cases={"hill/rules/hill.kb": 1}, paths=("hill",),
    ),
    "inside of a box whose neighbour is outside": Layout(
        {**IN_MOOR, **moved("hill", HILL)}, {*moved("hill", HILL)},
        cases={"hill/rules/hill.kb": 1}, cwd="hill",
    ),
    "two boxes of one id": Layout(
        {**IN_MOOR, **moved("small", DALE)}, {*IN_MOOR, *moved("small", DALE)},
        {"small/expansion.yaml KB202"}, cases={**rules_of("moor"), **rules_of("small", DALE)},
    ),
    "a box with a further one": Layout(
        {**IN_MOOR, **moved("hill", HILL)}, {*IN_MOOR}, cases=rules_of("moor"),
        paths=("moor",), folders=("hill",),
    ),
    "a loose rule file with a further box": Layout(
        {**IN_MOOR, "x.kb": "define shore: mine & adjacent(lake)\n"}, {"x.kb"},
        paths=("x.kb",), folders=("moor",),
    ),
    "a link to a box": Layout(
        moved("real", MOOR), all_of("moor"), cases=rules_of("moor"),
        paths=("moor",), prepare=link("moor", "real"),
    ),
    "a link out of a box": Layout(
        {**moved("moor", without(MOOR, "rules/mill.kb")),
         ".away/mill.kb": MOOR["rules/mill.kb"]},
        all_of("moor"), {"moor/rules/mill.kb KB005"}, paths=("moor",),
        prepare=link("moor/rules/mill.kb", "../../.away/mill.kb"),
    ),
    "a rule file that nothing reads": Layout(
        {**IN_MOOR, "moor/more/x.kb": UNUSED}, {*IN_MOOR, "moor/more/x.kb"},
        {"moor/more/x.kb KB006"}, cases=rules_of("moor"), page="moor",
    ),
    "a path that is not there": Layout(IN_MOOR, set(), {"mor KB001"}, paths=("mor",)),
    "texts in a language": Layout(
        {**IN_MOOR, "moor/texts/de.yaml": "format: 1\ntitles: {nobody: Niemand}\n"},
        {*IN_MOOR, "moor/texts/de.yaml"}, {"moor/texts/de.yaml KB402"}, cases=rules_of("moor"),
        page="moor",
    ),
    "settings of a box": Layout(
        {**IN_MOOR, "moor/rules/idle.kb": UNUSED, "moor/kbrules.toml": 'select = ["KB705"]\n'},
        {*IN_MOOR, "moor/rules/idle.kb"}, cases=rules_of("moor"), page="moor", has_warnings=True,
    ),
    "inside of a folder of a box": Layout(
        IN_MOOR, all_of("moor"), cases=rules_of("moor"), paths=(), cwd="moor/rules",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Answer:
    """What an asker says; None about what it does not answer."""

    files: set[str] | None = None
    findings: set[str] | None = None
    cases: Mapping[str, int] | None = None


class Names:
    """The names of an author's files as seen from the folder of a layout."""

    def __init__(self, layout: Layout, folder: Path) -> None:
        self.folder = folder
        self._named = {real_path(folder / name): name for name in layout.files}

    def of(self, path: Path) -> str:
        """The name of a file; by the layout, if it names it."""
        real = real_path(path)
        if real in self._named:
            return self._named[real]
        return real.relative_to(self.folder).as_posix() if real.is_relative_to(self.folder) else ""

    def files(self, paths: Iterable[Path]) -> set[str]:
        """The names of those that do not come with the engine."""
        return {self.of(path) for path in paths if not is_shipped(path)}

    def findings(self, found: Iterable[Diagnostic]) -> set[str]:
        """Names and codes."""
        return {f"{self.of(Path(each.span.source.name))} {each.code}" for each in found}

    def cases(self, found: Iterable[Case]) -> dict[str, int]:
        """How many cases there are in each file."""
        names = [self.of(Path(each.span.source.name)) for each in found]
        return {name: names.count(name) for name in names if name}


def by_check(layout: Layout, names: Names, _: Path) -> Answer:
    lints = LintSettings(is_quick=True) if layout.has_warnings else None
    found = checked(_project(layout), lints)
    return Answer(names.files(map(Path, found.names)), names.findings(found.all))


def by_test(layout: Layout, names: Names, _: Path) -> Answer:
    return _collected(collect(_paths(layout.paths), (), _paths(layout.folders)), names)


def by_editor(layout: Layout, names: Names, _: Path) -> Answer:
    workspace = Workspace([Path.cwd()])
    every = workspace.files_of_roots()
    paths = [path for path in every if names.of(path) in layout.files or not path.is_file()]
    found = {each: None for path in paths for each in _told(workspace, path, layout)}
    cases = [case for path in paths for case in workspace.collection(path).cases]
    is_whole = layout.paths == (".",)
    files = names.files(each for each in (every if is_whole else paths))
    selected = names.findings(found)
    if not is_whole:  # an editor tells of all that is below its root
        selected = {each for each in selected if each.split()[0] in layout.files}
    return Answer(files, selected, names.cases(cases))


def _told(workspace: Workspace, path: Path, layout: Layout) -> Iterable[Diagnostic]:
    yield from (each for of in workspace.findings(path).values() for each in of)
    if layout.has_warnings:
        yield from (each for of in workspace.lints(path).values() for each in of)


def by_page(layout: Layout, names: Names, _: Path) -> Answer:
    copy = WorkingCopy(Path(layout.page))
    page = Writing(copy)
    found = [page.handle("findings", {})["result"]]
    if layout.has_warnings:
        found += [page.handle("lints", {"path": name})["result"] for name in copy.names]
    files = {f"{layout.page}/{name}" for name in copy.names}
    codes = {f"{layout.page}/{name} {e['code']}" for each in found for name, of in each.items()
             for e in of}  # fmt: skip
    return Answer(files, codes)


def by_plug_in(layout: Layout, names: Names, _: Path) -> Answer:
    files = [name for name in layout.files if name.endswith(SCENARIO)]
    found = [collect([names.folder / name]) for name in files]
    return Answer(cases=names.cases(case for each in found for case in each))


def by_project(layout: Layout, names: Names, _: Path) -> Answer:
    project = _project(layout)
    found = project.errors(project.files())
    files = names.files(each.path for each in project.files())
    return Answer(files, names.findings([*project.selected.problems, *found]))


def _project(layout: Layout) -> Project:
    folders = _paths(layout.folders)
    if not layout.paths:
        return Project.here(folders=folders)
    return Project(_paths(layout.paths), folders=folders)


def _collected(found: Collection, names: Names) -> Answer:
    wrong = [e for case in found for e in case.run().diagnostics if not e.code.startswith("KB5")]
    return Answer(None, names.findings([*found.findings, *wrong]), names.cases(found))


def _paths(names: Iterable[str]) -> list[Path]:
    return [*map(Path, names)]


ASKERS = {
    "check": by_check, "test": by_test, "editor": by_editor, "page": by_page,
    "plug-in": by_plug_in, "project": by_project,
}  # fmt: skip
MISSED_BY_TEST = {"KB212", "KB402", "KB202"}
"""What a test run does not look for: it is about files in which nothing is run."""


def asked() -> Iterable[object]:
    """Each layout with each asker that it is something to."""
    for name, layout in LAYOUTS.items():
        for asker in ASKERS:
            if asker == "page" and not layout.page:
                continue
            if asker == "plug-in" and not any(each.endswith(SCENARIO) for each in layout.files):
                continue
            if asker == "editor" and not _is_for_editors(layout):
                continue
            yield pytest.param(name, asker, id=f"{asker}: {name}")


def _is_for_editors(layout: Layout) -> bool:
    """Whether an editor whose root is the current folder would be asked the same."""
    is_named = bool(layout.paths) and layout.paths != ("x.kb",)
    return is_named and bool(layout.files) and not layout.folders


@pytest.mark.parametrize(("name", "asker"), [*asked()])
def test_an_asker_gives_the_right_answer(
    name: str, asker: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    layout, folder = LAYOUTS[name], real_path(tmp_path) / "work"
    write_files(folder, layout.laid)
    layout.prepare(folder)
    monkeypatch.chdir(folder / layout.cwd)
    answer = ASKERS[asker](layout, Names(layout, folder), tmp_path / "place")
    findings = layout.findings
    if asker == "test":
        findings = {each for each in findings if each.split()[1] not in MISSED_BY_TEST}
    assert answer.files in (None, layout.files)
    assert answer.findings in (None, findings)
    cases = layout.cases
    if asker == "plug-in":
        cases = {file: number for file, number in cases.items() if file.endswith(SCENARIO)}
    assert answer.cases in (None, cases)


def test_a_further_box_leaves_the_examples_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path / "moor", MOOR)
    monkeypatch.chdir(tmp_path)
    shipped = data_root("rules") / "caves"
    assert len(collect([shipped], (), [Path("moor")])) == len(collect([shipped])) > 0
