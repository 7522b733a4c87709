"""The examples of the codes, tried for real: what an author would have written, and what we say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from kbrules.diagnostics import Diagnostic
from kbrules.messages import FOLDER, Code, Example, File
from kbrules.tools.authoring.check import FileChecker

if TYPE_CHECKING:
    from kbrules.tools.authoring.lint.selection import LintSelection

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
        findings = FileChecker().check([Path()], lints=_lints(code)).all
        return findings or (list(_scenario_findings()) if Path("scenarios").exists() else [])


def _lints(code: Code | None) -> LintSelection | None:
    if code is None or code.severity == "error":
        return None
    from kbrules.tools.authoring.lint.registry import LINTS
    from kbrules.tools.authoring.lint.selection import LintSelection, warnings

    needs = {name: lint.needs for name, lint in LINTS.items()}
    need = needs.get(code.code, "text")
    names = frozenset(name for name in warnings() if needs.get(name, need) == need)
    return LintSelection(names, _SAMPLES)


def _scenario_findings() -> Iterator[Diagnostic]:
    from kbrules.scenario.collection import collect

    for case in collect([Path("scenarios")]):
        yield from case.run().diagnostics


def _mutation_findings(only: str) -> list[Diagnostic]:
    """The faults of one rule file that no test notices, and what is wrong with the list of them."""
    from kbrules.tools.checking.testing import Request
    from kbrules.tools.mutation.run import MutationJob, findings, mutate

    result, problems = mutate(MutationJob(Request((Path(),), only=only), searches=False))
    return problems if result is None else findings(result)


def _log_findings(path: Path) -> list[Diagnostic]:
    from kbrules.engine.logs.reading import read_log
    from kbrules.engine.logs.replay import replay
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
