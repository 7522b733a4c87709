"""A card measured beside others while the editor shows how far it is."""

from __future__ import annotations

from pathlib import Path

from kbrules.engine.setup import SetupError
from kbrules.hooks import OnProgress
from kbrules.library.box import shipped_boxes, usual_boxes
from kbrules.library.load import check_all, needed
from kbrules.library.reading import author_folder, is_shipped
from kbrules.library.ruleset import Ruleset
from kbrules.library.store import Files
from kbrules.tools.balance import playing
from kbrules.tools.balance.measure import balance_report, measure
from kbrules.tools.language_service.answers import Refused
from kbrules.tools.processes import cores
from kbrules.tools.reports.report import as_text
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
        question = _question(ruleset, playing.card_in(ruleset, card or str(path)))
        with _measured_results(path, question, ruleset.digest) as results:
            found = measure(ruleset, question, results, games, (), None, max(2, cores()), watch)
    except playing.CardNotFound as missing:
        wrong = missing.diagnostic
        raise Refused(wrong.message, wrong.help) from None
    except (SetupError, UnusableFile) as error:
        raise Refused(str(error)) from None
    return as_text(balance_report(found), False)


def _measured_results(
    path: Path, question: playing.BalanceQuestion, digest: str
) -> playing.Results:
    """The games of a card of one's own, kept beside its expansion until the rules change."""
    home = None if is_shipped(path) else author_folder(path)
    if home is None:
        return playing.Results(MEMORY, question, digest)
    return playing.results_made_for(
        "editor", home / f"{question.card}.editor.sqlite", question, digest
    )


def _ruleset(path: Path) -> Ruleset:
    """The rules that a card is played by: its expansion with what it needs, or what is shipped."""
    home = None if is_shipped(path) else playing.folder_of(str(path))
    folders = [] if home is None else [home]
    boxes = needed(Files(), [], folders) if folders else usual_boxes()
    ruleset, found = check_all(boxes, folders)
    if ruleset is None or found:
        raise Refused("the rules have mistakes", "mend and save them first")
    return ruleset


def _question(ruleset: Ruleset, card: str) -> playing.BalanceQuestion:
    boxes = tuple(box for box in ruleset.boxes if box in shipped_boxes())
    return playing.BalanceQuestion(card, boxes, ruleset.folders, ruleset.parts.players[0], BOTS)
