"""All lints, the selection of some of them, and the run of these over loaded rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import get_args

from kbrules.diagnostics import Diagnostic, did_you_mean, quoted
from kbrules.hooks import OnProgress, silent
from kbrules.library.load import Loaded
from kbrules.library.store import Files
from kbrules.messages import CODES
from kbrules.text import Span
from kbrules.tools.lint import algebra, boards, constant, flow, uses
from kbrules.tools.lint.subject import LINTS as LINTS, Lint, Needs, Subject, lint, never_cancelled
from kbrules.tools.lint.suppressions import NO_REASON, UNKNOWN, UNUSED, suppressed
from kbrules.tools.lint.uses import translated_sources

# All lints, and the selection of some: by code, by the beginning of codes, or by short name.

_MODULES = (algebra, boards, constant, flow, uses)
"""The modules of lints: to import them enters the lints into `LINTS`."""
_SAMPLED = (
    "KB725", "KB740", "KB741", "KB742", "KB743", "KB744", "KB745", "KB746", "KB747", "KB749",
    "KB750", "KB752", "KB753", "KB754", "KB755", "KB757",
)  # fmt: skip
SAMPLES = 200  # positions that are looked at by default
MOST_SAMPLES = 100_000
SCENARIO_LINTS = frozenset({"KB508"})
"""The warnings that come of playing scenarios."""


def _sampled(subject: Subject) -> Iterator[Diagnostic]:
    """Yield what positions show, for all codes together; it loads the engine."""
    from kbrules.tools.lint.sampled_findings import select_findings

    yield from select_findings(subject)


for _code in _SAMPLED:
    lint(_code, needs="positions")(_sampled)


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
    slow = {code for code, each in LINTS.items() if each.needs != "text"}
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


# The run of the selected lints over loaded rules.

IsSelected = Callable[[str], bool]


def lint_findings(
    loaded: Loaded,
    files: Files,
    is_selected: IsSelected,
    is_named: IsSelected,
    selection: LintSelection,
    on_progress: OnProgress = silent,
) -> Iterator[Diagnostic]:
    """The warnings about selected files; none while there is an error.

    Boards and positions are examined for files that somebody named, and for no others.
    on_progress: told how many positions are done.
    """
    if loaded.ruleset is None:
        return
    by_needs = {needs: _selected_lints(selection, needs) for needs in get_args(Needs)}
    subject = Subject(loaded, files, is_selected, selection.samples)
    findings = list(_claimed_findings(subject, by_needs["text"]))
    run_codes = {each.code for each in by_needs["text"]}
    named_subject = Subject(
        loaded,
        files,
        lambda name: is_selected(name) and is_named(name),
        selection.samples,
        selection.check_cancelled,
        on_progress,
    )
    if named_subject.sources:
        for needs in ("boards", "positions"):
            deep = _claimed_findings(named_subject, by_needs[needs])
            findings += list(_not_overlapping(deep, findings))
        if len(named_subject.sources) == len(subject.sources):
            # Whether a sampled finding comes is a matter of how many samples there are.
            run_codes |= {each.code for each in by_needs["boards"]}
    sources = [*subject.sources, *translated_sources(subject)]
    findings = suppressed(findings, sources, run_codes)
    yield from (finding for finding in findings if finding.code in selection.codes)


def _not_overlapping(
    findings: Iterable[Diagnostic], earlier: Iterable[Diagnostic]
) -> Iterator[Diagnostic]:
    """The findings at places that no earlier finding overlaps: it would explain them."""
    places = [each.span for each in earlier]
    return (f for f in findings if not any(f.span.overlaps(place) for place in places))


def _selected_lints(selection: LintSelection, needs: Needs) -> list[Lint]:
    """The selected lints that look at one thing; none at positions if there are no samples."""
    if needs == "positions" and not selection.samples:
        return []
    return [each for each in LINTS.values() if each.needs == needs and each.code in selection.codes]


def _claimed_findings(subject: Subject, lints: Sequence[Lint]) -> Iterator[Diagnostic]:
    codes = {each.code for each in lints}
    for find in dict.fromkeys(each.find for each in lints):
        subject.check_cancelled()
        for finding in find(subject):
            if finding.code in codes:
                yield replace(finding, claim=finding.claim or CODES[finding.code].claim)
