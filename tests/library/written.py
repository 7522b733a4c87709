"""Boxes written in a test, and where a finding about them points."""

from __future__ import annotations

from pathlib import Path

from kbrules.diagnostics import Diagnostic
from kbrules.game.board import Catalog
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
