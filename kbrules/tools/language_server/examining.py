"""A card measured beside others while the editor shows how far it is."""

from __future__ import annotations

from pathlib import Path

from kbrules.engine.setup import SetupError
from kbrules.hooks import OnProgress
from kbrules.library import load, reading, store
from kbrules.library.box import shipped_boxes, usual_boxes
from kbrules.library.ruleset import Ruleset
from kbrules.tools import balance, processes
from kbrules.tools.language_service.answers import Refused
from kbrules.tools.reports.report import as_text
from kbrules.tools.simulate.question import QuestionTables, Side, question_about
from kbrules.tools.simulate.report import report_on
from kbrules.tools.simulate.results_file import MEMORY, UnusableFile, default_name, facts_of
from kbrules.tools.simulate.run import pool_for

GAMES = 40
BOTS = ("greedy",)


def measured(path: Path, card: str, games: int, watch: OnProgress) -> str:
    """What a card pays beside others, by the files as they are saved.

    card: its id; empty for the only one of the file. watch: told how many deals of how many are
    played; what it raises ends the games. Raises Refused where nothing can be measured.
    """
    try:
        home = None if reading.is_shipped(path) else balance.folder_of(str(path))
        ruleset = _ruleset([] if home is None else [home])
        side = Side(
            tuple(each for each in ruleset.boxes if each in shipped_boxes()), ruleset.folders
        )
        wanted = balance.card_in(ruleset, card or str(path))
        question = question_about(wanted, side, ruleset.parts.players[0], BOTS)
        tables = QuestionTables(question, [ruleset])
        tables.check()
        report = report_on(
            tables,
            games,
            MEMORY if home is None else home / default_name("balance", facts_of(tables)),
            pool_for(tables, max(2, processes.cores())),
            balance.balance_report,
            lambda run: watch(run.done, run.wanted, "deals"),
        )
    except balance.CardNotFound as missing:
        wrong = missing.diagnostic
        raise Refused(wrong.message, wrong.help) from None
    except (SetupError, UnusableFile) as error:
        raise Refused(str(error)) from None
    return as_text(report, False)


def _ruleset(folders: list[Path]) -> Ruleset:
    """The rules that a card is played by: its expansion with what it needs, or what is shipped."""
    boxes = load.needed(store.Files(), [], folders) if folders else usual_boxes()
    ruleset, found = load.check_all(boxes, folders)
    if ruleset is None or found:
        raise Refused("the rules have mistakes", "mend and save them first")
    return ruleset
