"""Checking files: what is asked for, loaded with what it needs, and every finding in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kbrules.diagnostics import Diagnostic
from kbrules.library.boxes import shipped_in, usual_boxes
from kbrules.library.files import Files
from kbrules.library.load import Loaded, read_all
from kbrules.library.needs import needed
from kbrules.tools.asked import Asked, asked, home_of, is_shipped
from kbrules.tools.examples import in_examples, in_scenarios

__all__ = ["Checker", "Report"]


@dataclass(frozen=True, slots=True)
class Report:
    """How many files were checked, what is wrong with them, and what could not be checked."""

    files: int
    findings: tuple[Diagnostic, ...]
    problems: tuple[Diagnostic, ...] = ()

    @property
    def all(self) -> list[Diagnostic]:
        """Problems and findings together, sorted by place."""
        return sorted((*self.problems, *self.findings))

    @property
    def exit_code(self) -> int:
        """0 if all is well, 1 with findings, 2 if something could not be checked."""
        return 2 if self.problems else min(1, len(self.findings))

    @property
    def summary(self) -> str:
        """All of it in one line."""
        if not self.all:
            return f"all good: {_count(self.files, 'file')}"
        names = {finding.span.source.name for finding in self.all}
        return f"{_count(len(self.all), 'finding')} in {_count(len(names), 'file')}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


class Checker:
    """Checks files, and does not read again what has not changed since it last did."""

    def __init__(self) -> None:
        self._files = Files()

    def check(
        self,
        paths: Sequence[Path] = (),
        boxes: Sequence[str] = (),
        folders: Sequence[Path] = (),
    ) -> Report:
        """Everything that is wrong with files and folders; without a path, with all there is.

        A file is checked beside its folder, what that needs, and the boxes and folders given.
        """
        wanted = asked(paths)
        findings = _Checking(self._files, wanted, boxes, folders).findings()
        return Report(len(wanted.all()), tuple(findings), tuple(sorted(wanted.problems)))

    def recheck(self, path: Path) -> Report:
        """What is wrong with one file now."""
        return self.check([path])


@dataclass(slots=True)
class _Checking:
    """One run: the files asked for, in as many loads as they have homes."""

    files: Files
    wanted: Asked
    boxes: Sequence[str]
    folders: Sequence[Path]
    _asked: dict[str, bool] = field(default_factory=dict)

    def findings(self) -> list[Diagnostic]:
        """All that is wrong with what was asked for, each once."""
        found = [*self._in_rules()]
        if self.wanted.scenarios:
            found += in_scenarios(list(self.wanted.scenarios.values()), self.boxes, self.folders)
        return sorted({_key(each): each for each in found}.values())

    def _in_rules(self) -> Iterator[Diagnostic]:
        for loaded in self._loads():
            blocking = {id(each) for each in loaded.blocking}
            for finding in (*loaded.findings, *in_examples(loaded, self._is_asked)):
                if id(finding) in blocking or self._concerns(finding):
                    yield finding

    def _loads(self) -> Iterator[Loaded]:
        """Everything that has to be loaded to judge the files."""
        own = [*self.wanted.rules.values(), *self.wanted.boxes.values()]
        if any(is_shipped(file) for file in own):
            yield read_all(usual_boxes(), self.folders, files=self.files)
        for box in sorted({shipped_in(file) for file in own if is_shipped(file)} - {*_together()}):
            boxes = needed(self.files, [box], self.folders)
            yield read_all(boxes, self.folders, files=self.files)
        homes = {file: home_of(file) for file in own if not is_shipped(file)}
        for home in dict.fromkeys(home for home in homes.values() if home is not None):
            known = home.resolve() in [folder.resolve() for folder in self.folders]
            folders = [*self.folders] if known else [home, *self.folders]
            boxes = needed(self.files, self.boxes, folders)
            yield read_all(boxes, folders, files=self.files)
        for file in (file for file, home in homes.items() if home is None):
            yield read_all(usual_boxes(), self.folders, [self.files.rules(file)], self.files)

    def _concerns(self, finding: Diagnostic) -> bool:
        """Whether a finding is in a file that was asked for, or speaks of one."""
        places = [finding.span, *(label.span for label in finding.labels)]
        return any(self._is_asked(place.source.name) for place in places)

    def _is_asked(self, name: str) -> bool:
        if name not in self._asked:
            self._asked[name] = Path(name).resolve() in self.wanted.all()
        return self._asked[name]


def _together() -> list[str]:
    """The boxes that are checked in one load; the others are checked with what they need."""
    return ["", *usual_boxes()]


def _key(finding: Diagnostic) -> tuple[str, str, int, str]:
    return finding.span.source.name, finding.code, finding.span.start, finding.message
