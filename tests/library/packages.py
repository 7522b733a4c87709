"""Installed packages with boxes, as far as Python looks for them: metadata and a folder."""

from __future__ import annotations

from pathlib import Path

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
