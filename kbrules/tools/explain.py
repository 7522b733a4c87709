"""The page of a code for a terminal: what it means, and its examples, tried for real."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import chdir, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import wrap
from typing import TYPE_CHECKING

from kbrules.diagnostics import Diagnostic
from kbrules.messages import CODES, FOLDER, Code, Example, File
from kbrules.project.project import Project
from kbrules.text import visible
from kbrules.tools.check import checked
from kbrules.tools.reports.data import Data, Part
from kbrules.tools.reports.report import Findings, Report

if TYPE_CHECKING:
    from kbrules.tools.lint.run import LintSettings


# The examples of the codes, tried for real: what an author would have written, and what we say.


_SAMPLES = 60  # positions that show what an example is to show
_TIMES = re.compile(r" with this line ([\d,]+) times")


def game_files(game: str) -> dict[str, str]:
    """Return the files of a small game that examples are added to, by their names in its folder."""
    folder = FOLDER / "games" / game
    paths = sorted(path for path in folder.rglob("*") if path.suffix in (".kb", ".yaml"))
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in paths}


@contextmanager
def example_folder(example: Example) -> Iterator[Path]:
    """The current folder, for a while, as the author of an example would have it."""
    with TemporaryDirectory(prefix="kbrules-") as top:
        (Path(top) / "elsewhere.kb").write_bytes(b"# not yours\n")
        folder = Path(top) / "dale"
        folder.mkdir()
        with chdir(folder):
            for name, text in game_files(example.game).items() if example.game else ():
                _write(File(name, "", text))
            for file in example.files:
                _write(file)
            yield folder


def _write(file: File) -> None:
    """Write a file of an example as the words behind its name say."""
    path = Path(file.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    match file.note:
        case "":
            path.write_bytes(file.text.encode())
        case " with these lines added":
            path.write_bytes(path.read_bytes() + file.text.encode())
        case " written in Latin-1":
            path.write_bytes(file.text.encode("latin-1"))
        case ", a link to":
            path.symlink_to(file.text.strip())
        case ", the log of a game, with these changes" | ", the log of a game, unchanged":
            path.write_bytes(_changed(played_log(), file.text).encode())
        case note:
            times = _TIMES.fullmatch(note)
            assert times is not None, f"unknown words behind the name of a file: {note}"
            path.write_bytes(file.text.encode() * int(times[1].replace(",", "")))


def findings_of(example: Example, code: Code | None = None) -> list[Diagnostic]:
    """What we say about an example without commands, which is there for a code.

    What is there to show an error is not warned of, and where a warning is shown, lints that
    look at other things than its own keep silent.
    """
    with example_folder(example):
        if Path("game.kblog").exists():
            return _log_findings(Path("game.kblog"))
        if Path("mutants.yaml").exists():
            return _mutation_findings("rules/near.kb")
        findings = checked(Project([Path()]), _lints(code)).all
        if findings or not Path("scenarios").exists():
            return findings
        cases = Project([Path("scenarios")]).cases()
        return [finding for case in cases for finding in case.run().diagnostics]


def _lints(code: Code | None) -> LintSettings | None:
    if code is None or code.severity == "error":
        return None
    from kbrules.tools.lint.run import LintSettings, warnings
    from kbrules.tools.lint.subject import LINTS

    needs = {name: lint.needs for name, lint in LINTS.items()}
    need = needs.get(code.code, "text")
    names = frozenset(name for name in warnings() if needs.get(name, need) == need)
    return LintSettings(names, samples=_SAMPLES, is_isolated=True)


def _mutation_findings(only: str) -> list[Diagnostic]:
    """The faults of one rule file that no test notices, and what is wrong with the list of them."""
    from kbrules.tools.mutation.run import MutationJob, findings, mutate
    from kbrules.tools.testing import Request

    result, problems = mutate(MutationJob(Request((Path(),), only=only), searches=False))
    return problems if result is None else findings(result)


def _log_findings(path: Path) -> list[Diagnostic]:
    from kbrules.engine.logs.replay import read_log, replay
    from kbrules.library.load import load_all

    log, findings = read_log(path)
    ruleset = load_all([], [Path()]).ruleset
    if log is None or ruleset is None:
        return findings
    return [*findings, *replay(ruleset, log).findings]


def _changed(text: str, change: str) -> str:
    """A text with what stands behind `- ` replaced, once, by what stands behind `+ `."""
    lines = [line for line in change.splitlines() if line.startswith(("- ", "+ "))]
    for old, new in zip(lines[::2], lines[1::2], strict=True):
        text = text.replace(old[2:], new[2:], 1)
    return text


def played_log() -> str:
    """The log of a short game in the current folder."""
    from kbrules.engine.logs.writing import MatchInfo, Recorder
    from kbrules.engine.setup import choose_table, game_at
    from kbrules.library.load import load

    ruleset = load(folders=[Path()])
    table = choose_table(ruleset, 2, 1)
    game = game_at(ruleset, table)
    state = game.start()
    recorder = Recorder(game, state, MatchInfo(table, 1))
    while not state.is_over:
        moves = game.legal_moves(state)
        move = next(iter(moves))
        transition = game.play(state, move, recorder.watch)
        recorder.add(moves.player, move, transition)
        state = transition.state
    recorder.close(state)
    return "".join(recorder.lines)


WIDTH = 78
_MAX_LINES = 14  # lines shown of an example
_MAX_COLUMNS = 100  # characters shown of one of its lines


def code_named(name: str) -> Code | None:
    """The code of that number or short name, however its letters are written."""
    key = name.strip().lower()
    return next((each for each in CODES.values() if key in (each.code.lower(), each.slug)), None)


class PageData(Part):
    """A page about a code or a word."""

    kind: str
    """`code`, or the kind of word."""
    id: str
    """The code, or the word."""
    title: str = ""
    """What the code means, in a line."""
    severity: str = ""
    """Of a code: `error` or `warning`."""
    text: str = ""
    """The page as a terminal shows it; empty in a list."""


class ExplainData(Data):
    """What `kbrules explain` prints: the requested pages, or a list of all codes."""

    pages: tuple[PageData, ...]


def explain_report(text: str, pages: Sequence[PageData]) -> Report:
    """Return the report of pages; `text` is what people read."""
    return Report("Explained", [Findings((text,))], ExplainData(pages=tuple(pages)))


def page_data(code: Code, text: str = "") -> PageData:
    """Return the page of a code as data."""
    return PageData(kind="code", id=code.code, title=code.title, severity=code.severity, text=text)


def list_of_codes() -> str:
    """Every code on a line of its own."""
    width = max(len(code.slug) for code in CODES.values())
    lines = [f"{code.code}  {code.slug:<{width}}  {code.title}" for code in CODES.values()]
    return "\n".join(lines)


def code_page(code: Code, answer: str) -> str:
    """The page of a code; `answer` is what we answer to its wrong example."""
    lines = [f"{code.code} {code.slug}", f"{code.title[0].upper()}{code.title[1:]}.", ""]
    lines += wrap(code.explanation, WIDTH)
    lines += [line for text in notes_of(code) for line in ("", *wrap(text, WIDTH))]
    if code.wrong != Example():
        lines += ["", "This is wrong:", "", _example(code.wrong), "", "It is told like this:", ""]
        lines += [f"    {line}".rstrip() for line in answer.split("\n")]
        lines += ["", "This is right:", "", _example(code.right)]
    return "\n".join(lines)


_CLAIMS = {
    "exact": "It is a warning, and exact: what it says holds wherever the rules are played.",
    "sampled": "It is a warning, and sampled: it holds in all positions that were looked at, "
    "and it says how many those were.",
}


def notes_of(code: Code) -> Iterator[str]:
    """How sure a warning is, and what can be done about it without the author."""
    if code.severity == "warning":
        yield _CLAIMS.get(code.claim, "It is a warning.")
    if code.fix:
        yield f"`kbrules check --fix` mends it: {code.fix}"


def _example(example: Example) -> str:
    parts = [_file(file) for file in example.files]
    if example.commands:
        parts.append(f"    kbrules {line}" for line in example.commands)
    return "\n\n".join(map("\n".join, parts))


def _file(file: File) -> Iterator[str]:
    yield f"    # {file.name}{file.note}"
    lines = file.text.rstrip("\n").split("\n")
    for line in lines[:_MAX_LINES]:
        yield f"    {_cut(visible(line))}".rstrip()
    if len(lines) > _MAX_LINES:
        yield f"    ... and {len(lines) - _MAX_LINES} more lines"


def _cut(line: str) -> str:
    return line if len(line) <= _MAX_COLUMNS else f"{line[: _MAX_COLUMNS - 3]}..."
