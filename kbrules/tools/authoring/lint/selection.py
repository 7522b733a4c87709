"""All lints, and the selection of some: by code, by the beginning of codes, or by short name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from kbrules.diagnostics import Diagnostic, did_you_mean, quoted
from kbrules.messages import CODES
from kbrules.text import Span
from kbrules.tools.authoring.lint import (
    algebra,
    constant,
    drawings,
    flow,
    norms,
    translated,
    uses,
    wording,
)
from kbrules.tools.authoring.lint.boards import fixed_sets, maps
from kbrules.tools.authoring.lint.registry import LINTS as LINTS
from kbrules.tools.authoring.lint.sampled import lints
from kbrules.tools.authoring.lint.subject import never_cancelled
from kbrules.tools.authoring.lint.suppressions import NO_REASON, UNKNOWN, UNUSED

_MODULES = (
    algebra,
    constant,
    drawings,
    fixed_sets,
    flow,
    lints,
    maps,
    norms,
    translated,
    uses,
    wording,
)
"""The modules of all lints: to import them enters the lints into `LINTS`."""
SAMPLES = 200  # positions that are looked at by default
MOST_SAMPLES = 100_000
SCENARIO_LINTS = frozenset({"KB508"})
"""The warnings that come of playing scenarios."""


@dataclass(frozen=True, slots=True)
class LintSelection:
    """The codes of warnings that are reported, and how many positions are looked at for them.

    `check_cancelled` is called often during a long search; it raises to cancel the search.
    """

    codes: frozenset[str]
    samples: int = SAMPLES
    check_cancelled: Callable[[], None] = field(default=never_cancelled, compare=False)

    def of(self, file: Path) -> LintSelection:
        """Return the warnings that are wanted of a file: of each the same."""
        return self

    def problems(self, files: Iterable[Path]) -> list[Diagnostic]:
        """Return nothing: there are no settings that could be wrong."""
        return []

    def __or__(self, other: LintSelection) -> LintSelection:
        codes, samples = self.codes | other.codes, max(self.samples, other.samples)
        return replace(self, codes=codes, samples=samples)

    def wants(self, finding: Diagnostic) -> bool:
        """Return whether a warning is reported."""
        is_sampled = finding.claim.startswith("sampled")
        return finding.code in self.codes and bool(self.samples or not is_sampled)


def quick(selection: LintSelection) -> LintSelection:
    """The same without the lints that play."""
    slow = {code for code, lint in LINTS.items() if lint.needs != "text"}
    return replace(selection, codes=selection.codes - slow - SCENARIO_LINTS)


def warnings() -> tuple[str, ...]:
    """The codes of the warnings that checking gives, in order; other commands have their own."""
    return tuple(sorted({*LINTS, *SCENARIO_LINTS, NO_REASON, UNKNOWN, UNUSED}))


def codes_named(names: Iterable[str], span: Span) -> tuple[frozenset[str], list[Diagnostic]]:
    """The warnings that names mean, and what is wrong with the names; `span` is where they stand.

    A name is a code, the beginning of one (`KB7` or `KB73`), or a short name.
    """
    codes: set[str] = set()
    problems = []
    for name in names:
        matching = _codes_of(name)
        codes.update(matching)
        if not matching:
            problems.append(_unknown(name, span))
    return frozenset(codes), problems


def _codes_of(name: str) -> Sequence[str]:
    folded = name.strip().casefold()
    if len(folded) < len("KB7"):
        return ()
    beginning = [code for code in warnings() if code.casefold().startswith(folded)]
    return beginning or [code for code in warnings() if CODES[code].slug == folded]


def _unknown(name: str, span: Span) -> Diagnostic:
    if any(name.casefold() in (code.casefold(), entry.slug) for code, entry in CODES.items()):
        help_ = "only warnings can be chosen; what is wrong is always told"
        return Diagnostic("KB009", span, f"{quoted(name)} is no warning", help_)
    slugs = [CODES[code].slug for code in warnings()]
    help_ = did_you_mean(name, [*warnings(), *slugs], "`kbrules explain` lists the codes")
    return Diagnostic("KB009", span, f"no warning is called {quoted(name)}", help_)
