"""The table of old and new names: what it gives as new is in the code."""

from __future__ import annotations

import re
from pathlib import PurePath

from tests.source_tree import ROOT, modules

ROW = re.compile(r"\| (.*`.*) \| (.*) \|")


def rows() -> list[tuple[str, str]]:
    """The old and the new names of each row, as they are written."""
    lines = (ROOT / "docs" / "names.md").read_text(encoding="utf-8").splitlines()
    return [(found[1], found[2]) for line in lines if (found := ROW.fullmatch(line))]


def unknown(text: str, known: set[str]) -> list[str]:
    """The names in a text that the code has nowhere."""
    quoted = re.findall(r"`([^`]+)`", text)
    return [
        word for each in quoted for word in re.findall(r"[^\W\d]\w*", each) if word not in known
    ]


def test_new_names_are_in_the_code() -> None:
    known = {word for module in modules() for word in re.findall(r"[^\W\d]\w*", module.text)}
    known |= {part for module in modules() for part in PurePath(module.path).with_suffix("").parts}
    assert unknown("`no_such_name_is_there`", known) == ["no_such_name_is_there"]
    assert len(rows()) > 400
    assert [(old, word) for old, new in rows() for word in unknown(new, known)] == []
