"""Large boxes, and what a command costs that reads them."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.source_tree import ROOT

SCENARIO = """\
format: 1
title: Number {number}
board:
  drawing: |
    G  G  G
     Ga Ga G
    G  G  G
cards: [{card}]
expect: {{gold: {{a: {{{card}: {gold}}}}}}}
"""
CARD = """\
card keeper_{number} "Keeper {number}":
    "{gold} gold for each of your pieces that touches no other of yours."
    gold {gold} per hex in mine - adjacent(mine)
    example:
        | .a .a .  .
        |  .  .  .a .
        gives {gold}
"""


def program(*words: str) -> list[str]:
    """The words of a command of kbrules."""
    return [sys.executable, "-m", "kbrules", *words]


def environment(folder: Path) -> dict[str, str]:
    """Ours, with this checkout and a cache in the folder."""
    return {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(folder / "cache")}


def cards_box(folder: Path, cards: int) -> Path:
    """An expansion with so many scoring cards, fifty in a file, each with an example."""
    box = folder / f"keepers_{cards}"
    (box / "rules").mkdir(parents=True)
    names = ", ".join(f"keeper_{number}" for number in range(cards))
    manifest = f"format: 1\nid: {box.name}\ntitle: Keepers\nneeds: [base]\ncards: [{names}]\n"
    (box / "expansion.yaml").write_text(manifest, encoding="utf-8")
    for first in range(0, cards, 50):
        texts = [CARD.format(number=n, gold=n % 9 + 1) for n in range(first, first + 50)]
        (box / "rules" / f"cards_{first}.kb").write_text("\n".join(texts), encoding="utf-8")
    return box


def scenarios(folder: Path, count: int) -> Path:
    """An expansion of one card with so many scenarios."""
    box = cards_box(folder, 50).rename(folder / f"scenarios_{count}")
    manifest = box / "expansion.yaml"
    text = manifest.read_text(encoding="utf-8").replace("id: keepers_50", f"id: {box.name}")
    manifest.write_text(text, encoding="utf-8")
    (box / "scenarios").mkdir()
    for number in range(count):
        card = f"keeper_{number % 50}"
        text = SCENARIO.format(number=number, card=card, gold=0)
        path = box / "scenarios" / f"{number:05}.scenario.yaml"
        path.write_text(text, encoding="utf-8")
    return box


@dataclass(frozen=True, slots=True)
class Cost:
    """What a command cost: CPU seconds of it and its workers, and the MiB it held at most."""

    seconds: float
    memory: float
    output: str


def cost(folder: Path, *words: str, code: int = 0) -> Cost:
    """Run a command to its end."""
    with (folder / "output.txt").open("w+") as output:
        child = subprocess.Popen(
            program(*words), cwd=folder, env=environment(folder), stdout=output, stderr=output
        )
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    assert child.returncode == code, text[-2000:]
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, text)
