"""What is declared and never used."""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.diagnostics import Diagnostic
from kbrules.lang import tree
from kbrules.tools.lint.index import inside
from kbrules.tools.lint.registry import lint
from kbrules.tools.lint.subject import Subject

__all__ = ["spoken"]


def spoken(subject: Subject) -> frozenset[str]:
    """Every name that some rule, define or data file of the loaded boxes speaks of."""
    found: set[str] = set()
    for declaration in subject.loaded.declarations:
        own = declaration.name.text if isinstance(declaration, tree.Define) else ""
        found |= {name for name in _names(declaration) if name != own}
    return frozenset(found) | subject.ruleset.marks.keys()


def _names(declaration: tree.Declaration) -> Iterator[str]:
    for part in inside(declaration):
        match part:
            case tree.Name(text=text) | tree.Call(name=text):
                yield text
            case tree.Change(quantity=word) | tree.Phrase(preposition=word):
                yield word.text


@lint("KB703")
def unused_define(subject: Subject) -> Iterator[Diagnostic]:
    """A define that nothing speaks of."""
    used = subject.shared(spoken)
    for define in subject.written(tree.Define):
        if define.name.text not in used:
            message = f"nothing uses `{define.name.text}`"
            yield Diagnostic("KB703", define.name.span, message, "use it, or delete it")
