"""Expressions of the language, read and checked by themselves, with names bound at will."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from kbrules.diagnostics import Diagnostic
from kbrules.game.view import View
from kbrules.lang.checker.expressions import Names, Scope, infer
from kbrules.lang.syntax import tree
from kbrules.lang.syntax.parse import parse
from kbrules.lang.typed import Definition, Expr, Parameter, Sort
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.library.vocabulary import full_vocabulary
from kbrules.text import Source
from tests.source_tree import ROOT

VALE = Path(__file__).with_name("vale")


@lru_cache(maxsize=1)
def vale() -> Ruleset:
    """The base game with the things that examples speak of."""
    return load("base", folders=[VALE])


def read(text: str, name: str = "probe.kb") -> list[tree.Declaration]:
    """The declarations of a text that can be read."""
    declarations, findings = parse(Source(name, text))
    assert findings == []
    return declarations


@lru_cache(maxsize=16)
def names(*texts: str) -> Names:
    """What the prelude, the declarations of base and Vale, and some defines add to the words."""
    ruleset = vale()
    options = {
        name: Sort.TRUTH if isinstance(default, bool) else Sort.NUMBER
        for name, default in ruleset.options.items()
    }
    memories = dict.fromkeys(ruleset.memories, Sort.HEXES) | {"stored": Sort.NUMBER}
    known: dict[str, Definition] = {}
    prelude = (ROOT / "rules" / "prelude.kb").read_text(encoding="utf-8")
    for declaration in [each for text in (prelude, *texts) for each in read(text)]:
        assert isinstance(declaration, tree.Define)
        scope = Scope(full_vocabulary(ruleset.catalog), Names(known, options, memories), [])
        taken = tuple(Parameter(n.text, Sort(s.text)) for n, s in declaration.parameters)
        inner = scope.bind(*((each.name, each.sort) for each in taken))
        body = infer(declaration.body, inner)
        assert scope.findings == []
        known = {**known, declaration.name.text: Definition(taken, body)}
    return Names(known, options, memories)


def check(text: str, variables: Mapping[str, Sort], *defines: str) -> tuple[Expr, list[Diagnostic]]:
    """The typed expression and what is wrong with it."""
    (declaration, *_), unread = parse(Source("probe.kb", f"define probe:\n    {text}\n"))
    assert isinstance(declaration, tree.Define)
    findings: list[Diagnostic] = []
    scope = Scope(full_vocabulary(vale().catalog), names(*defines), findings)
    return infer(declaration.body, scope.bind(*variables.items())), unread + findings


@lru_cache(maxsize=2000)
def _expression(
    text: str, variables: tuple[tuple[str, Sort], ...], defines: tuple[str, ...]
) -> Expr:
    expr, findings = check(text, dict(variables), *defines)
    assert findings == [], (text, findings)
    return expr


def expression(text: str, variables: Mapping[str, Sort], *defines: str) -> Expr:
    """The typed expression of a text without a mistake."""
    return _expression(text, tuple(sorted(variables.items())), defines)


def value(text: str, view: View, variables: Mapping[str, Sort], *defines: str) -> Any:
    """What the reference evaluator makes of it; the values of variables are in `view.env`."""
    return vale().evaluate(expression(text, variables, *defines), view)
