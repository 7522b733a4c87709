"""A box like any other, and the same box under names that would like to be code."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.equal.settings import DALE

RULES = """\
memory shores: hexes of player "Where a player has built beside water."
memory counted: number of turn "How often that was so in this turn."

option many_shores = yes "Shores pay at the end of a turn, too."

define beside(shore: hexes) "What lies around some hexes.":
    adjacent(shore) - shore

rule gathering "Gathering":
    "Who builds beside water remembers it, and gets gold for each sector of it."
    when build:
        add here & beside(water) to shores
        count count(here & beside(water)) into counted
    when turn_end if many_shores: gain sum(1 for shore in sectors if any(shore & shores))

rule visiting "Visiting":
    "At the end everybody may build beside each ford they touch."
    finish:
        for spot in ford & adjacent(mine):
            up to 1 times:
                build 1 on buildable & adjacent(spot) freely
"""
NAMES = (
    "barn_yard", "beside", "bridge", "coin", "counted", "crossing", "dale", "ferry", "ford",
    "gathering", "heath", "heath_gold", "heath_pays", "keeping", "lake", "landing", "many_shores",
    "mill", "rowers", "shore", "shores", "spot", "visiting",
)  # fmt: skip
"""All that an author named in the box."""
LIKE_CODE = (
    "answer", "assert", "b0", "c0", "class", "def", "eval", "finally", "getattr", "global",
    "globals", "import", "k0", "lambda", "len", "locals", "map", "nonlocal", "pass", "raise",
    "run", "seat", "view",
)  # fmt: skip
"""Words of Python, and names that generated code has itself; ordered as `NAMES` are, since rules
follow one another by name, and memories those of the base game as well."""
TEXTS = (
    "'; import os; os.system('true') #",
    "''' + open('/etc/passwd').read() + '''",
    "\\\\n\\\\\\\\{0} %s {view.state} \\\\x00",
    "# return 0",
    "\N{CYRILLIC SMALL LETTER IE}x\N{CYRILLIC SMALL LETTER IE}c \N{FULLWIDTH LATIN SMALL LETTER E}",
    "x" * 10_000,
)
"""What wordings and titles may be, in a rule file, where no line ends in one."""


def dale(folder: Path) -> Path:
    """The box under its own names, with more in it that has names."""
    for path in [DALE / "expansion.yaml", *DALE.glob("rules/*.kb")]:
        _write(folder / path.relative_to(DALE), path.read_text(encoding="utf-8"))
    _write(folder / "rules" / "more.kb", RULES)
    return folder


def rewritten(box: Path, folder: Path, change: Callable[[str], str]) -> Path:
    """The same box with its texts changed."""
    for path in [box / "expansion.yaml", *box.glob("rules/*.kb")]:
        _write(folder / path.relative_to(box), change(path.read_text(encoding="utf-8")))
    return folder


def renamed(names: Mapping[str, str]) -> Callable[[str], str]:
    """Other names, wherever they stand outside of what is said in quotes."""
    known = "|".join(sorted(names, key=len, reverse=True))
    pattern = re.compile(rf'"[^"\n]*"|#.*|\b({known})\b(?!\.schema)')

    def change(text: str) -> str:
        return pattern.sub(lambda found: names[found[1]] if found[1] else found[0], text)

    return change


def reworded(text: str) -> str:
    """Other titles and wordings."""
    if "format: 1" in text:
        return re.sub(r"title: [\w ]+", lambda found: f"title: {_in_yaml(found.end())}", text)
    return re.sub(r'"[^"\n]*"', lambda found: f'"{TEXTS[found.start() % len(TEXTS)]}"', text)


def _in_yaml(number: int) -> str:
    said = TEXTS[number % (len(TEXTS) - 1)].replace("\\", "/")
    return '"' + said[:30] + '"'


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
