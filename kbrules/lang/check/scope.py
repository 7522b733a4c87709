"""What may be spoken of at one point of a rule, and where mistakes are collected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from kbrules.diagnostics import Diagnostic, suggest
from kbrules.lang.core import Call, Expr, Lit
from kbrules.lang.signature import Definition, Vocabulary
from kbrules.lang.sorts import Sort
from kbrules.text import Span


@dataclass(frozen=True, slots=True)
class Names:
    """The names that declarations add to the vocabulary."""

    definitions: Mapping[str, Definition]
    options: Mapping[str, Sort]
    memories: Mapping[str, Sort]


@dataclass(frozen=True, slots=True)
class Scope:
    """Vocabulary, declared names, bound variables, and the list of findings."""

    vocabulary: Vocabulary
    names: Names
    findings: list[Diagnostic]
    variables: Mapping[str, Sort] = field(default_factory=dict)

    def bind(self, *bindings: tuple[str, Sort]) -> Scope:
        """The same scope with more variables."""
        variables = {**self.variables, **dict(bindings)}
        return Scope(self.vocabulary, self.names, self.findings, variables)

    def report(self, code: str, span: Span, message: str, help: str = "") -> Lit:
        """Collect a finding and answer with a hole."""
        self.findings.append(Diagnostic(code, span, message, help))
        return hole(span)

    def known(self) -> set[str]:
        """Every name an expression may use here."""
        declared = {*self.names.definitions, *self.names.options, *self.names.memories}
        return self.vocabulary.names() | declared | set(self.variables)

    def unknown(self, name: str, span: Span) -> Lit:
        """Report a word nobody knows, with the nearest one that is known."""
        return self.report("KB201", span, f"`{name}` is not a word I know", near(name, self.known()))


def near(name: str, candidates: Iterable[str]) -> str:
    """The help line of a near miss, or nothing."""
    found = suggest(name, sorted(candidates))
    return f"did you mean `{found}`?" if found else ""


def hole(span: Span) -> Lit:
    """The typed stand-in for a mistake that was reported."""
    return Lit(Sort.HOLE, span, None)


def is_hole(expr: Expr) -> bool:
    """Whether an expression stands for a reported mistake."""
    return expr.sort is Sort.HOLE


def is_fixed(expr: Expr) -> bool:
    """Whether the board alone decides the value."""
    return isinstance(expr, Lit) or (isinstance(expr, Call) and expr.fixed)
