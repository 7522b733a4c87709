"""What may be spoken of at one point of a rule, and where mistakes are collected."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace

from kbrules.diagnostics import Diagnostic, did_you_mean, suggest
from kbrules.lang.checker.cost import CostModel
from kbrules.lang.syntax import tree
from kbrules.lang.syntax.foreign_words import instead_of
from kbrules.lang.typed.core import Expr, Lit
from kbrules.lang.typed.signature import Definition, Parameter, Vocabulary
from kbrules.lang.typed.sorts import Sort
from kbrules.text import Span

_BOUND = "`{}` is known after `when ...:`, or in the part of a step behind it, as in `move`"
_WORDS_ARE = "`kbrules show word` lists all words, `define` adds one of your own"


@dataclass(slots=True)
class NamedSteps:
    """Declarations of named steps by name, and those of them that can be done.

    parameters: of those that were checked. unusable: those with a mistake of their own; it was
    reported there.
    """

    declared: Mapping[str, tree.Steps] = field(default_factory=dict)
    parameters: dict[str, tuple[Parameter, ...]] = field(default_factory=dict)
    unusable: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Names:
    """The names that declarations add to the vocabulary.

    `unreadable_names` are declared, but what they mean could not be read: they are silent.
    `defined` are all that have a definition, even while it is still to be checked.
    """

    definitions: Mapping[str, Definition]
    options: Mapping[str, Sort]
    memories: Mapping[str, Sort]
    named_steps: NamedSteps = field(default_factory=NamedSteps)
    unreadable_names: Set[str] = frozenset()
    defined: Set[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Scope:
    """Vocabulary, declared names, bound variables, and the list of findings.

    `times` is how often what stands here can happen, by the loops around it. A `lenient` scope
    stands in the place of one that could not be read, so that any name may be bound in it.
    """

    vocabulary: Vocabulary
    names: Names
    findings: list[Diagnostic]
    variables: Mapping[str, Sort] = field(default_factory=dict)
    times: int = 1
    is_lenient: bool = False
    cost_model: CostModel = field(default_factory=CostModel)

    def bind(self, *bindings: tuple[str, Sort]) -> Scope:
        """The same scope with more variables."""
        return replace(self, variables={**self.variables, **dict(bindings)})

    def repeated(self, times: int) -> Scope:
        """The same scope inside of a loop."""
        return replace(self, times=self.times * times)

    def lenient(self) -> Scope:
        """The same scope where names may be bound that are not known."""
        return replace(self, is_lenient=True)

    def silent(self) -> Scope:
        """The same scope with findings thrown away, for a second look at the same words."""
        return replace(self, findings=[])

    def report(self, code: str, span: Span, message: str, help: str = "") -> Lit:
        """Collect a finding and answer with a hole."""
        self.findings.append(Diagnostic(code, span, message, help))
        return hole(span)

    def known(self) -> set[str]:
        """Every name an expression may use here."""
        declared = {*self.names.defined, *self.names.options, *self.names.memories}
        return self.vocabulary.names() | declared | set(self.variables)

    def may_be_unreadable(self, name: str) -> bool:
        """Whether a name nobody knows may be one that could not be read."""
        is_unreadable = (
            name in self.names.unreadable_names or name in self.vocabulary.unreadable_names
        )
        return is_unreadable or self.is_lenient or self.vocabulary.has_gaps

    def unknown(self, name: str, span: Span) -> Lit:
        """Report a word nobody knows, with the nearest one that is known."""
        if self.may_be_unreadable(name):
            return hole(span)
        elsewhere = _BOUND.format(name) if name in self.bound_elsewhere() else ""
        help_ = instead_of(name) or elsewhere or self._near(name) or _WORDS_ARE
        return self.report("KB201", span, f"`{name}` is not a word I know", help_)

    def _near(self, name: str) -> str:
        """The help that suggests the nearest known name, with its sort if it is no set."""
        found = suggest(name, self.known())
        constant = self.vocabulary.constants.get(found or "")
        if constant is None or constant.sort in (Sort.TERRAIN, Sort.PLACE):
            return f"did you mean `{found}`?" if found else ""
        return f"did you mean the {constant.sort} `{found}`?"

    def bound_elsewhere(self) -> dict[str, Sort]:
        """The names that events and parts of steps bind, known only in what belongs to them."""
        steps = (s for each in self.vocabulary.steps.values() for s in each)
        of_steps = (pair for step in steps for each in step.parameters for pair in each.binds)
        events = self.vocabulary.events.values()
        return {**dict(of_steps), **dict(pair for event in events for pair in event.binds)}

    def with_bound_elsewhere(self) -> Scope:
        """The same scope where the names are known that only its users' places may bind."""
        return self.bind(*self.bound_elsewhere().items())

    def missing(self, definition: Definition) -> list[str]:
        """The names a definition speaks of that are not bound here with their sorts."""
        known = self.variables
        return (
            []
            if self.is_lenient
            else [name for name, sort in definition.needs if known.get(name) is not sort]
        )

    def unbound(self, name: str, missing: str, span: Span) -> Lit:
        """Report a defined word that speaks of a name which is not known here."""
        message = f"`{name}` speaks of `{missing}`, which is not known here"
        return self.report("KB201", span, message, _BOUND.format(missing))

    def unknown_call(self, name: str, span: Span) -> Lit:
        """Report a word with arguments that nobody knows; no heading binds such a word."""
        if replace(self, is_lenient=False).may_be_unreadable(name):
            return hole(span)
        words = {
            n for n, found in self.vocabulary.words.items() if any(s.parameters for s in found)
        }
        defined = {n for n, each in self.names.definitions.items() if each.parameters}
        help_ = instead_of(name) or did_you_mean(name, words | defined | {*self.vocabulary.folds})
        return self.report("KB201", span, f"`{name}` is not a word I know", help_ or _WORDS_ARE)

    def within_cost_limit(self, expr: Expr, span: Span) -> Expr:
        """The expression, unless it could take too long here."""
        if is_hole(expr) or not self.cost_model.cost_of(expr).exceeds_limit(self.times):
            return expr
        help_ = "loop over fewer things, or say it once about all hexes"
        return self.report("KB303", span, "this could take too long", help_)


def hole(span: Span) -> Lit:
    """The typed stand-in for a mistake that was reported."""
    return Lit(Sort.HOLE, span, None)


def is_hole(expr: Expr) -> bool:
    """Whether an expression stands for a reported mistake."""
    return expr.sort is Sort.HOLE
