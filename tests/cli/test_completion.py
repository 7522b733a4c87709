"""What a shell is offered, asked as a shell asks: by the environment, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.example_games import DALE
from tests.source_tree import ROOT

CARD = 'card zebras "Zebras":\n    "One gold each."\n    gold 1 per hex in {}\n'


def offered(words: str, folder: Path) -> list[str]:
    """What bash is offered for the last of some words."""
    asked = {
        "_KBRULES_COMPLETE": "complete_bash",
        "COMP_WORDS": f"kbrules {words}",
        "COMP_CWORD": str(len(words.split(" "))),
        "PYTHONPATH": str(ROOT),
    }
    code = "from cli.app import main; main()"
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.stderr == ""
    return result.stdout.split()


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("explain KB20", "KB201"),
        ("explain wrong-s", "wrong-sort"),
        ("play --bots greedy,ca", "greedy,careful:1"),
        ("play --with no", "nomads"),
        ("play --card lo", "lords"),
        ("play --ruling lords", "lords_rank_zero="),
        ("show ca", "card"),
        ("show card lo", "lords"),
        ("balance lo", "lords"),
        ("che", "check"),
        ("check --out", "--output-format"),
    ],
)
def test_a_shell_is_offered_ids(words: str, wanted: str, tmp_path: Path) -> None:
    assert wanted in offered(words, tmp_path)


def test_an_authors_own_cards_are_offered_unless_they_are_wrong(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    for name, text in DALE.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    manifest = tmp_path / "expansion.yaml"
    manifest.write_text(
        manifest.read_text(encoding="utf-8") + "cards: [zebras]\n", encoding="utf-8"
    )
    card = tmp_path / "rules" / "zebras.kb"
    card.write_text(CARD.format("mine"), encoding="utf-8")
    assert offered("cards ze", tmp_path) == ["zebras"]
    card.write_text(CARD.format("mien"), encoding="utf-8")
    assert offered("cards lo", tmp_path) == ["lords"]
