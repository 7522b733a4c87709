"""What lints look at: rules without errors, as written and as understood; the list of lints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeVar

from kbrules import diagnostics, hooks, text
from kbrules.game.board import Catalog
from kbrules.lang import typed as core
from kbrules.lang.checker.rules import Checked
from kbrules.lang.syntax import tree
from kbrules.lang.typed import Rule, Sort
from kbrules.library import load, store
from kbrules.library.box import Box
from kbrules.library.ruleset import Ruleset


def outermost(part: object, kinds: frozenset[type]) -> Iterator[Any]:
    """The parts of some kinds that lie in no other part of those kinds."""
    return (each for each in core.nodes_in(part, kinds) if type(each) in kinds)


def statements_of(rule: core.Rule) -> tuple[object, ...]:
    """All that a typed rule says, but for its examples."""
    parts = rule.norms, rule.changes, rule.awards, rule.wins
    return *parts, rule.triggers, rule.whenevers, rule.actions, rule.phases


EXPRESSIONS: frozenset[type] = frozenset(
    {core.Lit, core.Var, core.Call, core.Fold, core.Conditional}
)

Value = TypeVar("Value")


def never_cancelled() -> None:
    """Do nothing: the lints run to their end."""


@dataclass(frozen=True)
class Subject:
    """A loaded rule set, the files that it was loaded from, and which of them are selected.

    `samples` is how many positions may be looked at. What is not selected is there to be
    compared with, and gets no finding. `check_cancelled` is called between
    positions and boards, and `on_progress` told how many positions are done. `cache` is room for
    what several lints need.
    """

    loaded: load.Loaded
    files: store.Files
    is_selected: Callable[[str], bool]
    samples: int = 0
    check_cancelled: Callable[[], None] = never_cancelled
    on_progress: hooks.OnProgress = hooks.silent
    cache: dict[Any, Any] = field(default_factory=dict, repr=False)

    @cached_property
    def ruleset(self) -> Ruleset:
        """The rules in force, ready to be played."""
        assert self.loaded.ruleset is not None
        return self.loaded.ruleset

    @property
    def checked(self) -> Checked:
        """The typed rules, options, memories and defines, replaced ones among them."""
        assert self.loaded.checked is not None
        return self.loaded.checked

    @property
    def catalog(self) -> Catalog:
        """The things of all loaded boxes."""
        return self.loaded.catalog

    @cached_property
    def declarations(self) -> tuple[tree.Declaration, ...]:
        """The declarations of the files that are selected, as written."""
        return tuple(each for each in self.loaded.declarations if self.concerns(each.span))

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The typed rules of those files."""
        return tuple(rule for rule in self.checked.rules if self.concerns(rule.span))

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """The boxes whose data files are selected."""
        return tuple(box for box in self.loaded.boxes if self.is_selected(box.document.source.name))

    @cached_property
    def sources(self) -> tuple[text.Source, ...]:
        """The texts that are selected, rules and data of boxes."""
        return tuple(each for each in self.loaded.sources if self.is_selected(each.name))

    @cached_property
    def _nodes(self) -> dict[type, list[Any]]:
        """Every part of the declarations by its class, found in one walk, in the order written."""
        nodes: dict[type, list[Any]] = {}
        for part in core.nodes_in(self.declarations):
            nodes.setdefault(type(part), []).append(part)
        return nodes

    def concerns(self, span: text.Span) -> bool:
        """Whether a place is in a selected file."""
        return self.is_selected(span.source.name)

    def shared(self, make: Callable[[Subject], Value]) -> Value:
        """What a function makes of the subject, made once for all lints that want it."""
        if make not in self.cache:
            self.cache[make] = make(self)
        value: Value = self.cache[make]
        return value

    def nodes(self, kind: type[Value]) -> Iterator[Value]:
        """The nodes of one class in the trees of the selected files."""
        yield from self._nodes.get(kind, ())


# Lints: each is one function that yields the findings of one code.

Needs = Literal["text", "boards", "positions"]
"""What a lint looks at: what is written, boards that the sections form, or positions of games."""

FindFunction = Callable[[Subject], Iterator[diagnostics.Diagnostic]]


@dataclass(frozen=True, slots=True)
class Lint:
    """The function behind a code, and what it looks at."""

    code: str
    needs: Needs
    find: FindFunction


LINTS: dict[str, Lint] = {}
"""Every lint by its code; `_MODULES` of `run` names the modules that hold them."""


def lint(code_name: str, needs: Needs = "text") -> Callable[[FindFunction], FindFunction]:
    """Register a function as the lint of a code, which is a warning that makes a claim.

    The function gets a `Subject` without errors and yields findings of that code alone, about
    the selected files of the subject. ValueError if the code has its lint already.
    """
    if code_name in LINTS:
        raise ValueError(f"{code_name} has its lint already")

    def register(find: FindFunction) -> FindFunction:
        LINTS[code_name] = Lint(code_name, needs, find)
        return find

    return register


# The typed expressions of the selected files, and the sort of each by its place.


def typed_expressions(subject: Subject) -> Iterator[tuple[text.Span, core.Expr]]:
    """The outermost typed expressions of the selected files, each with its declaration's place."""
    declarations = {
        (each.name.span.source, each.name.span.start): each for each in subject.declarations
    }
    for rule in subject.rules:
        declaration_span = declarations[rule.span.source, rule.span.start].span
        for expr in outermost(statements_of(rule), EXPRESSIONS):
            yield declaration_span, expr
    definitions = subject.checked.scope.names.definitions
    for define in subject.nodes(tree.Define):
        yield define.span, definitions[define.name.text].body


def sorts(subject: Subject) -> Mapping[text.Span, Sort]:
    """The sort of each expression of the selected files by its place."""
    parts = (part for _, expr in typed_expressions(subject) for part in core.nodes_in(expr))
    return {part.span: part.sort for part in parts if type(part) in EXPRESSIONS}
