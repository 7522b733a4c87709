"""After any edits a project says what a fresh one says of the same texts on disk."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from pathlib import Path

import pytest

from kbrules.project.project import Project
from tests.example_games import MOOR, write_files

HILL = {
    "expansion.yaml": "format: 1\nid: hill\ntitle: The Hill\nneeds: [dale]\ncards: [sentries]\n",
    "rules/hill.kb": MOOR["rules/rowers.kb"].replace("rowers", "sentries"),
}
TEXTS = {
    **{f"moor/{name}": text for name, text in MOOR.items()},
    **{f"hill/{name}": text for name, text in HILL.items()},
    "loose.kb": "define huddle: mine & adjacent(mine)\n",
}
PIECES = ("\n", "(", '"', "mine", "card x:\n    gold 1\n", "    ", "- ", "[", "lake", "rowers")
Place = tuple[str, str, int, str]


def changed(text: str, chance: random.Random, original: str) -> str:
    """A text after something is typed into it, deleted from it, or all is undone."""
    start = chance.randrange(len(text) + 1)
    match chance.choice(["typed", "deleted", "undone", "emptied"]):
        case "typed":
            return text[:start] + chance.choice(PIECES) + text[start:]
        case "deleted":
            return text[:start] + text[start + chance.randrange(12) :]
        case "emptied":
            return ""
    return original


def found_in(project: Project) -> tuple[set[str], list[Place]]:
    """The files of a project, and all errors in them."""
    files = {each.path.as_posix() for each in project.files()}
    errors = project.errors(project.files())
    problems = [*project.selected.problems, *errors]
    return files, sorted(
        (each.span.source.name, each.code, each.span.start, each.message) for each in problems
    )


def compare(seed: int, edits: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Edit files, some of which are not on disk, and compare each time; the codes that came."""
    chance, texts, codes = random.Random(seed), dict(TEXTS), Counter[str]()
    unsaved = {"moor/rules/mill.kb", "hill/expansion.yaml", chance.choice(sorted(TEXTS))}
    write_files(folder / "typed", {name: TEXTS[name] for name in TEXTS if name not in unsaved})
    (folder / "saved").mkdir()
    monkeypatch.chdir(folder / "typed")
    project = Project([Path()]).edited({Path(name): TEXTS[name] for name in unsaved})
    for _ in range(edits):
        name = chance.choice(sorted(TEXTS))
        texts[name] = changed(texts[name], chance, TEXTS[name])
        monkeypatch.chdir(folder / "typed")
        project = project.edited({Path(name): texts[name]})
        files, errors = found_in(project)
        shutil.rmtree(folder / "saved")
        write_files(folder / "saved", texts)
        monkeypatch.chdir(folder / "saved")
        assert (files, errors) == found_in(Project([Path()])), (name, texts[name])
        codes.update(code for _, code, _, _ in errors)
    return codes


@pytest.mark.parametrize(("seed", "edits"), [(1, 6), *((seed, 40) for seed in range(4))])
def test_an_edited_project_is_a_fresh_one(
    seed: int, edits: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert compare(seed, edits, tmp_path, monkeypatch)
