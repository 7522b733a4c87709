"""`--with`: which boxes and folders are meant."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer

from cli.boxes import boxes_and_folders, with_roots
from kbrules.library.box import read_box, shipped_box, shipped_boxes, usual_boxes


def test_the_boxes_that_need_no_other_are_always_there() -> None:
    """What the quick look finds is what the manifests say when they are read as a whole."""
    roots = []
    for name in shipped_boxes():
        box, _ = read_box(shipped_box(name))
        assert box is not None
        if not box.model.needs:
            roots.append(name)
    assert roots
    assert with_roots([]) == roots
    assert with_roots(["dale"]) == sorted(["dale", *roots])


@pytest.mark.parametrize("line", ["needs: [base]", "needs: [ base, dale ]"])
def test_a_box_that_needs_another_is_no_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    for name, needs in {"base": "needs: []", "dale": line}.items():
        (tmp_path / f"{name}.yaml").write_text(f"format: 1\nid: {name}\n{needs}\n")
    monkeypatch.setattr("kbrules.library.box.data_root", lambda _: tmp_path)
    assert with_roots([]) == ["base"]


def test_names_lists_folders_and_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    assert (
        boxes_and_folders(["base", "mine"])
        == boxes_and_folders(["base, mine,"])
        == (["base"], [Path("mine")])
    )
    assert boxes_and_folders(["all", "base"]) == (usual_boxes(), [])
    assert boxes_and_folders([]) == ([], [])
    with pytest.raises(typer.Exit):
        boxes_and_folders(["nobody"])
