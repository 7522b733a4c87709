"""The files that are mutated: those that are shipped and those of the tests, with their folders.

A shipped box becomes the folder of an author under another id, so that all is read as an author's
files are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from kbrules.library.box import shipped_box, shipped_boxes
from kbrules.library.load import load
from kbrules.library.locks import lock_text
from kbrules.library.reading import MANIFEST, RULES, data_root
from kbrules.scenario.reader import SUFFIX
from tests.engine.games import logged
from tests.example_games import DALE
from tests.source_tree import ROOT

TESTS = ROOT / "tests"
LOG_SEEDS = (7, 8, 9)
MOVES = (
    "build d7", "mandatory: build d7", "lift c3", "move c3 f7", "draw forest", "end turn", "end",
    "stop", "use", "farm: build a5", "paddock: lift b2", "choose lords", "why not f7", "why red",
    "why red lords", "why can not move c3 f7", "build -1", "build a0", "two in a row and not slow",
    "(one or two) and not three", "tavern build j10",
)  # fmt: skip
SETTINGS = {
    "kbrules.toml": (
        'select = ["KB7"]\nignore = ["KB703", "KB74"] # why\nsamples = 50\nfail-level = "error"\n'
    ),
    "pyproject.toml": (
        '[project]\nname = "x"\n[tool.kbrules]\nselect = ["KB7"]\n"samples" = 0x10\n'
        "ignore = [\n  'KB703',\n]\nfail_level = \"warning\"\n[[tool.other]]\na.b = {c = 1e3}\n"
    ),
}
GERMAN = """\
format: 1
title: Das Tal  # wie es heißt
terrains: {heath: Heide}
stamps:
  title: "99265d29"

pieces: {hut: "Hütte"}
rules:
  turn: {title: Der Zug}
  building:
    title: Bauen
    wording: Baue eine Hütte
      auf ein freies Feld.
"""
_FACTS = """\
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE spans (first INTEGER PRIMARY KEY, deals INTEGER NOT NULL, seconds REAL NOT NULL);
CREATE TABLE stand_ins (section TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT INTO facts VALUES('format', 'kbrules simulation 2');
INSERT INTO facts VALUES('rules', '["00b3c0b09b0fbe7a2a2ab5fb5e73a138"]');
INSERT INTO facts VALUES('titles', '{"farm": "Farm", "lords": "Lords"}');
INSERT INTO facts VALUES('until', '0.5');
INSERT INTO facts VALUES('version', '0.1.0');
INSERT INTO stand_ins VALUES('fell');
CREATE TABLE results ("deal" INTEGER NOT NULL, "side" INTEGER NOT NULL, "lineup" TEXT NOT NULL, \
"rotation" INTEGER NOT NULL, "player" INTEGER NOT NULL, "bot" TEXT NOT NULL, \
"seed" INTEGER NOT NULL, "table_seed" INTEGER NOT NULL, "won" INTEGER NOT NULL, \
"winners" INTEGER NOT NULL, "total" INTEGER NOT NULL, "turns" INTEGER NOT NULL, \
"decisions" INTEGER NOT NULL, "gold_lords" INTEGER, "taken_farm" INTEGER, "used_farm" INTEGER, \
PRIMARY KEY (deal, side, lineup, rotation, player)) WITHOUT ROWID;
"""
GAMES = f"""{_FACTS}\
INSERT INTO facts VALUES('question', '{{"grids": {{}}, "lineups": [["greedy", "random"]],
 "per_table": 1, "players": 2, "seed": 0, "setup": "random", "sides": [{{"boxes": ["base"],
 "cards": ["lords"], "folders": [], "options": {{"null_moves": true}}}}]}}');
INSERT INTO spans VALUES(0, 1, 0.25);
INSERT INTO results VALUES(0, 0, 'greedy,random', 0, 0, 'greedy', 0, 0, 1, 1, 32, 28, 65, 8, 1, 12);
INSERT INTO results VALUES(0, 0, 'greedy,random', 0, 1, 'random', 0, 0, 0, 1, 25, 28, 62, 0, 0, 0);
INSERT INTO results VALUES(0, 0, 'greedy,random', 1, 0, 'random', 0, 0, 0, 1, 9, 30, 6, NULL, 0, 0);
INSERT INTO results VALUES(0, 0, 'greedy,random', 1, 1, 'greedy', 0, 0, 1, 1, 40, 30, 60, 4, 2, 9);
"""
CARD_GAMES = f"""{_FACTS}\
INSERT INTO facts VALUES('question', '{{"beside": "lords", "grids": {{}},
 "lineups": [["random", "random"]], "per_table": 1, "players": 2, "seed": 0, "setup": "random",
 "sides": [{{"boxes": ["base"], "cards": [], "folders": [], "options": {{}}}}]}}');
