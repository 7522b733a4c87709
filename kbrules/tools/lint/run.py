"""All lints, settings that select some, comments that suppress warnings, and the run of lints."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

from kbrules.diagnostics import Diagnostic, Edit, did_you_mean, quoted
from kbrules.hooks import OnProgress, silent
from kbrules.library import load, store
from kbrules.library.reading import folders_above, is_shipped, read_source
from kbrules.messages import CODES, Severity
from kbrules.text import Source, Span
from kbrules.tools.lint import algebra, boards, constant, flow, uses
from kbrules.tools.lint.subject import LINTS as LINTS, Lint, Needs, Subject, lint, never_cancelled

# All lints, and the selection of some: by code, by the beginning of codes, or by short name.

_MODULES = (algebra, boards, constant, flow, uses)
"""The modules of lints: to import them enters the lints into `LINTS`."""
_SAMPLED = (
    "KB725", "KB740", "KB741", "KB742", "KB743", "KB744", "KB745", "KB746", "KB747", "KB749",
    "KB750", "KB752", "KB753", "KB754", "KB755", "KB757",
)  # fmt: skip
NO_REASON, UNKNOWN, UNUSED = "KB701", "KB702", "KB700"
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


# What a folder says about checking: `kbrules.toml`, or `[tool.kbrules]` in `pyproject.toml`.

OWN, SHARED = "kbrules.toml", "pyproject.toml"
BAD = "KB729"
MAX_LINE = 4_000  # characters of a line
MAX_DEPTH = 20  # lists and tables within each other, and parts of a key

_KEY = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_DEEP_KEY = re.compile(rf"""(?<![\w."'-]){_KEY}(?:[ \t]*\.[ \t]*{_KEY}){{{MAX_DEPTH}}}""")
_BRACKET = re.compile(
    r""""{3}(?:\\.|[^\\])*?"{3}|'{3}.*?'{3}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*|[][{}]""",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Settings:
    """What is set there; None where nothing is. Codes are those of warnings."""

    select: frozenset[str] | None = None
    ignore: frozenset[str] = frozenset()
    samples: int | None = None
    fail_level: Severity = "warning"


@dataclass(slots=True)
class LintSettings:
    """The warnings that are wanted of each file: what a command says, else its settings.

    `select`, `ignore` and `samples` are those of the command; `is_isolated` leaves the settings
    out, `is_quick` the lints that play. `place` returns the file whose settings count for a copy.
    """

    select: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()
    samples: int | None = None
    is_isolated: bool = False
    is_quick: bool = False
    check_cancelled: Callable[[], None] = field(default=never_cancelled, compare=False)
    place: Callable[[Path], Path] = field(default=lambda file: file, compare=False)
    _read: dict[Path, tuple[Settings, list[Diagnostic]]] = field(
        default_factory=dict, init=False, compare=False
    )

    def of(self, file: Path) -> LintSelection:
        """Return the warnings that are wanted of a file."""
        settings, _ = self._settings(file)
        selected = self.select or settings.select or frozenset(warnings())
        samples = settings.samples if self.samples is None else self.samples
        selection = LintSelection(
            selected - self.ignore - settings.ignore,
            SAMPLES if samples is None else samples,
            self.check_cancelled,
        )
        return quick(selection) if self.is_quick else selection

    @property
    def may_play(self) -> bool:
        """Return whether the command leaves lints in that play."""
        chosen = LintSelection((self.select or frozenset(warnings())) - self.ignore)
        return quick(chosen) != chosen

    def fail_level(self, file: Path) -> Severity:
        """Return the lowest severity of a finding in a file that makes a command fail."""
        return self._settings(file)[0].fail_level

    def problems(self, files: Iterable[Path]) -> list[Diagnostic]:
        """Read the settings of some files anew, and return what is wrong with them."""
        self._read.clear()
        found = (each for file in files for each in self._settings(file)[1])
        return sorted({(f.span.source.name, f.span.start, f.message): f for f in found}.values())

    def _settings(self, file: Path) -> tuple[Settings, list[Diagnostic]]:
        if self.is_isolated:
            return Settings(), []
        folder = Path.cwd() if is_shipped(file) else next(folders_above(self.place(file)))
        if folder not in self._read:
            self._read[folder] = settings_of(folder)
        return self._read[folder]


def settings_of(folder: Path) -> tuple[Settings, list[Diagnostic]]:
    """The settings for a folder, by its whole path, and what is wrong with them."""
    for parent in folders_above(folder / OWN):
        for name in (OWN, SHARED):
            path = parent / name
            if path.is_file():
                source, findings = read_source(path)
                if source is None:
                    return Settings(), findings
                table, findings = _table(source, name)
                if table is not None or findings:
                    return _read_table(source, table or {}, findings)
    return Settings(), []


def _table(source: Source, name: str) -> tuple[Mapping[str, Any] | None, list[Diagnostic]]:
    """Our part of a settings file; None if it has none."""
    if name == SHARED and "tool.kbrules" not in source.text:
        return None, []
    if problem := _too_large(source):
        return None, [problem]
    try:
        data: Mapping[str, Any] = tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as error:
        return None, [_unreadable(source, str(error))]
    if name == OWN:
        return data, []
    tools = data.get("tool", {})
    table = tools.get("kbrules") if isinstance(tools, dict) else None
    return (table if isinstance(table, dict) else None), []


def _too_large(source: Source) -> Diagnostic | None:
    """What would keep the parser of TOML busy: long lines, deep lists, keys of many parts."""
    for line in range(1, source.line_count + 1):
        if len(source.line_text(line)) > MAX_LINE:
            message = f"line {line} is longer than {MAX_LINE} characters"
            return Diagnostic(BAD, source.at(line, 1), message)
    if key := _DEEP_KEY.search(source.text):
        start, end = key.span()
        return Diagnostic(BAD, source.span(start, end), f"a key has at most {MAX_DEPTH} parts")
    depth = 0
    for match in _BRACKET.finditer(source.text):
        depth += (match[0] in "[{") - (match[0] in "]}")
        if depth > MAX_DEPTH:
            message = f"lists and tables are nested more than {MAX_DEPTH} deep"
            return Diagnostic(BAD, source.span(*match.span()), message)
    return None


def _unreadable(source: Source, message: str) -> Diagnostic:
    match = re.search(r"\(at line (\d+), column (\d+)\)", message)
    span = source.at(int(match[1]), int(match[2])) if match else source.span(0, 0)
    reason = message.partition(" (at")[0]
    return Diagnostic(BAD, span, f"this cannot be read as TOML: {reason[:1].lower()}{reason[1:]}")


def _read_table(
    source: Source, table: Mapping[str, Any], findings: list[Diagnostic]
) -> tuple[Settings, list[Diagnostic]]:
    """Return the settings that can be used, and every finding."""
    settings: dict[str, Any] = {}
    for key, value in table.items():
        name, span = key.replace("_", "-"), _span(source, key)
        if name not in _KEYS:
            help_ = did_you_mean(key, _KEYS, f"there is {', '.join(_KEYS)}")
            findings.append(Diagnostic(BAD, span, f"there is no setting {quoted(key)}", help_))
            continue
        settings[name.replace("-", "_")], problems = _KEYS[name](value, span)
        findings += problems
    return (Settings() if findings else Settings(**settings)), findings


def _span(source: Source, key: str) -> Span:
    start = max(source.text.find("tool.kbrules"), 0)
    pattern = re.compile(rf"^[ ]*[\"']?({re.escape(key)})\b", re.MULTILINE)
    match = pattern.search(source.text, start)
    return source.span(*match.span(1)) if match else source.span(0, 0)


Setting = tuple[Any, list[Diagnostic]]


def _codes(value: Any, span: Span) -> Setting:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        return None, [Diagnostic(BAD, span, 'this is a list of codes, as in `["KB7"]`')]
    codes, problems = codes_named(value, span)
    return codes, [Diagnostic(BAD, span, each.message, each.help) for each in problems]


def _samples(value: Any, span: Span) -> Setting:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_SAMPLES:
        return value, []
    return None, [Diagnostic(BAD, span, f"this is a number from 0 to {MOST_SAMPLES}")]


def _level(value: Any, span: Span) -> Setting:
    if value in ("error", "warning"):
        return value, []
    return None, [Diagnostic(BAD, span, 'this is `"error"` or `"warning"`')]


_KEYS: dict[str, Callable[[Any, Span], Setting]] = {
    "select": _codes,
    "ignore": _codes,
    "samples": _samples,
    "fail-level": _level,
}


# Warnings that an author knows better about: `# kb: ignore[KB703] reason` in the file itself.

_SIGN = "kb:"
_COMMENT = re.compile(r'"[^"\n]*"|(?P<comment>#[ ]*kb:[^\n]*)')
_IGNORE = re.compile(r"#[ ]*kb:\s*ignore\[(?P<names>[^\]\n]*)\](?P<reason>.*)")
_USAGE = "write `# kb: ignore[KB703] reason`"


@dataclass(slots=True)
class Suppression:
    """A comment that suppresses codes on some lines; `used` are those that had something to do."""

    span: Span
    codes: tuple[str, ...]
    names: tuple[str, ...]
    reason: str
    lines: range
    used: set[str] = field(default_factory=set)

    def covers(self, finding: Diagnostic) -> bool:
        """Whether it speaks of a finding."""
        place = finding.span
        is_here = place.source is self.span.source and place.line in self.lines
        return is_here and finding.code in self.codes


def suppressions_of(source: Source) -> list[Suppression]:
    """The suppressions in a text, rules or data, from top to bottom."""
    if _SIGN not in source.text:
        return []
    return [_suppression(source, comment) for comment in _comments(source)]


def _comments(source: Source) -> Iterator[re.Match[str]]:
    """The comments that speak to us; a `#` in a text or a drawing is none."""
    for comment in _COMMENT.finditer(source.text):
        line = source.line_text(source.position(comment.start())[0])
        if comment["comment"] is not None and not line.lstrip().startswith("|"):
            yield comment


def _suppression(source: Source, comment: re.Match[str]) -> Suppression:
    match = _IGNORE.match(comment["comment"])
    listed = match["names"].split(",") if match else ()
    names = tuple(name.strip() for name in listed if name.strip())
    codes = tuple(code for code in map(_code_of, names) if code)
    span = source.span(comment.start(), comment.start() + len(comment["comment"].rstrip()))
    reason = match["reason"].strip() if match else ""
    return Suppression(span, codes, names, reason, _lines(source, span.line))


def _code_of(name: str) -> str:
    """The code of a lint by its number or short name, or nothing."""
    if name.upper() in LINTS:
        return name.upper()
    return next((code for code in LINTS if CODES[code].slug == name.casefold()), "")


def _lines(source: Source, line: int) -> range:
    """The lines that a comment on a line speaks of."""
    if not source.line_text(line).lstrip().startswith("#"):
        return range(line, line + 1)
    lines = _code_lines(source)
    at = bisect_right(lines, line)
    return _block(source, lines[at]) if at < len(lines) else range(0)


@lru_cache(maxsize=8)
def _code_lines(source: Source) -> tuple[int, ...]:
    """The lines of a source that are neither empty nor a comment."""
    return tuple(line for line in range(1, source.line_count + 1) if _is_code_line(source, line))


@lru_cache(maxsize=64)  # many comments may stand before one block
def _block(source: Source, first: int) -> range:
    """The lines from one on to the last that is indented below it."""
    indent, last = _indent(source, first), first
    while last < source.line_count and (
        not _is_code_line(source, last + 1) or _indent(source, last + 1) > indent
    ):
        last += 1
    return range(first, last + 1)


def _is_code_line(source: Source, line: int) -> bool:
    text = source.line_text(line).strip()
    return bool(text) and not text.startswith("#")


def _indent(source: Source, line: int) -> int:
    text = source.line_text(line)
    return len(text) - len(text.lstrip())


def suppressed(
    findings: Iterable[Diagnostic], sources: Sequence[Source], run_codes: Collection[str]
) -> list[Diagnostic]:
    """The findings that no comment suppresses, and what is wrong with the comments.

    A comment without effect is reported only if its code is among those `judged`.
    """
    suppressions = [each for source in sources for each in suppressions_of(source)]
    remaining = []
    for finding in findings:
        covering = [each for each in suppressions if each.covers(finding)]
        for each in covering:
            each.used.add(finding.code)
        remaining += [] if covering else [finding]
    return [*remaining, *(found for each in suppressions for found in _problems(each, run_codes))]


def _problems(suppression: Suppression, run_codes: Collection[str]) -> Iterator[Diagnostic]:
    if not suppression.names:
        message = "this comment does not say what to ignore"
        yield Diagnostic(UNKNOWN, suppression.span, message, _USAGE)
        return
    for name in suppression.names:
        code = _code_of(name)
        if not code:
            yield _not_suppressible(suppression, name)
        elif code in run_codes and code not in suppression.used:
            yield _unused(suppression, name, code)
    if not suppression.reason:
        message, help_ = (
            "this suppression gives no reason",
            "say behind the bracket why it is meant so",
        )
        yield Diagnostic(NO_REASON, suppression.span, message, help_)


def _not_suppressible(suppression: Suppression, name: str) -> Diagnostic:
    span = _place_of(suppression, name)
    if any(name.casefold() in (code.casefold(), entry.slug) for code, entry in CODES.items()):
        message = f"{quoted(name)} cannot be suppressed"
        return Diagnostic(UNKNOWN, span, message, "only warnings can be, so mend what it finds")
    names = [*LINTS, *(CODES[code].slug for code in LINTS)]
    help_ = did_you_mean(name, names, "`kbrules explain` lists the codes")
    return Diagnostic(UNKNOWN, span, f"there is no code {quoted(name)}", help_)


def _unused(suppression: Suppression, name: str, code: str) -> Diagnostic:
    message = f"{quoted(name)} is suppressed here, but finds nothing"
    place = _place_of(suppression, name)
    fix = () if place.source.name.endswith(".yaml") else (Edit(_to_delete(suppression, place), ""),)
    return Diagnostic(UNUSED, place, message, "take it out of the comment", fix=fix)


def _to_delete(suppression: Suppression, place: Span) -> Span:
    """What goes with a name that is of no use: its comma, or the whole comment with its line."""
    text, start, end = place.source.text, place.start, place.end
    if len(suppression.names) > 1:
        comma_after = re.compile(r"\s*,\s*").match(text, end)
        comma_before = re.search(r"\s*,\s*$", text[:start])
        return place.source.span(
            comma_before.start() if comma_before and not comma_after else start,
            comma_after.end() if comma_after else end,
        )
    start, end = suppression.span.start, suppression.span.end
    blank = len(text[:start]) - len(text[:start].rstrip(" "))
    is_alone = text[: start - blank].endswith("\n") or start == blank
    return place.source.span(start - blank, end + (is_alone and end < len(text)))


def _place_of(suppression: Suppression, name: str) -> Span:
    span = suppression.span
    start = span.start + span.text.find(name)
    return span.source.span(start, start + len(name))


# The run of the selected lints over loaded rules.

IsSelected = Callable[[str], bool]


def lint_findings(
    loaded: load.Loaded,
    files: store.Files,
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
            places = [each.span for each in findings]  # what explains those that overlap it
            for each in _claimed_findings(named_subject, by_needs[needs]):
                findings += [] if any(map(each.span.overlaps, places)) else [each]
        if len(named_subject.sources) == len(subject.sources):
            # Whether a sampled finding comes is a matter of how many samples there are.
            run_codes |= {each.code for each in by_needs["boards"]}
    sources = [*subject.sources, *uses.translated_sources(subject)]
    findings = suppressed(findings, sources, run_codes)
    yield from (finding for finding in findings if finding.code in selection.codes)


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
