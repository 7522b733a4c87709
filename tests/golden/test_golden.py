"""The recorded games played again: what happens, what is offered, refused and scored is as it was.

If this fails after a rule was changed on purpose, see the package for how to record anew. If no
rule was changed, the program does something else than before.
"""

from __future__ import annotations

from copy import deepcopy
from hashlib import sha256
from itertools import groupby

import pytest

from kbrules.engine.configuration import PYTHON, REFERENCE
from kbrules.engine.setup import RANDOM
from tests.golden.compare import difference, mix_of
from tests.golden.kept import SHORT, Record, games
from tests.source_tree import ROOT

QUICK = 2
"""So many games of a mix are played at every build."""
TOLD = 3
"""So many differences of a mix are told in full."""

MIXES = {name: list(group) for name, group in groupby(games(), mix_of)}


def _is_quick(record: Record) -> bool:
    """Whether a game is played at every build; of boxes beside a folder none is, they take long."""
    is_beside = record["boxes"] and record["folders"]
    return not is_beside and record in MIXES[mix_of(record)][:QUICK]


NOW = {mix: quick for mix, group in MIXES.items() if (quick := [*filter(_is_quick, group)])}
LATER = {mix: [one for one in group if not _is_quick(one)] for mix, group in MIXES.items()}


def _compare(wanted: list[Record], engine: str = REFERENCE) -> None:
    found = [diff for record in wanted if (diff := difference(record, engine))]
    told = "\n\n".join(map(str, found[:TOLD]))
    assert not found, f"{len(found)} of {len(wanted)} games differ\n{told}"


@pytest.mark.parametrize("mix", NOW)
def test_games_are_as_they_were(mix: str) -> None:
    _compare(NOW[mix])


@pytest.mark.slow
@pytest.mark.parametrize("mix", LATER)
def test_all_other_games_are_as_they_were(mix: str) -> None:
    _compare(LATER[mix])


@pytest.mark.parametrize("mix", NOW)
def test_a_kernel_plays_them_as_they_were(mix: str) -> None:
    _compare(NOW[mix][:1], PYTHON)


@pytest.mark.slow
@pytest.mark.parametrize("mix", MIXES)
def test_a_kernel_plays_all_as_they_were(mix: str) -> None:
    _compare(MIXES[mix], PYTHON)


def test_enough_is_recorded() -> None:
    positions = [position for game in games() for position in game["positions"]]
    assert len(games()) == 300
    assert len(positions) == 2_000
    assert all(len(position["refusals"]) == 5 for position in positions)
    assert sum(map(len, NOW.values())) >= 60
    assert sum(map(len, NOW.values())) + sum(map(len, LATER.values())) == len(games())


@pytest.mark.parametrize(
    "file",
    ["tests/golden/golden.jsonl.xz", "tests/golden/everywhere.json", "docs/perft.csv"],
)
def test_the_changelog_says_why_a_record_is_what_it_is(file: str) -> None:
    digits = sha256((ROOT / file).read_bytes()).hexdigest()[:8]
    assert f"`{digits}`" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


# Each kind of difference is found, and found where it is


def _record() -> Record:
    """A short game on a table that was drawn, for faults to be planted in it."""
    drawn = (game for game in games() if game["boxes"] and game["setup"] == RANDOM)
    return deepcopy(min(drawn, key=lambda game: len(game["moves"])))


def _spoilt(digests: str, index: int) -> str:
    at = index * SHORT
    return digests[:at] + ("A" if digests[at] != "A" else "B") + digests[at + 1 :]


@pytest.mark.parametrize("number", [0, 1, 30])
@pytest.mark.parametrize("what", ["events", "offers"])
def test_a_digest_that_differs_is_told_where_it_is(what: str, number: int) -> None:
    record = _record()
    record[what] = _spoilt(record[what], number)
    found = difference(record)
    assert found is not None and found.number == number
    assert {"events": "state", "offers": "offers"}[what] in found.what
    assert "offered now" in str(found) and f"compare {record['number']}" in str(found)


@pytest.mark.parametrize("what", ["state", "offers", "score"])
def test_a_position_that_differs_is_told(what: str) -> None:
    record = _record()
    position = record["positions"][2]
    position[what] = _spoilt(position[what], 0)
    found = difference(record)
    assert found is not None and found.number == position["moves"]
    assert what in found.what


def test_a_refusal_in_other_words_is_told_with_them() -> None:
    record = _record()
    refused = record["positions"][1]["refusals"][3]
    refused[1] = _spoilt(refused[1], 0)
    found = difference(record)
    assert found is not None and refused[0] in found.what
    assert "is not legal" in found.now


def test_a_move_that_is_not_legal_any_more_is_told() -> None:
    record = _record()
    position = record["positions"][0]
    record["moves"][position["moves"]] = position["refusals"][0][0]
    found = difference(record)
    assert found is not None and found.number == position["moves"]
    assert "IllegalMove" in found.what


def test_another_end_is_told() -> None:
    record = _record()
    record["end"]["totals"][0] += 1
    found = difference(record)
    assert found is not None and found.what == "the end"


def test_another_table_is_told() -> None:
    record = _record()
    record["seed"] += 1
    found = difference(record)
    assert found is not None and "table" in found.what
