"""What `kbrules show` shows of files: the beginning of a scenario, a moment of a logged game."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ..boxes import BoxWords, boxes_and_folders
from ..games.logs import replay_file
from ..terminal.findings import DIFFERS, exit_with, exit_with_findings, print_findings, printable
from .picture_files import PictureFiles, write_pictures

if TYPE_CHECKING:
    from kbrules.scenario.running import Case

_SEPARATOR = "::"
_MAX_LISTED = 12


PrintText = Callable[[str], None]
"""What prints a text, for people or for programs."""


def show_scenario(name: str, files: PictureFiles, words: BoxWords, print_text: PrintText) -> None:
    """The beginning of a scenario or example; without a title, the titles there are in a file."""
    from kbrules.tools.pictures.scenes import scene_of_item

    path, _, title = name.partition(_SEPARATOR)
    cases = _cases(path, words)
    chosen = _cases_named(title, cases) if title else cases if path and len(cases) == 1 else []
    if not chosen and not files:
        print_text("\n".join(case.id for case in cases))
        return
    if not chosen:
        help = f"name one: {printable(shlex.quote(cases[0].id))}"
        exit_with("KB009", f"`{path}` holds {len(cases)} scenarios and examples", help)
    scene, found = scene_of_item(chosen[0])
    if scene is None:
        exit_with_findings(found)
    if not files:
        print_text(scene.text)
    write_pictures(files, scene.picture, language=words.language)


def _cases(path: str, words: Sequence[str]) -> list[Case]:
    from kbrules.scenario.collection import collect

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
    from kbrules.scenario.collection import cases_named, shell_name

    found = cases_named(cases, title)
    if len(found) > 1:
        names = "\n".join(map(shell_name, found[:_MAX_LISTED]))
        exit_with("KB413", f"{quoted(title)} may mean {len(found)} of them; say which", names)
    if not found:
        titles = [case.id.partition(_SEPARATOR)[2] for case in cases]
        near = suggest(title, titles)
        known = "; ".join(titles[:_MAX_LISTED])
        guess = f"did you mean {quoted(near)}?" if near else f"there are: {known}"
        exit_with("KB413", f"there is no scenario {quoted(title)}", guess)
    return found


def show_log(
    path: Path, at: int | None, files: PictureFiles, words: BoxWords, print_text: PrintText
) -> None:
    """The position after so many moves, at the end if none are said; as a page the whole game."""
    from kbrules.tools.pictures.replay import replay_page, timeline_of
    from kbrules.tools.pictures.scenes import scene_of_game

    replayed = replay_file(path, words, "--at", at, to_end=bool(files.html))
    result, game = replayed.replay, replayed.game
    last = result.moves if at is None else min(at, result.moves)
    state = result.states[last]
    scene = scene_of_game(game, state, f"{path.name}, move {last}")
    if not files:
        print_text(scene.text)
    write_pictures(
        files,
        scene.picture,
        lambda on: replay_page(timeline_of(replayed.log, result, on), at or 0, words.language),
        (game, state),
    )
    print_findings(replayed.findings)
    raise typer.Exit(DIFFERS if replayed.findings else 0)
