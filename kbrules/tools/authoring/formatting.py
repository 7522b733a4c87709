"""Rule files written anew in their one canonical style."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kbrules.diagnostics import Diagnostic
from kbrules.engine.logs.files import write_whole
from kbrules.lang.comments import formatted
from kbrules.lang.parse import parse
from kbrules.library.reading import read_source
from kbrules.text import Source
from kbrules.tools.authoring.paths import asked

__all__ = ["Rewritten", "difference", "rewrite", "rewritten", "rewritten_text"]


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A rule file as it is and as it should be; `findings` say why it cannot be written anew."""

    path: Path
    before: str
    after: str
    findings: tuple[Diagnostic, ...] = ()

    @property
    def changes(self) -> bool:
        """Whether writing it would change it."""
        return not self.findings and self.before != self.after


def rewritten(paths: Sequence[Path]) -> Iterator[Rewritten]:
    """Every rule file that paths name, or that lies below the current folder."""
    wanted = asked(paths or [Path()])
    for problem in wanted.problems:
        yield Rewritten(Path(problem.span.source.name), "", "", (problem,))
    for path in wanted.rules.values():
        source, findings = read_source(path)
        if source is None:
            yield Rewritten(path, "", "", tuple(findings))
        else:
            yield rewritten_text(source, path)


def rewritten_text(source: Source, path: Path) -> Rewritten:
    """A rule text; with what is wrong with it if it cannot be read."""
    _, findings = parse(source)
    if findings:
        return Rewritten(path, source.text, source.text, tuple(findings))
    return Rewritten(path, _bytes(path, source.text), formatted(source))


def _bytes(path: Path, text: str) -> str:
    """The text as it stands in the file, line ends and all; what was read if there is no file."""
    return path.read_bytes().decode("utf-8") if path.is_file() else text


def rewrite(files: Iterable[Rewritten]) -> None:
    """Write those files anew that change, each as a whole or not at all; OSError if it cannot."""
    for file in files:
        if file.changes:
            write_whole(file.path, [file.after])


def difference(file: Rewritten, how: str = "formatted") -> str:
    """What would change, as a unified diff; `how` says what the file would then be."""
    before, after = file.before.splitlines(keepends=True), file.after.splitlines(keepends=True)
    name = file.path.as_posix()
    return "".join(difflib.unified_diff(before, after, name, f"{name} ({how})"))
