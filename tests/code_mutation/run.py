"""Changes of the code by cosmic-ray, each in a copy of the repository, and whether tests notice."""

from __future__ import annotations

import ast
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.source_tree import ROOT

TESTS = {
    "lang": "tests/lang tests/diagnostics tests/boxes tests/docs/test_pages.py",
    "plan": "tests/boxes tests/engine tests/house tests/equal",
    "reference": "tests/boxes tests/oracle tests/engine tests/house tests/equal",
    "game": "tests/game tests/boxes tests/engine tests/properties tests/equal",
}
"""The tests that are run for a package, those first that notice most."""
TIMEOUT = 240  # seconds after which a change counts as noticed: it made something endless


def annotations(path: Path) -> set[int]:
    """The lines that hold a type: Python does not evaluate them, so no test can notice."""
    lines: set[int] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        for part in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if isinstance(part, ast.expr):
                lines |= set(range(part.lineno, (part.end_lineno or part.lineno) + 1))
    return lines


def mutations(package: str, seed: int, count: int) -> list[Any]:
    """Sampled work items of cosmic-ray for a package of the current folder."""
    from cosmic_ray.commands.init import init
    from cosmic_ray.work_db import WorkDB, use_db

    files = sorted(Path("kbrules", package).rglob("*.py"))
    typed = {file: annotations(file) for file in files}
    with use_db("mutations.sqlite", WorkDB.Mode.create) as db:
        init(files, db, {})
        items = sorted(db.work_items, key=lambda item: str(item.mutations[0]))
    at = [(item, item.mutations[0]) for item in items]
    items = [item for item, m in at if m.start_pos[0] not in typed[Path(m.module_path)]]
    return random.Random(seed).sample(items, min(count, len(items)))


def tried(package: str, seed: int, count: int, python: str) -> list[dict[str, str]]:
    """Each sampled change of a package, whether it was noticed, and what it was."""
    from cosmic_ray.mutating import mutate_and_test

    with TemporaryDirectory() as folder:
        os.chdir(copied(Path(folder)))
        command = f"{python} -m pytest -q -x -n 0 -p no:cacheprovider {TESTS[package]}"
        results = []
        for item in mutations(package, seed, count):
            done = mutate_and_test(item.mutations, command, TIMEOUT)
            outcome = done.test_outcome.value if done.test_outcome else str(done.worker_outcome)
            results.append({"package": package, "outcome": outcome, "change": done.diff or ""})
            print(f"{package} {len(results)}: {outcome}", file=sys.stderr, flush=True)
        os.chdir(ROOT)
    return results


def copied(folder: Path) -> Path:
    """A copy of the files that git knows, in which code can be changed."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    for name in filter(None, listed.stdout.decode().split("\0")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, folder / name)
    return folder


def told(results: list[dict[str, str]]) -> Iterator[str]:
    """The survivors, and how many changes of each package were noticed."""
    yield from (each["change"] for each in results if each["outcome"] == "survived")
    for package in TESTS:
        own = [each for each in results if each["package"] == package]
        noticed = sum(each["outcome"] == "killed" for each in own)
        if own:
            yield f"{package}: {noticed} of {len(own)} changes were noticed"