INSERT INTO facts VALUES('company', '{{"kind": "official", "others": ["citizens"], "room": 3}}');
INSERT INTO spans VALUES(0, 1, 0.25);
INSERT INTO results VALUES(0, 0, 'random', 0, 0, 'random', 0, 0, 1, 1, 32, 28, 65, 8, 1, 12);
INSERT INTO results VALUES(0, 0, 'random', 0, 1, 'random', 0, 0, 0, 1, 25, 28, 62, 0, 0, 0);
INSERT INTO results VALUES(0, 1, 'random', 0, 0, 'random', 0, 0, 0, 1, 9, 30, 6, NULL, 0, 0);
INSERT INTO results VALUES(0, 1, 'random', 0, 1, 'random', 0, 0, 1, 1, 40, 30, 60, NULL, 2, 9);
"""
"""Files of games as the statements that make them, so that facts and rows can be mutated too."""


@dataclass(frozen=True)
class Seed:
    """A file to be mutated. `name`: its folder and its path there; `kind` says who reads it.

    other_files: the other files of the folder by their paths.
    """

    kind: str
    name: str
    text: str
    other_files: Mapping[str, str]

    @property
    def folder(self) -> str:
        """The name of the folder; empty for a file by itself."""
        return self.name.partition("/")[0]

    @property
    def path(self) -> str:
        """Where the file lies in its folder."""
        return self.name.partition("/")[2]


@cache
def seeds() -> tuple[Seed, ...]:
    """All of them, in an order that is the same everywhere."""
    return (*_in_folders(), *_alone())


@cache
def seeds_of(kind: str) -> tuple[Seed, ...]:
    """Those of a kind."""
    return tuple(seed for seed in seeds() if seed.kind == kind)


@cache
def seed_named(name: str) -> Seed:
    """The only one of a name."""
    (found,) = (seed for seed in seeds() if seed.name == name)
    return found


def _in_folders() -> Iterator[Seed]:
    for folder, files in _folders():
        for path, text in sorted(files.items()):
            others = {name: other for name, other in files.items() if name != path}
            kind = _kind(path)
            yield Seed(kind, f"{folder}/{path}", text, others)


def _kind(path: str) -> str:
    if path.endswith(RULES):
        return "rules"
    return "scenarios" if path.endswith(SUFFIX) else "boxes"


def _folders() -> Iterator[tuple[str, dict[str, str]]]:
    yield "code", DALE
    for manifest in sorted(TESTS.rglob(MANIFEST)):
        yield manifest.parent.name, _files(manifest.parent)
    for id in shipped_boxes():
        yield f"own_{id}", _renamed(id)


def _files(home: Path) -> dict[str, str]:
    found = [path for path in home.rglob("*") if path.name.endswith((RULES, SUFFIX, MANIFEST))]
    return {path.relative_to(home).as_posix(): path.read_text(encoding="utf-8") for path in found}


def _renamed(id: str) -> dict[str, str]:
    """A shipped box as the folder of an author."""
    box = shipped_box(id).read_text(encoding="utf-8").replace(f"\nid: {id}\n", f"\nid: own_{id}\n")
    rules = sorted((data_root("rules") / id).glob(f"*{RULES}"))
    texts = {f"rules/{path.name}": path.read_text(encoding="utf-8") for path in rules}
    return {MANIFEST: box, **texts}


def _alone() -> Iterator[Seed]:
    root = TESTS / "scenarios"
    for path in sorted(root.rglob(f"*{SUFFIX}")):
        name = f"alone/{path.relative_to(root).as_posix().replace('/', '_')}"
        yield Seed("scenarios", name, path.read_text(encoding="utf-8"), {})
    for seed in LOG_SEEDS:
        text = logged(seed, 2 + seed % 3).text
        yield Seed("logs", f"alone/{seed}.kblog", text, {})
        yield Seed("logs", f"alone/{seed}_short.kblog", _beginning(text), {})
    for name, text in SETTINGS.items():
        yield Seed("settings", f"alone/{name}", text, {})
    survivors = (root / "mutants.yaml").read_text(encoding="utf-8")
    yield Seed("survivors", "listed/mutants.yaml", survivors, {MANIFEST: DALE[MANIFEST]})
    for name, games in (("games", GAMES), ("card", CARD_GAMES)):
        yield Seed("games", f"alone/{name}.sqlite", games, {})
    yield Seed("texts", "spoken/texts/de.yaml", GERMAN, DALE)
    for id in ("nomads", "crossroads"):
        texts = data_root("expansions") / "texts" / id / "de.yaml"
        yield Seed("texts", f"own_{id}/texts/de.yaml", texts.read_text("utf-8"), _renamed(id))
    yield Seed("locks", "alone/kbrules.lock", lock_text(load("nomads").contents), {})
    for number, move in enumerate(MOVES):
        yield Seed("moves", f"alone/{number}", move, {})


def _beginning(text: str) -> str:
    """The first moves of a log: a game that was broken off."""
    lines = text.splitlines(keepends=True)
    assert "boxes" in json.loads(lines[0])
    return "".join(lines[:12])
