"""What `kbrules show` shows of files: the beginning of a scenario, a moment of a logged game."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .boxes import BoxWords, boxes_and_folders, load_for_log
from .picture_files import PictureFiles, write_pictures
from .terminal.findings import exit_with, exit_with_findings, print_findings, printable

if TYPE_CHECKING:
    from kbrules.scenario.running.cases import Case

__all__ = ["show_log", "show_scenario"]

_APART = "::"
_IN_PART = 1
_LISTED = 12


TextOutput = Callable[[str], None]
"""What prints a text, for people or for programs."""


def show_scenario(name: str, wishes: PictureFiles, words: BoxWords, tell: TextOutput) -> None:
    """The beginning of a scenario or example; without a title, the titles there are in a file."""
    from kbrules.tools.publishing.pictures.scenes import scene_of_item

    path, _, title = name.partition(_APART)
    cases = _cases(path, words)
    chosen = _cases_named(title, cases) if title else cases if path and len(cases) == 1 else []
    if not chosen and not wishes:
        tell("\n".join(case.id for case in cases))
        return
    if not chosen:
        help = f"name one: {printable(shlex.quote(cases[0].id))}"
        exit_with("KB009", f"`{path}` holds {len(cases)} scenarios and examples", help)
    scene, found = scene_of_item(chosen[0])
    if scene is None:
        exit_with_findings(found)
    if not wishes:
        tell(scene.text)
    write_pictures(wishes, scene.picture, language=words.language)


def _cases(path: str, words: Sequence[str]) -> list[Case]:
    from kbrules.scenario.running.collect import collect

    boxes, folders = boxes_and_folders(words)
    collection = collect([Path(path)] if path else [], boxes, folders)
    if collection.findings:
        exit_with_findings(collection.findings)
    if not collection.cases:
        exit_with("KB007", f"`{path}` holds no scenario and no example", "look at the path")
    return collection.cases


def _cases_named(title: str, cases: Sequence[Case]) -> list[Case]:
    """The case that a title means; ends the command if that is none or several."""
    from kbrules.diagnostics import quoted, suggest
    from kbrules.scenario.running.selection import cases_named, shell_name

    found = cases_named(cases, title)
    if len(found) > 1:
        names = "\n".join(map(shell_name, found[:_LISTED]))
        exit_with("KB413", f"{quoted(title)} may mean {len(found)} of them; say which", names)
    if not found:
        titles = [case.id.partition(_APART)[2] for case in cases]
        near = suggest(title, titles)
        guess = f"did you mean {quoted(near)}?" if near else "there are: " + "; ".join(titles[:12])
        exit_with("KB413", f"there is no scenario {quoted(title)}", guess)
    return found


def show_log(
    path: Path, at: int | None, wishes: PictureFiles, words: BoxWords, tell: TextOutput
) -> None:
    """The position after so many moves, at the end if none are said; as a page the whole game."""
    from kbrules.engine.logs.replay import read_log, replay
    from kbrules.tools.publishing.pictures.replay.page import replay_page, timeline_of
    from kbrules.tools.publishing.pictures.scenes import scene_of_game

    log, found = read_log(path)
    if log is None:
        exit_with_findings(found)
    if at is not None and not 0 <= at <= len(log.moves):
        exit_with(
            "KB009", f"--at {at}: the log has {len(log.moves)} good moves", "give a number from 0"
        )
    until = None if wishes.html else at
    result = replay(load_for_log(log, words), log, until)
    if result.game is None or not result.states:
        exit_with_findings(result.findings)
    last = result.moves if at is None else min(at, result.moves)
    scene = scene_of_game(result.game, result.states[last], f"{path.name}, move {last}")
    if not wishes:
        tell(scene.text)
    write_pictures(
        wishes,
        scene.picture,
        lambda: replay_page(timeline_of(log, result), at or 0, words.language),
        (result.game, result.states[last]),
    )
    problems = [*result.findings, *(found if until is None and not result.findings else ())]
    print_findings(problems)
    raise typer.Exit(_IN_PART if problems else 0)
