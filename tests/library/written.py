"""Boxes and installed packages written in a test, and where a finding about them points."""

from __future__ import annotations

import re
from pathlib import Path

from kbrules.diagnostics import Diagnostic
from kbrules.game.board import Board, Catalog
from kbrules.library.boards.positions import Marks, Pieces, draw_framed
from kbrules.library.boards.tables import BoardParts
from kbrules.library.box import Box, read_box, shipped_box
from kbrules.library.models import Expansion
from kbrules.library.union import merge
from kbrules.library.validation import validate
from kbrules.library.yaml import read_yaml
from kbrules.text import Source


def box(text: str, id: str = "dale") -> Box:
    """A box that reads well, with the keys every box has put in front."""
    source = Source(f"{id}.yaml", f"format: 1\nid: {id}\ntitle: A box\n{text}")
    document, found = read_yaml(source)
    assert document is not None and found == []
    model, found = validate(document, Expansion)
    assert model is not None and found == []
    return Box(model, document, Path())


def base() -> Box:
    made, found = read_box(shipped_box("base"))
    assert made is not None and found == []
    return made


def base_game() -> tuple[Catalog, BoardParts]:
    catalog, parts, found = merge([base()])
    assert found == []
    return catalog, parts


def facts(found: list[Diagnostic]) -> list[tuple[str, str]]:
    """The code of each finding and the words it points at."""
    return [(each.code, each.span.text) for each in found]


BOX = """\
format: 1
id: {id}
title: The {id}
version: '{version}'
needs: [{needs}]
cards: [{id}_rowers]
"""
RULES = """\
card {id}_rowers "Rowers of {id}":
    "One gold for each of your pieces."
    gold 1 per hex in mine
    example:
        | .a .a .
        |  .  .  .
        gives 2
"""


def box_in(folder: Path, id: str, version: str = "1.2", needs: str = "base") -> Path:
    """The files of a box of one card in a folder."""
    (folder / "rules").mkdir(parents=True)
    (folder / "expansion.yaml").write_text(BOX.format(id=id, version=version, needs=needs))
    (folder / "rules" / f"{id}.kb").write_text(RULES.format(id=id))
    return folder


def metadata_in(site: Path, package: str, *entries: str) -> None:
    """The metadata of an installed package with some entry points."""
    info = site / f"{package.replace('-', '_')}-3.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 3.0\n")
    lines = "\n".join(["[kbrules.expansions]", *entries])
    (info / "entry_points.txt").write_text(f"{lines}\n")


def install(site: Path, id: str, version: str = "1.2", needs: str = "base") -> Path:
    """A package that has a box; the folder of the box."""
    package = f"kbrules_{id}"
    metadata_in(site, f"kbrules-{id}", f"{id} = {package}")
    box_in(site / package, id, version, needs)
    (site / package / "__init__.py").write_text("raise RuntimeError('nobody may run this')\n")
    return site / package


def drawn(board: Board, pieces: Pieces, marks: Marks) -> str:
    """A position as one types it: as it is drawn, without column letters and row numbers."""
    lines = draw_framed(board, pieces, marks).split("\n")
    rows = (re.fullmatch(r" *[0-9]+ (.*)|([a-z]+:)", line) for line in lines)
    return "\n".join(row[1] or row[2] for row in rows if row)
