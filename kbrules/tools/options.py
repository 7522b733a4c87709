"""The options of the boxes as text: the ruling of each, and what holds if nobody says otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kbrules.lang import tree
from kbrules.library.boxes import shipped_boxes
from kbrules.library.files import Files
from kbrules.library.load import rule_files
from kbrules.library.resources import data_root
from kbrules.library.ruleset import Ruleset

__all__ = ["option_lines", "option_page", "value_text"]


def option_lines(ruleset: Ruleset) -> dict[str, str]:
    """Each option with its default and what it says."""
    return {
        id: f"{value_text(ruleset.options[id])}: {option.wording}"
        for id, option in _options(ruleset).items()
    }


def option_page(ruleset: Ruleset, name: str) -> str:
    """One option, with how to choose otherwise and where it stands; KeyError if there is none."""
    option = _options(ruleset)[name]
    value, span = ruleset.options[name], option.span
    default, other = value_text(value), value_text(not value if isinstance(value, bool) else value)
    return "\n".join([
        f"{name} (option, {default} by default)", option.wording, "",
        f"{span.source.name}:{span.line}", f"kbrules play --option {name}={other}",
    ])  # fmt: skip


def value_text(value: bool | int) -> str:
    """A value as it is written in rules and at the command line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _options(ruleset: Ruleset) -> dict[str, tree.Option]:
    """The declarations; a rule set keeps only the values."""
    files = Files()
    return {
        each.name.text: each
        for path in _rule_files(ruleset)
        for each in files.rules(path).declarations
        if isinstance(each, tree.Option) and each.name.text in ruleset.options
    }


def _rule_files(ruleset: Ruleset) -> Iterator[Path]:
    root = data_root("rules")
    yield from sorted(root.glob("*.kb"))
    for box in ruleset.boxes:
        if box in shipped_boxes():
            yield from sorted((root / box).glob("*.kb"))
    for folder in ruleset.folders:
        yield from rule_files(Path(folder))
