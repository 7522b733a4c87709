"""The pictures of written pages: one that stands below a block of rules shows its first example."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from kbrules.library.file_cache import FileCache
from kbrules.library.load import load_with_dependencies
from kbrules.library.ruleset import Ruleset
from kbrules.scenario.examples import RuleExample, examples_of
from kbrules.text import Source
from kbrules.tools.pictures.board import board_svg
from kbrules.tools.pictures.scenes import example_picture, norms_svg

_ILLUSTRATED = re.compile(r"```kb\n((?:(?!```).)*)```\n\n!\[[^\]]*\]\((\S+\.svg)\)", re.DOTALL)
"""A block of rules, and the path of the picture below it."""


def illustrations(folder: Path) -> Iterator[tuple[str, str]]:
    """The pictures of the pages of a folder, each with its path from there.

    ValueError if a block cannot be read, or has no example that can be drawn.
    """
    files = FileCache()
    for page in sorted(folder.glob("*.md")):
        for text, path in _ILLUSTRATED.findall(page.read_text(encoding="utf-8")):
            svg = _illustration(Source(path, text), files)
            if svg is None:
                raise ValueError(f"{page.name}: nothing can be drawn for {path}")
            yield path, svg


def _illustration(block: Source, files: FileCache) -> str | None:
    ruleset = load_with_dependencies([], [], [block], files).ruleset
    if ruleset is None:
        return None
    examples = (e for e in examples_of(ruleset) if e.example.span.source.name == block.name)
    example = next(examples, None)
    return None if example is None else _example_svg(ruleset, example)


def _example_svg(ruleset: Ruleset, example: RuleExample) -> str | None:
    title = f"{example.rule.title}: {example.example.title}"
    if example.rule.norms:
        return norms_svg(ruleset, example, title)
    picture = example_picture(ruleset.catalog, example.rule.id, example.example, title)
    return None if picture is None else board_svg(picture)
