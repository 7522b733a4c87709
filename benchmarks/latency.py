"""What people wait for: single calls, new processes, checks, answers while typing, large boxes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from itertools import permutations
from math import ceil
from pathlib import Path
from random import Random
from statistics import mean, median
from tempfile import TemporaryDirectory

from benchmarks.games import BASE, boxes, games_of, last_state
from benchmarks.measurement import NO_KERNEL, ROUNDS, Absent, Goal, Row, cpu_seconds, seconds
from kbrules.engine.configuration import NATIVE
from kbrules.engine.game import Game
from kbrules.engine.setup import choose_table, game_at
from kbrules.engine.simulation.kernels import kernel_of
from kbrules.game.board import HexKind
from kbrules.game.state import State, draft_of
from kbrules.library.load import load
from kbrules.library.reading import data_root
from kbrules.project.project import Project
from kbrules.tools.check import checked
from kbrules.tools.language_service.completing import complete
from kbrules.tools.language_service.workspace import Workspace
from kbrules.tools.lint.run import LintSettings, warnings

# Single calls

PLAYERS = 4
Place = tuple[Game, State]


def call_rows() -> Iterator[Row]:
    """Yield microseconds of single calls, and milliseconds to prepare a table."""
    places = [(game, last_state(game)) for game in games_of(boxes(*BASE), PLAYERS)]
    copy = _microseconds(places, lambda place: partial(draft_of, place[1]), 2000)
    yield Row("a copy of a state", copy, "us", Goal(1, is_most=True))
    totals = _microseconds(places, lambda place: partial(place[0].totals, place[1]), 200)
    yield Row("final scoring, four players, three cards", totals, "us", Goal(30, is_most=True))
    sheet = _microseconds(places, lambda place: partial(place[0].score, place[1]), 20)
    yield Row("the same with every hex that earned it", sheet, "us")
    for what, use in (("the first move", _first_move), ("the first playout", _first_playout)):
        name = f"a configuration compiled, up to {what}"
        yield Row(name, 1000 * _seconds_to_prepare(use), "ms", Goal(20, is_most=True))


def _microseconds(
    places: Sequence[Place], call_at: Callable[[Place], Callable[[], object]], n: int
) -> float:
    """Return microseconds of a call: the mean over places, the median over rounds."""
    calls = [call_at(place) for place in places]
    return 1e6 * median(mean(seconds(call, n) for call in calls) for _ in range(ROUNDS))


def _seconds_to_prepare(use: Callable[[Game], object]) -> float:
    """Return seconds until a table of a rule set just read can be used, with nothing cached."""
    times = []
    for seed in range(ROUNDS):
        ruleset = load(*BASE)
        table = choose_table(ruleset, 2, seed)
        times.append(seconds(lambda: use(game_at(ruleset, table))))  # noqa: B023 (done at once)
    return median(times)


def _first_move(game: Game) -> object:
    state = game.start()
    while (moves := game.legal_moves(state)).weights:
        state = game.apply(state, next(iter(moves)))
    return game.apply(state, next(iter(moves)))


def _first_playout(game: Game) -> object:
    return game.playout(0)


# New processes: a command from start to end, and native kernels, cold and cached

STARTS = {
    "`kbrules check` of everything shipped": (("-m", "kbrules", "check"), 0.6),
    "`kbrules --help`": (("-m", "kbrules", "--help"), 0.25),
    "`import kbrules`": (("-c", "import kbrules"), 0.1),
}
"""What is started, its arguments, and the seconds it may take."""


def start_rows() -> Iterator[Row]:
    """Yield CPU seconds of the processes, in turns; on an idle machine that is the wait."""
    seconds_of: dict[str, list[float]] = {what: [] for what in STARTS}
    for _ in range(1 + ROUNDS):
        for what, (arguments, _most) in STARTS.items():
            seconds_of[what].append(_seconds_of_start(arguments))
    for what, (_words, most) in STARTS.items():
        yield Row(f"cold {what}", median(seconds_of[what][1:]), "s", Goal(most, is_most=True))


def _seconds_of_start(arguments: tuple[str, ...]) -> float:
    # A program that may not keep what it compiled would be compiled at every start.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    before = cpu_seconds()
    subprocess.run([sys.executable, *arguments], capture_output=True, check=False, env=environment)
    return cpu_seconds() - before


REPETITIONS = 3
KERNELS = (
    ("base game", BASE, Goal(5.9, 3, is_most=True), Goal(1.3, 0.2, is_most=True)),
    ("all boxes", (), Goal(23, 10, is_most=True), Goal(1.7, 0.2, is_most=True)),
)
"""What is loaded, and the goals of a kernel compiled and of one read from the cache."""
BUILD_CODE = """
from benchmarks.latency import seconds_to_build
print(seconds_to_build({names}))
"""


def kernel_rows() -> Iterator[Row | Absent]:
    """Yield CPU seconds in separate processes, the first of them with an empty cache."""
    for what, names, cold, cached in KERNELS:
        if not find_spec("numba"):
            yield Absent(f"native kernel made cold, {what}", NO_KERNEL)
            continue
        with TemporaryDirectory() as cache:
            times = [_seconds_in_process(names, cache) for _ in range(1 + REPETITIONS)]
        yield Row(f"native kernel made cold, {what}", times[0], "s", cold)
        yield Row("the same from the cache", median(times[1:]), "s", cached)


def seconds_to_build(*names: str) -> float:
    """Return CPU seconds to build a native kernel for some boxes; call it once in a process."""
    return seconds(partial(kernel_of, games_of(boxes(*names), 2, 1)[0], NATIVE))


def _seconds_in_process(names: tuple[str, ...], cache: str) -> float:
    code = BUILD_CODE.format(names=", ".join(map(repr, names)))
    command, env = [sys.executable, "-c", code], {**os.environ, "XDG_CACHE_HOME": cache}
    process = subprocess.run(command, capture_output=True, check=True, env=env, text=True)
    return float(process.stdout)


# What an author waits for: a warm check, scenarios, and each answer while typing

SUITE = (data_root("rules"), Path("tests/scenarios"))
"""What `make run` tests: the examples of the rules and, in a checkout, the scenarios."""


def check_rows() -> Iterator[Row]:
    """Yield milliseconds of a check, and scenarios per second."""
    file = next(iter(sorted(data_root("rules").rglob("*.kb"))))
    project = Project([file])
    checked(project)
    recheck = median(seconds(lambda: checked(project.refreshed())) for _ in range(ROUNDS))
    yield Row("warm check of one rule file", 1000 * recheck, "ms", Goal(50, is_most=True))
    items = list(Project([path for path in SUITE if path.is_dir()]).cases())
    for item in items:
        item.run()
    suite = median(seconds(lambda: [item.run() for item in items]) for _ in range(3))
    yield Row("scenarios and examples", len(items) / suite, "per s", Goal(1000))


CARDS, EDITED_TIMES = 200, 25
TYPED = "    gold 1 per hex in mine & ad"
SYNTAX, NAMES, PROPOSALS = "syntax", "names and sorts", "proposals"
LIMITS = {SYNTAX: 50, NAMES: 250, PROPOSALS: 50}
"""Milliseconds that may pass after an edit in 19 of 20 cases."""


def typing_rows() -> Iterator[Row]:
    """Yield milliseconds after an edit: the median, and the limit of 19 of 20 cases."""
    with TemporaryDirectory() as folder:
        write_box(Path(folder), CARDS)
        files = sorted(data_root("rules").rglob("*.kb"))
        times = _answer_times([*files, *[Path(folder) / "many.kb"] * EDITED_TIMES])
    for what, measured in times.items():
        measured.sort()
        middle, slow = measured[len(measured) // 2], measured[ceil(0.95 * len(measured)) - 1]
        yield Row(f"{what} after an edit, the median", 1000 * middle, "ms")
        goal = Goal(LIMITS[what], is_most=True)
        yield Row(f"{what} after an edit, 19 of 20", 1000 * slow, "ms", goal)


def _answer_times(files: list[Path]) -> dict[str, list[float]]:
    """Return the seconds of each answer after an edit of each file, at a random line."""
    workspace, chance = Workspace(), Random(0)
    times: dict[str, list[float]] = {what: [] for what in LIMITS}
    for path in dict.fromkeys(files):
        workspace.open_text(path, workspace.text(path))
        workspace.findings(path)
    for path in files:
        lines = workspace.text(path).split("\n")
        at = chance.randrange(len(lines))
        text = "\n".join([*lines[:at], TYPED, *lines[at:]])
        offset = len("\n".join([*lines[:at], TYPED]))
        workspace.open_text(path, text)
        for what, answer in _answers(workspace, path, offset).items():
            times[what].append(seconds(answer))
        workspace.open_text(path, "\n".join(lines))
    return times


def _answers(workspace: Workspace, path: Path, offset: int) -> dict[str, Callable[[], object]]:
    return {
        SYNTAX: partial(workspace.syntax, path),
        PROPOSALS: partial(complete, workspace, path, offset),
        NAMES: partial(workspace.findings, path),
    }


# Boxes with many cards: does checking take as long again for each?

FEWEST, MORE = 50, (100, 200)
FORMS = (
    ("adjacent({0}) & within({1}, 2)", "beside {0} and within two of {1}", "{0} .a {1}"),
    ("adjacent({0}) - adjacent({1})", "beside {0} and not beside {1}", "{0} .a"),
    ("adjacent({0} & adjacent({1}))", "beside {0} that touches {1}", ".a {0} {1}"),
    ("adjacent(within({0}, 2) & {1})", "beside {1} within two of {0}", ".a {1} {0}"),
    ("adjacent({0} - adjacent({1}))", "beside {0} that does not touch {1}", "{0} .a"),
)
"""Hexes near two kinds of ground, the words for them, and a drawing with one such piece."""


def large_box_rows() -> Iterator[Row]:
    """Yield the seconds to check a box, by the number of its cards."""
    _seconds_to_check(1)  # what is loaded and worked out once
    seconds_of = {number: _seconds_to_check(number) for number in (FEWEST, *MORE)}
    yield Row(f"check of a box with {FEWEST} cards", seconds_of[FEWEST], "s")
    for number in MORE:
        what, taken = f"the same with {number}", seconds_of[number]
        goal = Goal(1.25 * number / FEWEST, is_most=True)
        yield Row(what, taken, "s", goal, taken / seconds_of[FEWEST], f"{FEWEST} cards")


def _seconds_to_check(number: int) -> float:
    """Return seconds to check a box with that many cards by all lints, sampled ones too."""
    with TemporaryDirectory() as folder:
        write_box(Path(folder), number)
        lints = LintSettings(frozenset(warnings()), is_isolated=True)
        return seconds(partial(checked, Project([Path(folder)]), lints))


def write_box(folder: Path, number: int) -> None:
    """Write a box with that many cards and no problems."""
    kinds = load(*BASE).catalog.hexes
    cards = [_card(kinds, each) for each in range(number)]
    names = ", ".join(_name(each) for each in range(number))
    head = f"format: 1\nid: many\ntitle: Many\nneeds: [{', '.join(BASE)}]\n"
    (folder / "expansion.yaml").write_text(f"{head}cards: [{names}]\n", encoding="utf-8")
    (folder / "many.kb").write_text("\n".join(cards), encoding="utf-8")


def _name(number: int) -> str:
    return "card_" + "".join(chr(ord("a") + int(digit)) for digit in str(number))


def _card(kinds: Sequence[HexKind], number: int) -> str:
    """Return a card that pays for pieces somewhere near two kinds of ground."""
    pairs = list(permutations([kind for kind in kinds if not kind.is_place], 2))
    one, other = pairs[number % len(pairs)]
    place, text, drawing = FORMS[number // len(pairs) % len(FORMS)]
    return (
        f'card {_name(number)} "Card {number}":\n'
        f'    "One gold for each piece {text.format(one.title, other.title)}."\n'
        f"    gold 1 per hex in mine & {place.format(one.id, other.id)}\n"
        f"    example:\n"
        f"        | {drawing.format(one.letter, other.letter)}\n"
        f"        gives 1\n"
    )
