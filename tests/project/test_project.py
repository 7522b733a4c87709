"""Which files a project has, by which rules each is judged, and that it never changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbrules.library.box import usual_boxes
from kbrules.library.reading import data_root
from kbrules.project.project import Project
from tests.example_games import MOOR, write_files

HILL = {
    "expansion.yaml": "format: 1\nid: hill\ntitle: The Hill\nneeds: [dale]\n",
    "rules/hill.kb": "define high_lakes: lake & mine\n",
}
SCENARIO = "format: 1\ntitle: x\nboard:\n  drawing: |\n    H\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a game, a box that needs it, and files that are in neither."""
    for name, texts in (("moor", MOOR), ("sub/hill", HILL)):
        write_files(tmp_path / name, texts)
    write_files(tmp_path, {"loose.kb": "", "loose.scenario.yaml": SCENARIO})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_file_is_known_by_its_address_and_by_where_it_is(folder: Path) -> None:
    (Path("link")).symlink_to(folder / "moor")
    project = Project([Path("link/rules/mill.kb")])
    file = project.file(folder / "moor/rules/mill.kb")
    assert file == project.files()[0]
    assert (file.path, file.real) == (Path("link/rules/mill.kb"), folder / "moor/rules/mill.kb")
    assert (file.kind, file.is_shipped, file.home) == ("rules", False, Path("link"))


def test_each_kind_of_file_has_its_context(folder: Path) -> None:
    project = Project([Path()])
    contexts = {name: project.context(Path(name)) for name in (
        "moor/rules/mill.kb", "moor/expansion.yaml", "sub/hill/rules/hill.kb", "loose.kb",
    )}  # fmt: skip
    moor, hill = Path("moor"), Path("sub/hill")
    assert contexts["moor/rules/mill.kb"] == contexts["moor/expansion.yaml"]
    assert contexts["moor/rules/mill.kb"].folders == (moor,)
    assert contexts["sub/hill/rules/hill.kb"].folders == (hill, moor)
    assert contexts["loose.kb"].boxes == tuple(usual_boxes())
    assert contexts["loose.kb"].loose == (Path("loose.kb"),)
    base = project.context(Path("loose.scenario.yaml"))
    assert {*base.boxes} < {*usual_boxes()} and not base.folders
    assert all(project.loaded(context).findings == () for context in contexts.values())


TWO = """\
format: 1
title: Two
with: [OTHER]
board: {drawing: G}
expect: {gold: {a: {total: 0}}}
scenarios:
  - title: with it
  - title: without
    with: []
"""


def test_a_scenario_may_name_no_box_where_its_file_names_some(tmp_path: Path) -> None:
    other = next(id for id in usual_boxes() if id != "base")
    write_files(tmp_path, {"x.scenario.yaml": TWO.replace("OTHER", other)})
    found = Project([tmp_path]).cases()
    assert [other in case.cache.ruleset.boxes for case in found.cases] == [True, False]


@pytest.mark.parametrize("root", [".", "sub/hill", "sub/hill/rules/hill.kb"])
def test_a_box_below_the_base_is_found_from_any_root(root: str, folder: Path) -> None:
    project = Project([Path(root)])
    assert project.loaded(Path("sub/hill/rules/hill.kb")).findings == ()


def test_a_box_next_to_it_is_found_from_within(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "sub/hill").rename(folder / "hill")
    monkeypatch.chdir(folder / "hill/rules")
    home = Project.here().file(Path("hill.kb"))
    assert Project.here().loaded(home).findings == ()


def test_further_boxes_are_added_to_every_context(folder: Path) -> None:
    project = Project([Path()], folders=[Path("moor")])
    shipped = project.context(data_root("rules") / "prelude.kb")
    assert {*usual_boxes()} <= {*shipped.boxes}
    assert shipped.folders == (Path("moor"),)
    assert project.context(Path("loose.kb")).folders == (Path("moor"),)
    assert project.context(Path("moor/rules/mill.kb")).folders == (Path("moor"),)


def test_without_a_path_the_box_around_counts(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder / "moor/rules")
    files = Project.here().files("rules")
    assert folder / "moor/rules/mill.kb" in {each.real for each in files}
    assert sum(each.is_shipped for each in files) > 20


def test_an_edit_makes_another_project(folder: Path) -> None:
    project = Project([Path()])
    mill = Path("moor/rules/mill.kb")
    before = project.loaded(mill)
    edited = project.edited({mill: "tile mill"})
    assert edited is not project and edited.edited({mill: "tile mill"}) is edited
    assert edited.loaded(mill).findings and not project.loaded(mill).findings
    assert project.loaded(mill) is before
    assert edited.edited({mill: None}).loaded(mill).findings == ()


def test_a_typed_manifest_makes_a_box(folder: Path) -> None:
    (folder / "moor/expansion.yaml").unlink()
    project = Project([Path()])
    mill, manifest = Path("moor/rules/mill.kb"), Path("moor/expansion.yaml")
    assert project.file(mill).home is None
    edited = project.edited({manifest: MOOR["expansion.yaml"]})
    assert edited.file(mill).home == Path("moor")
    assert edited.loaded(mill).findings == ()
    assert {each.id for each in edited.boxes()} == {"dale", "hill"}


def test_what_belongs_together(folder: Path) -> None:
    project = Project([Path()])
    dependents = {each.path.name for each in project.around(Path("moor/rules/mill.kb")).files}
    assert {"mill.kb", "hill.kb", "expansion.yaml"} <= dependents and "loose.kb" not in dependents
    alone = {each.path.name for each in project.around(Path("sub/hill/rules/hill.kb")).files}
    assert alone == {"hill.kb", "expansion.yaml"}
    related = {each.path.name for each in project.related(Path("sub/hill/rules/hill.kb"))}
    assert {"mill.kb", "prelude.kb"} <= related
