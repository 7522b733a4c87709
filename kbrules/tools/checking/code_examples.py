"""The examples of the codes, tried for real: what an author would have written, and what we say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from kbrules.codes import small_game, tile_game
from kbrules.codes.entry import Code, Example
from kbrules.diagnostics import Diagnostic
from kbrules.tools.authoring.check import FileChecker

if TYPE_CHECKING:
    from kbrules.tools.authoring.lint.selection import LintSelection

FILES = {
    "rules": "rules/near.kb",
    "bytes": "rules/near.kb",
    "link": "rules/near.kb",
    "expansion": "expansion.yaml",
    "scenario": "scenarios/first.scenario.yaml",
    "log": "game.kblog",
    "mutants": "mutants.yaml",
}
"""The file that holds the text of an example, by its kind."""

_GAMES = {"dale": small_game.FOLDER, "moor": tile_game.FOLDER}
_LOG = "log"
_SAMPLES = 60  # positions that show what an example is to show


@contextmanager
def example_folder(example: Example) -> Iterator[Path]:
    """The current folder, for a while, as the author of an example would have it."""
    with TemporaryDirectory(prefix="kbrules-") as top:
        folder = Path(top) / "dale"
        _write(Path(top) / "elsewhere.kb", b"# not yours\n")
        is_box = example.kind == "expansion"
        _write_all(folder, {"expansion.yaml": small_game.HEAD} if is_box else _GAMES[example.game])
        with chdir(folder):
            if example.kind == _LOG:
                _write(Path(FILES[_LOG]), _changed(played_log(), example.text).encode())
            _write_all(folder, dict(example.beside))
            _write_example(example)
            yield folder


def _write_all(folder: Path, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        _write(folder / name, text.encode())


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _write_example(example: Example) -> None:
    match example.kind:
        case "arguments" | "none" | "log":
            return
        case "link":
            Path(FILES["link"]).symlink_to(example.text)
        case "bytes":
            _write(Path(FILES["bytes"]), example.text.encode("latin-1"))
        case kind:
            _write(Path(FILES[kind]), example.text.encode())


def findings_of(example: Example, code: Code | None = None) -> list[Diagnostic]:
    """What we say about an example of any kind but a command line, which is there for a code.

    What is there to show an error is not warned of, and where a warning is shown, lints that
    look at other things than its own keep silent.
    """
    with example_folder(example):
        if example.kind == _LOG:
            return _log_findings(Path(FILES[_LOG]))
        if example.kind == "mutants":
            return _mutation_findings(FILES["rules"])
        findings = FileChecker().check([Path()], lints=_lints(code)).all
        return findings or list(_scenario_findings()) if example.kind == "scenario" else findings


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
    from kbrules.scenario.running.collect import collect

    for case in collect([Path("scenarios")]):
        yield from case.run().diagnostics


def _mutation_findings(only: str) -> list[Diagnostic]:
    """The faults of one rule file that no test notices, and what is wrong with the list of them."""
    from kbrules.tools.checking.mutation.report import findings
    from kbrules.tools.checking.mutation.run import MutationJob, mutate
    from kbrules.tools.checking.testing import Request

    result, problems = mutate(MutationJob(Request((Path(),), only=only), searches=False))
    return problems if result is None else findings(result)


def _log_findings(path: Path) -> list[Diagnostic]:
    from kbrules.engine.logs.reader import read_log
    from kbrules.engine.logs.replay import replay
    from kbrules.library.load import load_all

    log, findings = read_log(path)
    ruleset = load_all([], [Path()]).ruleset
    if log is None or ruleset is None:
        return findings
    return [*findings, *replay(ruleset, log).findings]


def _changed(text: str, change: str) -> str:
    """A text with what stands behind `- ` replaced, once, by what stands behind `+ `."""
    lines = change.splitlines()
    for old, new in zip(lines[::2], lines[1::2], strict=True):
        text = text.replace(old[2:], new[2:], 1)
    return text


def played_log() -> str:
    """The log of a short game in the current folder."""
    from kbrules.engine.logs.writer import MatchInfo, Recorder
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
