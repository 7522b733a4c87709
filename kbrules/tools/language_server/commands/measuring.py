"""A card measured beside others while the editor shows how far it is."""

from __future__ import annotations

from pathlib import Path

from kbrules.engine.setup import SetupError
from kbrules.library.boxes.box import shipped_boxes, usual_boxes
from kbrules.library.file_cache import FileCache
from kbrules.library.load import check_all, needed
from kbrules.library.reading import author_folder, is_shipped
from kbrules.library.ruleset import Ruleset
from kbrules.progress import OnProgress
from kbrules.tools.balance.measure import measure
from kbrules.tools.balance.playing import BalanceQuestion, CardNotFound, card_in, folder_of
from kbrules.tools.balance.report import balance_report
from kbrules.tools.balance.results import Results, results_made_for
from kbrules.tools.language_service.answers import Refused
from kbrules.tools.processes.pool import cores
from kbrules.tools.reports.terminal import as_text
from kbrules.tools.simulate.results_file import MEMORY, UnusableFile

GAMES = 40
BOTS = ("greedy",)


def measured(path: Path, card: str, games: int, watch: OnProgress) -> str:
    """What a card pays beside others, by the files as they are saved.

    card: its id; empty for the only one of the file. watch: told how many games of how many are
    played; what it raises ends the games. Raises Refused where nothing can be measured.
    """
    try:
        ruleset = _ruleset(path)
        question = _question(ruleset, card_in(ruleset, card or str(path)))
        with _results(path, question, ruleset.digest) as results:
            found = measure(ruleset, question, results, games, (), None, max(2, cores()), watch)
    except CardNotFound as missing:
        wrong = missing.diagnostic
        raise Refused(f"{wrong.message}; {wrong.help}" if wrong.help else wrong.message) from None
    except (SetupError, UnusableFile) as error:
        raise Refused(str(error)) from None
    return as_text(balance_report(found), False)


def _results(path: Path, question: BalanceQuestion, digest: str) -> Results:
    """The games of a card of one's own, kept beside its expansion until the rules change."""
    home = None if is_shipped(path) else author_folder(path)
    if home is None:
        return Results(MEMORY, question, digest)
    return results_made_for("editor", home / f"{question.card}.editor.sqlite", question, digest)


def _ruleset(path: Path) -> Ruleset:
    """The rules that a card is played by: its expansion with what it needs, or what is shipped."""
    home = None if is_shipped(path) else folder_of(str(path))
    folders = [] if home is None else [home]
    boxes = needed(FileCache(), [], folders) if folders else usual_boxes()
    ruleset, found = check_all(boxes, folders)
    if ruleset is None or found:
        raise Refused("the rules have mistakes; mend and save them first")
    return ruleset


def _question(ruleset: Ruleset, card: str) -> BalanceQuestion:
    boxes = tuple(box for box in ruleset.boxes if box in shipped_boxes())
    return BalanceQuestion(card, boxes, ruleset.folders, ruleset.parts.players[0], BOTS)
