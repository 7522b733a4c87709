"""What reads a file of each kind, as the commands do; the findings are all it has to say."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir, closing, suppress
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from zlib import crc32

from kbrules.diagnostics import Diagnostic
from kbrules.engine.logs.replay import is_unfinished, read_log, replay, unfinished_of
from kbrules.game.moves import AmbiguousMove, InvalidMove, read_move
from kbrules.game.state import State
from kbrules.lang.formatting import formatted
from kbrules.lang.syntax.parse import parse
from kbrules.library.box import shipped_boxes
from kbrules.library.load import check_all, load_with_dependencies
from kbrules.library.reading import read_source
from kbrules.library.ruleset import Ruleset
from kbrules.library.store import Files
from kbrules.library.texts import texts_of
from kbrules.project.project import Project
from kbrules.scenario.collection import selector
from kbrules.text import Source, Span
from kbrules.tools.balance import balance_report
from kbrules.tools.check import CheckResult, checked
from kbrules.tools.lint.fixing import Fixer
from kbrules.tools.lint.run import LINTS, LintSettings, settings_of, warnings
from kbrules.tools.lock import differences_from
from kbrules.tools.mutation.run import read_accepted
from kbrules.tools.reports.page import as_picture
from kbrules.tools.simulate.report import answer_in_file, simulation_report
from kbrules.tools.simulate.results_file import Store, UnusableFile
from kbrules.tools.testing import Request, collected_results
from kbrules.tools.texts import stamp_texts, texts_states
from kbrules.tools.why.questions import read_question
from tests.engine.games import logged
from tests.fuzz.seeds import Seed

TEXT = frozenset(code for code in warnings() if code not in LINTS or LINTS[code].needs == "text")
DEEPLY = 8
"""One file in so many is also played, sampled and mended; the bytes of a file decide."""
MAX_CACHED = 200
"""After so many files the boards and games that they made are forgotten."""

Reader = Callable[[Seed, bytes], Iterator[Diagnostic]]


def findings_of(seed: Seed, data: bytes) -> list[Diagnostic]:
    """Everything that is said of these bytes in the place of a seed, in the current folder."""
    return [*READERS[seed.kind](seed, data)]


def _written(seed: Seed, data: bytes) -> Path:
    """The folder of the seed in the current folder, and in it the bytes; the path of the file."""
    for path, text in seed.other_files.items():
        other = Path(seed.folder) / path
        other.parent.mkdir(parents=True, exist_ok=True)
        other.write_text(text, encoding="utf-8")
    file = Path(seed.folder) / seed.path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return file


def _in_folder(seed: Seed, data: bytes) -> Iterator[Diagnostic]:
    """Checked and tested; formatted where it is rules."""
    file, folder = _written(seed, data), Path(seed.folder)
    deeply = crc32(data) % DEEPLY == 0
    lints = (
        LintSettings(frozenset(warnings()), samples=2, is_isolated=True)
        if deeply
        else LintSettings(TEXT, is_isolated=True)
    )

    def check(project: Project) -> CheckResult:
        return checked(project, lints)

    project = Project([folder])
    report = check(project)
    yield from report.all
    found = collected_results(Project([folder]).cases(), Request())
    yield from (*found.findings, *(e for r in found.results for e in r.outcome.diagnostics))
    if deeply and any(finding.fix for finding in report.findings):
        fixer = Fixer(project, check)
        yield from fixer.run().all
        for changed in fixer.changed():
            assert not parse(Source(str(changed.path), changed.after))[1], "a fix broke a file"
    if seed.kind == "rules":
        formats(file)


def formats(file: Path) -> None:
    """A rule file that can be read can still be read when formatted, and is then left alone."""
    source, _ = read_source(file)
    if source is None or parse(source)[1]:
        return
    once = formatted(source)
    assert not parse(Source("once", once))[1], "what fmt writes cannot be read"
    assert formatted(Source("once", once)) == once, "fmt changes what it wrote itself"


class _KnownFiles:
    """Files with the rule sets of shipped boxes, which are slow to make."""

    def __init__(self) -> None:
        self._asked, self._files = 0, Files()

    def get(self) -> Files:
        """Those of before, or new ones after many files."""
        self._asked += 1
        if self._asked % MAX_CACHED == 0:
            self._files = Files()
        return self._files


FILES = _KnownFiles()


def _scenarios(seed: Seed, data: bytes) -> Iterator[Diagnostic]:
    if seed.other_files:
        yield from _in_folder(seed, data)
        return
    found = collected_results(Project([_written(seed, data)], files=FILES.get()).cases(), Request())
    yield from (*found.findings, *(e for r in found.results for e in r.outcome.diagnostics))


@lru_cache(maxsize=32)
def _rules(boxes: tuple[str, ...]) -> tuple[Ruleset | None, list[Diagnostic]]:
    return check_all(boxes, ())


def _logs(seed: Seed, data: bytes) -> Iterator[Diagnostic]:
    file = _written(seed, data)
    is_unfinished(file)
    log, found = read_log(file)
    yield from found
    if log is None:
        return
    boxes = tuple(box for box in log.header.data["boxes"] if box in shipped_boxes())
    ruleset, problems = _rules(boxes)
    yield from problems
    if ruleset is not None and not problems:
        replayed = replay(ruleset, log)
        yield from replayed.findings
        if not replayed.findings and log.is_broken_off:
            assert unfinished_of(log, replayed).moves == replayed.logged


def _settings(seed: Seed, data: bytes) -> Iterator[Diagnostic]:
    file = _written(seed, data)
    with chdir(file.parent):
        yield from settings_of(Path.cwd())[1]
    file.unlink()  # the other name would be looked for in vain


def _survivors(seed: Seed, data: bytes) -> Iterator[Diagnostic]:
    _written(seed, data)
    yield from read_accepted([Path(seed.folder)])[1]


@cache
def _positions() -> tuple[State, ...]:
    """The start, the middle and the end of a game."""
    game = logged(7)
    states = [game.start, *(each.transition.state for each in game.played)]
    return states[0], states[len(states) // 2], states[-1]


def _moves(seed: Seed, data: bytes) -> Iterator[Diagnostic]:
    """What is typed at a table, asked of a position, or given to `-k`."""
    text, game = data.decode("utf-8", "surrogateescape"), logged(7).game
    for state in _positions():
        asked = read_question(game, state, text.split())
        if isinstance(asked, Diagnostic):
            yield asked
        try:
            move = read_move(text, game.board, game.legal_moves(state))
        except (InvalidMove, AmbiguousMove) as refused:
            yield Diagnostic(refused.code, Span.none("move"), str(refused))
            continue
        if move not in game.legal_moves(state):
            assert game.explain(state, move).reasons, "refused without a reason"
    try:
        selector(text)("any name")
    except ValueError as refused:
        yield Diagnostic("KB009", Span.none("-k"), str(refused))


def _games(seed: Seed, data: bytes) -> Iterator[Diagnostic]:
    """A file of games made by these statements, as far as they can be carried out, and shown."""
    path = _written(seed, b"")
    with closing(sqlite3.connect(path)) as db:
        for statement in data.decode("utf-8", "replace").split(";\n"):
            with suppress(sqlite3.Error, sqlite3.Warning, ValueError, UnicodeError):
                db.execute(statement)
        db.commit()
    path.write_bytes(_flipped(path.read_bytes(), crc32(data)))
    try:
        with Store(path) as store:
            if store.done:
                answer = answer_in_file(store)
                of_card = bool(answer.question.beside)
                report = balance_report(answer) if of_card else simulation_report(answer)
                assert str(report) and as_picture(report)
    except UnusableFile as refused:
        yield Diagnostic(refused.code, Span.none("games"), str(refused), refused.help)


def _flipped(data: bytes, number: int) -> bytes:
    """The bytes of a file, with a bit of it flipped for one file in three."""
    if number % 3 or not data:
        return data
    random = Random(number)
    at = random.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]


def _texts(seed: Seed, data: bytes) -> Iterator[Diagnostic]:
    """Checked, laid over the box, and stamped, which changes nothing but the stamps."""
    file, folder = _written(seed, data), Path(seed.folder)
    yield from checked(Project([folder]), LintSettings(TEXT, is_isolated=True)).all
    yield from load_with_dependencies([], [folder], files=Files("de")).findings
    files = Files()
    for state in texts_states(files, load_with_dependencies([], [folder], files=files)):
        if state.path.resolve() == file.resolve():  # those of the boxes it needs are not ours
            before = _all_but_stamps(file)
            with suppress(ValueError):
                stamp_texts(state)
            assert _all_but_stamps(file) == before, "a stamp changed a text"
    file.unlink()


def _all_but_stamps(file: Path) -> object:
    texts, _ = texts_of(*read_source(file))
    assert texts is not None
    return texts.model.model_copy(update={"stamps": {}})


def _locks(seed: Seed, data: bytes) -> Iterator[Diagnostic]:
    yield from differences_from(_written(seed, data), Project())


READERS: Mapping[str, Reader] = {
    "rules": _in_folder,
    "boxes": _in_folder,
    "scenarios": _scenarios,
    "logs": _logs,
    "settings": _settings,
    "survivors": _survivors,
    "moves": _moves,
    "games": _games,
    "texts": _texts,
    "locks": _locks,
}
