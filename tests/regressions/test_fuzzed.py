"""Files that fuzzing found, each in the place of a file that is right; all keep the laws now."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbrules.diagnostics import Diagnostic
from kbrules.text import Source
from tests.fuzz import laws
from tests.fuzz.seeds import GAMES, seed_named

CASES: list[tuple[str, bytes]] = [
    # what fmt writes cannot be read: parentheses kept a name from being the word of a phrase
    ("council/rules/council.kb", b'rounds_of_branches fashion"":\n    adjacent(by)'),
    ("council/rules/council.kb", b'rule a "":\n    ""\n    action:\n        gain (to) + 1 by to'),
    # RecursionError in selection.py: words of `-k` that are denied, or in brackets, over and over
    ("alone/19", b"not " * 1200 + b"mine"),
    ("alone/6", b"(" * 1200),
    ("alone/6", b"(" * 1200 + b"two" + b")" * 1200),
    # not twice: what two scenarios say of the board they share differed by its help alone
    (
        "alone/variants_returning_tiles.scenario.yaml",
        b"format: 1\ntitle: A\nboard:\n  drawing: |\n    C  |  C\nscenarios:\n"
        b"  - {title: One, steps: [end]}\n  - {title: Two, with: [nomads], steps: [end]}\n",
    ),
    # TypeError in linked_step.py: behind a table, mistakes were taken for those of its rows, and
    # the example of a rule with a mistake was run
    (
        "own_nomads/rules/tiles.kb",
        b'option nomads_score=yes"":\n    source"castles"\nrule camps"":\n    ""\n'
        b'nomad donation_{ground}"{name}":\n    "{hexes}"\n    example"":\n        |{o}{x}\n'
        b"    table:\n        |ground|name|hexes|x|o\n        |mountain|mountain|mountains|M|G\n"
        b"define sword_prey\nnomad sword\n    action:\n"
        b'for player inothers:remove 1from pieces(player)&sword_prey\n    example"":\n'
        b"| .+ .\n        offers",
    ),
    # JSONDecodeError, TypeError, KeyError, ValueError: a file of games is damaged
    *(
        ("alone/games.sqlite", GAMES.replace(old, new).encode())
        for old, new in (
            ('{"grids"', '{"grids'),
            ('"players": 2', '"players": []'),
            ('"players": 2', '"players": 9999999'),
            ('"per_table": 1', '"per_table": 0'),
            ('[{"boxes"', '[{"boxes": 7}, {"boxes"'),
            ('["00b3', '[7, "00b3'),
            ('{"farm": "Farm"', '{"farm": null'),
            ("'until', '0.5'", "'until', 'soon'"),
            ("VALUES(0, 2, 0.25)", "VALUES(0, 'two', 0.25)"),
            ("0, 0, 'greedy', 0", "0, 0, 'ogre', 0"),
            (" 32, 28,", " 1e400, 28,"),
        )
    ),
]


@pytest.mark.parametrize(("name", "data"), CASES, ids=map(str, range(len(CASES))))
def test_a_file_keeps_the_laws(
    name: str, data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(laws, "AGAIN", 1)
    assert laws.fault_of(seed_named(name), data) == ""


def test_findings_that_differ_by_their_help_have_an_order() -> None:
    place = Source("x.kb", "one").whole()
    one, other = (Diagnostic("KB408", place, "not known", help) for help in ("a", "b"))
    assert sorted([one, other]) == sorted([other, one]) == [one, other]
