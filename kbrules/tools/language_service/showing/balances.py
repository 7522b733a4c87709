"""What cards paid when they were last measured, from the files that `kbrules balance` left."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kbrules.library.ruleset import Ruleset
from kbrules.tools.measuring.balance.results import Results
from kbrules.tools.measuring.results_file import ResultsFile, UnusableFile

__all__ = ["balances_beside"]

_MOST_FILES = 50
_EVERY = 2**31  # more deals than there ever are


class _Measured(Results):
    """A file of a balance that is only read, whatever question it answers."""

    def __init__(self, path: Path) -> None:
        ResultsFile.__init__(self, path)
        self._seed = 0


def balances_beside(folder: Path, ruleset: Ruleset | None) -> Mapping[str, str]:
    """For each card that was measured, what it paid, as a sentence; the newest file counts.

    Files are looked for in the folder itself. Those that cannot be read have nothing to tell.
    """
    found: dict[str, str] = {}
    files = sorted(folder.glob("*.sqlite"), key=lambda file: file.stat().st_mtime)[-_MOST_FILES:]
    for file in files:
        try:
            found |= _mean(file, ruleset)
        except (UnusableFile, OSError, KeyError, ValueError):
            continue
    return found


def _mean(file: Path, ruleset: Ruleset | None) -> Mapping[str, str]:
    with _Measured(file) as measured:
        card = measured.fact("question", dict).get("card")
        rules = measured.fact("rules", list)
        paid = [
            gold
            for result in measured.first(_EVERY)
            for each in result.paid
            if each.card == card
            for gold in each.gold
        ]
    if not paid or not isinstance(card, str):
        return {}
    changed = "" if ruleset is not None and rules == [ruleset.digest] else ", by other rules"
    mean = sum(paid) / len(paid)
    return {card: f"pays {mean:.1f} on average ({len(paid)} times{changed})"}
