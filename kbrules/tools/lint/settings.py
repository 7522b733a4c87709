"""What a folder says about checking: `kbrules.toml`, or `[tool.kbrules]` in `pyproject.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kbrules.diagnostics import Diagnostic, did_you_mean, quoted
from kbrules.library.reading import folders_above, is_shipped, read_source
from kbrules.messages import Severity
from kbrules.text import Source, Span
from kbrules.tools.lint import run
from kbrules.tools.lint.subject import never_cancelled

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

    def of(self, file: Path) -> run.LintSelection:
        """Return the warnings that are wanted of a file."""
        settings, _ = self._settings(file)
        selected = self.select or settings.select or frozenset(run.warnings())
        samples = settings.samples if self.samples is None else self.samples
        selection = run.LintSelection(
            selected - self.ignore - settings.ignore,
            run.SAMPLES if samples is None else samples,
            self.check_cancelled,
        )
        return run.quick(selection) if self.is_quick else selection

    @property
    def may_play(self) -> bool:
        """Return whether the command leaves lints in that play."""
        chosen = run.LintSelection((self.select or frozenset(run.warnings())) - self.ignore)
        return run.quick(chosen) != chosen

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
    codes, problems = run.codes_named(value, span)
    return codes, [Diagnostic(BAD, span, each.message, each.help) for each in problems]


def _samples(value: Any, span: Span) -> Setting:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= run.MOST_SAMPLES:
        return value, []
    return None, [Diagnostic(BAD, span, f"this is a number from 0 to {run.MOST_SAMPLES}")]


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
