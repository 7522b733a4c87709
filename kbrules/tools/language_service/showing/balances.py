"""What cards paid when they were last measured, from the files that `kbrules balance` left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from kbrules.library.ruleset import Ruleset
from kbrules.tools.balance.playing import BalanceQuestion
from kbrules.tools.balance.report import CardPayment, highest_payment
from kbrules.tools.balance.results import StoredResults
from kbrules.tools.simulate.results_file import UnusableFile

_MOST_FILES = 50
_ALL_DEALS = 2**31  # more than there ever are


@dataclass(frozen=True, slots=True)
class StoredBalance:
    """What a file tells of its card: how often it paid, its mean, and the highest payment.

    digest: of the rules that the games were played by.
    """

    question: BalanceQuestion
    digest: str
    count: int
    mean: float
    highest: CardPayment

    def sentence(self, ruleset: Ruleset | None) -> str:
        """What the card paid on average, and whether by other rules than these."""
        is_same = ruleset is not None and self.digest == ruleset.digest
        changed = "" if is_same else ", by other rules"
        return f"pays {self.mean:.1f} on average ({self.count} times{changed})"


def balances_in(folder: Path) -> Mapping[str, StoredBalance]:
    """For each card that was measured what the newest file in a folder tells of it.

    Files are looked for in the folder itself. Those that cannot be read have nothing to tell.
    """
    found: dict[str, StoredBalance] = {}
    files = sorted((_modified(file), file) for file in folder.absolute().glob("*.sqlite"))
    for modified, file in files[-_MOST_FILES:]:
        if (balance := _read(file, modified)) is not None:
            found[balance.question.card] = balance
    return found


def _modified(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=_MOST_FILES)
def _read(file: Path, modified: int) -> StoredBalance | None:
    """What a file tells as it was modified last; nothing if it has no payments."""
    try:
        with StoredResults(file) as stored:
            results = [*stored.first(_ALL_DEALS)]
    except (UnusableFile, OSError):
        return None
    card = stored.question.card
    paid = [gold for of in results for each in of.paid if each.card == card for gold in each.gold]
    highest = highest_payment(results, card)
    if highest is None:
        return None
    mean = sum(paid) / len(paid)
    return StoredBalance(stored.question, "".join(stored.digests), len(paid), mean, highest)
