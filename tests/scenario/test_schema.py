"""The schema that editors use takes the files we take, and refuses what we refuse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from kbrules.library.yaml import read_yaml
from kbrules.scenario.reader import parse_scenarios
from kbrules.text import Source
from kbrules.tools.editors.generated import schema
from tests.scenario.test_expectations import PLAIN, RIGHT
from tests.scenario.test_names_and_moves import SHAPES
from tests.scenario.texts import unmarked

FILES = sorted((Path(__file__).parents[1] / "scenarios").glob("*.scenario.yaml"))
BY_HAND = ("KB412", "either", "one of", "nothing is expected", "2 to 4")  # no schema says these


def _data(text: str) -> Any:
    document, findings = read_yaml(Source("it", text))
    assert document is not None and findings == []
    return document.data


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_our_scenarios_follow_it_and_name_it(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    jsonschema.validate(_data(text), schema("scenario"))
    modeline = text.partition("\n")[0].partition("$schema=")[2]
    assert json.loads((file.parent / modeline).read_text(encoding="utf-8")) == schema("scenario")


def test_everything_that_may_be_expected_follows_it() -> None:
    jsonschema.validate(_data(PLAIN + RIGHT), schema("scenario"))


@pytest.mark.parametrize(
    "text", [t for code, t, said in SHAPES if code not in BY_HAND and said not in BY_HAND]
)
def test_a_wrong_shape_does_not(text: str) -> None:
    source, _ = unmarked(text)
    assert parse_scenarios(source)[1]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(_data(source.text), schema("scenario"))


def test_every_key_is_described() -> None:
    made = schema("scenario")
    tables = [made, *made["$defs"].values()]
    lacking = [
        f"{table.get('title')}.{key}"
        for table in tables
        for key, value in table.get("properties", {}).items()
        if "description" not in value
    ]
    assert lacking == []
