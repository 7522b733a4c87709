"""Boxes of installed packages: found by entry points, loaded by name, refused in words."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest

import kbrules
from kbrules.library.box import (
    box_file,
    boxes_by_name,
    installed_boxes,
    known_boxes,
    shipped_boxes,
    unusable,
)
from kbrules.library.load import check_all
from tests.library.written import box_in, install, metadata_in


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages that Python looks into."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.chdir(tmp_path)
    return folder


def why(id: str) -> tuple[str, str]:
    """The code of what is wrong with an installed box, and the message."""
    problem = unusable(id)
    assert problem is not None
    return problem.code, problem.message


def test_a_box_is_loaded_by_its_name_and_none_of_its_code_is_run(site: Path) -> None:
    folder = install(site, "orchard")
    box = installed_boxes()["orchard"]
    assert (box.package, box.package_version, box.folder) == ("kbrules-orchard", "3.0", folder)
    assert box_file("orchard") == folder / "expansion.yaml"
    assert known_boxes() == sorted([*shipped_boxes(), "orchard"])
    ruleset = kbrules.load("orchard")
    assert ruleset.boxes == ("base", "orchard")
    assert ruleset.folders == ()
    assert "orchard_rowers" in ruleset.catalog.cards
    assert "kbrules_orchard" not in sys.modules


def test_the_same_box_in_a_folder_is_the_same_rules(site: Path, tmp_path: Path) -> None:
    install(site, "orchard")
    folder = box_in(tmp_path / "mine", "orchard")
    assert kbrules.load("orchard").digest == kbrules.load("base", folders=[folder]).digest


def test_boxes_need_installed_boxes(site: Path, tmp_path: Path) -> None:
    install(site, "orchard")
    install(site, "cider", needs="orchard")
    folder = box_in(tmp_path / "mine", "dale", needs="cider")
    assert kbrules.load("cider").boxes == ("base", "cider", "orchard")
    assert kbrules.load(folders=[folder]).boxes == ("base", "cider", "dale", "orchard")


def test_a_folder_stands_in_for_an_installed_box_that_is_needed(site: Path, tmp_path: Path) -> None:
    install(site, "orchard", version="1")
    newer = box_in(tmp_path / "newer", "orchard", version="2")
    folder = box_in(tmp_path / "mine", "dale", needs="'orchard >=2'")
    assert kbrules.load(folders=[folder, newer]).boxes == ("base", "dale", "orchard")
    _, found = check_all(folders=[folder])
    assert [each.code for each in found] == ["KB418"]


def test_an_installed_box_and_a_folder_of_one_name_are_told_with_both_paths(
    site: Path, tmp_path: Path
) -> None:
    installed = install(site, "orchard")
    box_in(tmp_path / "mine", "orchard")
    _, found = check_all(["orchard"], [Path("mine")])
    twice = [each for each in found if "two boxes" in each.message]
    assert [each.code for each in twice] == ["KB411"]
    assert "`mine`" in twice[0].message
    assert f"`{installed.relative_to(tmp_path)}`" in twice[0].message


def test_a_folder_inside_of_a_package_may_be_named(site: Path) -> None:
    (site / "grove").mkdir()
    (site / "grove" / "__init__.py").touch()
    box_in(site / "grove" / "boxes" / "orchard", "orchard")
    box_in(site / "grove" / "boxes" / "cider", "cider")
    metadata_in(site, "grove", "orchard = grove.boxes.orchard", "cider = grove:boxes.cider")
    assert kbrules.load("orchard", "cider").boxes == ("base", "cider", "orchard")


def test_two_packages_with_one_name(site: Path) -> None:
    install(site, "orchard")
    box_in(site / "grove", "orchard")
    metadata_in(site, "grove", "orchard = grove")
    code, message = why("orchard")
    assert code == "KB417"
    for part in ("`grove` has one", "`kbrules-orchard` has one", str(site / "grove")):
        assert part in message
    ruleset, found = check_all(["orchard"])
    assert ruleset is None and [each.code for each in found] == ["KB417"]


def test_the_name_of_a_shipped_box(site: Path) -> None:
    install(site, "base", needs="")
    assert "base" in installed_boxes()
    problem = installed_boxes()["base"].problem
    assert problem is not None and problem.code == "KB417"
    assert "it comes with kbrules" in problem.message
    assert kbrules.load("base").digest  # the shipped one
    assert box_file("base").parent.name == "expansions"


def test_a_package_whose_entry_points_cannot_be_read_spoils_no_other(site: Path) -> None:
    install(site, "orchard")
    metadata_in(site, "heath", "[[", "orchid")
    code, message = why("heath")
    assert code == "KB416" and f"`heath` in `{site}` cannot be read" in message
    assert kbrules.load("orchard").boxes == ("base", "orchard")


def test_a_package_that_is_not_there(site: Path) -> None:
    metadata_in(site, "grove", "orchard = grove")
    assert why("orchard") == (
        "KB416",
        "the box `orchard` of `grove` cannot be used: there is no package `grove`",
    )


def test_a_missing_folder(site: Path) -> None:
    (site / "grove").mkdir()
    metadata_in(site, "grove", "orchard = grove.boxes")
    code, message = why("orchard")
    assert code == "KB416" and f"there is no folder `{site / 'grove' / 'boxes'}`" in message


def test_a_folder_without_a_box(site: Path) -> None:
    (site / "grove").mkdir()
    metadata_in(site, "grove", "orchard = grove")
    code, message = why("orchard")
    assert code == "KB416" and "has no `expansion.yaml`" in message


def test_a_single_module(site: Path) -> None:
    (site / "grove.py").touch()
    metadata_in(site, "grove", "orchard = grove")
    code, message = why("orchard")
    assert code == "KB416" and "is a single module" in message


def test_a_package_in_an_archive(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = site / "grove.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("grove/__init__.py", "")
        packed.writestr("grove/expansion.yaml", "format: 1\nid: orchard\ntitle: x\n")
    monkeypatch.syspath_prepend(str(archive))
    metadata_in(site, "grove", "orchard = grove")
    code, message = why("orchard")
    assert code == "KB416" and f"it lies in the archive `{archive}`" in message


def test_a_name_that_is_not_that_of_the_box(site: Path) -> None:
    box_in(site / "grove", "orchard")
    metadata_in(site, "grove", "apples = grove")
    code, message = why("apples")
    assert code == "KB416" and "the box in it `orchard`" in message


@pytest.mark.parametrize("value", ["gro-ve", "grove:", "grove:a-b", "1grove"])
def test_an_entry_point_that_names_nothing(site: Path, value: str) -> None:
    metadata_in(site, "grove", f"orchard = {value}")
    code, message = why("orchard")
    assert code == "KB416" and "names no package" in message


class _Raising:
    """A finder of a package that cannot do its work."""

    def find_spec(self, name: str, path: object, target: object = None) -> None:
        if name == "grove":
            raise RuntimeError("the disk is gone")


def test_a_finder_that_raises(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    metadata_in(site, "grove", "orchard = grove")
    monkeypatch.setattr(sys, "meta_path", [_Raising(), *sys.meta_path])
    code, message = why("orchard")
    assert code == "KB416" and "raised RuntimeError: the disk is gone" in message


def test_what_is_broken_breaks_nothing_else(site: Path, tmp_path: Path) -> None:
    metadata_in(site, "grove", "orchard = grove")
    assert kbrules.load("base").boxes == ("base",)
    _, found = check_all(folders=[box_in(tmp_path / "mine", "dale", needs="orchard")])
    assert [each.code for each in found] == ["KB413"]
    assert "there is no package `grove`" in found[0].help


def test_the_boxes_of_a_log_that_are_loaded_by_name(site: Path, tmp_path: Path) -> None:
    install(site, "orchard")
    own = box_in(tmp_path / "mine", "dale")
    again = box_in(tmp_path / "again", "orchard")
    ids = ["base", "dale", "orchard"]
    assert boxes_by_name(ids, [own]) == ["base", "orchard"]
    assert boxes_by_name(ids, [own, again]) == ["base"]
