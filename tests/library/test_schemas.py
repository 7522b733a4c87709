"""The schemas in `schemas/`: up to date, and of one mind with the models."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator
from pydantic import ValidationError

from kbrules.library.models import Expansion
from kbrules.library.reading import data_root
from tests.docs.generated import (
    drifted,
    file_name,
    generated,
    main,
    schema,
    schema_names,
    write,
)
from tests.library.written import base

SCHEMA = schema("expansion")
VALIDATOR = Draft202012Validator(SCHEMA)

FULL: dict[str, Any] = {
    "format": 1,
    "id": "dale",
    "title": "The Dale",
    "kind": "variant",
    "needs": ["base"],
    "players": {"least": 2, "most": 5},
    "table": {"rows": 2, "columns": 2},
    "section": {"rows": 1, "columns": 2},
    "numbers": {"builds": 3},
    "terrains": {"moor": {"letter": "M", "title": "moor", "colour": "#a0b0c0", "tags": ["dry"]}},
    "places": {"yard": {"letter": "Y", "colour": "red"}},
    "pieces": {"hut": {"letter": "h", "supply": 3, "neutral": True, "shape": "seven"}},
    "tiles": {"well": {"kind": "yard", "place": "yard", "each": 2, "title": "Well"}},
    "deck": [{"terrains": ["moor"], "count": 5}],
    "cards": ["rowers"],
    "instead": {
        "numbers": {"hand": 2},
        "table": {"rows": 3, "columns": 2},
        "options": {"shy": "yes"},
    },
    "sector_tiles": {"yard": ["well"]},
    "section_sets": {"front": ["x"]},
    "setups": {
        "first-game": {"sections": [["x turned"]], "tiles": [["well"]], "cards": ["rowers"]}
    },
    "marks": {"shore": {"title": "the shore"}},
    "sections": {"x": {"map": "stand-in", "places": {"1": "well"}, "rows": "M 1"}},
}
OTHERS: list[Any] = [
    None, True, False, 0, 1, 2, 6, 7, 20, 21, 30, 31, 999, 1000, -1, 1.5, "", "x", "X", "x" * 40,
    "x" * 41, "xX", "x turned", "x turne", "1", "0", "#a0b0c0", "#A0B0C0", "first-game", "two",
    "seven", "stand-in", [], ["x"], ["X"], [["x"]], [[]], {}, {"x": 1}, {"X": 1}, {"letter": "Q"},
]  # fmt: skip


def paths(data: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield path
    if isinstance(data, dict | list):
        pairs = data.items() if isinstance(data, dict) else enumerate(data)
        for key, value in pairs:
            yield from paths(value, (*path, key))


def inner(data: Any, path: tuple[str | int, ...]) -> Any:
    for part in path:
        data = data[part]
    return data


def the_model_takes(data: Any) -> bool:
    try:
        Expansion.model_validate_json(json.dumps(data))
    except ValidationError:
        return False
    return True


PLACES = [path for path in paths(FULL) if path]


@st.composite
def documents(draw: st.DrawFn) -> Any:
    """A sound document with up to two places of it changed, renamed, added to or taken out."""
    data = copy.deepcopy(FULL)
    for _ in range(draw(st.integers(0, 2))):
        path = draw(st.sampled_from([path for path in paths(data) if path]))
        parent, key = inner(data, path[:-1]), path[-1]
        match draw(st.sampled_from(["set", "set", "delete", "rename", "add"])):
            case "set":
                parent[key] = copy.deepcopy(draw(st.sampled_from(OTHERS)))
            case "delete":
                del parent[key]
            case "rename" if isinstance(parent, dict):
                parent[draw(st.sampled_from(["x", "X", "2", "x" * 41, "titel"]))] = parent.pop(key)
            case "add" if isinstance(parent, dict):
                added = copy.deepcopy(draw(st.sampled_from(OTHERS)))
                parent[draw(st.sampled_from(["y", "Y", "title", "3"]))] = added
    return data


@given(documents())
def test_model_and_schema_take_the_same_documents(data: Any) -> None:
    assert VALIDATOR.is_valid(data) == the_model_takes(data)


@pytest.mark.parametrize("path", PLACES, ids=lambda path: ".".join(map(str, path)))
def test_they_agree_on_every_place_of_a_document(path: tuple[str | int, ...]) -> None:
    verdicts = set()
    for other in OTHERS:
        data = copy.deepcopy(FULL)
        inner(data, path[:-1])[path[-1]] = other
        verdicts.add(the_model_takes(data))
        assert VALIDATOR.is_valid(data) == the_model_takes(data), other
    assert False in verdicts


def test_they_take_what_we_ship_and_what_is_small() -> None:
    for data in (FULL, base().document.data, {"format": 1, "id": "x", "title": "X"}):
        assert VALIDATOR.is_valid(data) and the_model_takes(data)


def test_every_key_is_explained_with_an_example_that_fits() -> None:
    tables = [SCHEMA, *SCHEMA["$defs"].values()]
    count = 0
    for table in tables:
        assert table["description"] and table["additionalProperties"] is False
        for name, each in table["properties"].items():
            assert each["description"] and each["examples"], name
            count += 1
            fitting = Draft202012Validator({**each, "$defs": SCHEMA["$defs"]})
            assert all(fitting.is_valid(example) for example in each["examples"]), name
    assert count > 40


def test_a_schema_is_valid_and_has_a_name_of_its_own() -> None:
    for name in schema_names():
        made = schema(name)
        Draft202012Validator.check_schema(made)
        assert made["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        assert made["$id"] == f"https://kbrules.invalid/{name}.schema.json"


def test_no_schema_has_drifted() -> None:
    root = data_root("schemas")
    assert drifted(root.parent) == []
    on_disk = {path.relative_to(root).as_posix() for path in root.rglob("*.json")}
    assert on_disk == {file_name(name) for name in schema_names()}


def test_drift_is_seen_and_mended(tmp_path: Path) -> None:
    assert drifted(tmp_path) == list(generated(tmp_path))
    assert write(tmp_path) == list(generated(tmp_path))
    assert write(tmp_path) == [] and drifted(tmp_path) == []
    path = tmp_path / "schemas" / file_name("expansion")
    path.write_text(path.read_text(encoding="utf-8").replace("999", "998"), encoding="utf-8")
    assert drifted(tmp_path) == [path]


def test_the_command_checks_and_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tests.docs.generated.data_root", lambda kind: tmp_path / "schemas")
    assert main(["--check"]) == 1 and list(tmp_path.iterdir()) == []
    assert "is not what it is generated from" in capsys.readouterr().err
    assert main([]) == 0 and main(["--check"]) == 0
    assert main(["--chekc"]) == 2
    assert "usage:" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["conformance", "scenario"])
def test_what_a_position_has_is_described_in_one_schema(name: str) -> None:
    made, shared = schema(name), schema("position")
    assert not made["$defs"].keys() & {*shared["$defs"], "MidgameModel"}
    text = json.dumps(made)
    assert "position.schema.json" in text
    assert not any(f'"#/$defs/{id}"' in text for id in shared["$defs"])
