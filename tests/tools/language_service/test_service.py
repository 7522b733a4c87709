"""The one language service: plain values for any transport, and one refusal."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from kbrules.tools.language_service.answers import BrowserUnits, Place, Refused, TextEdit
from kbrules.tools.language_service.service import Service
from kbrules.tools.language_service.workspace import Cancelled, Workspace

GIVEN: dict[str, dict[str, Any]] = {
    "open": {"text": "define a: mien\n"}, "changed": {"files": []}, "names": {}, "findings": {},
    "rename": {"name": "oarsmen"}, "all_symbols": {"query": "ro"},
    "format_range": {"start": 0, "end": 9}, "actions": {"start": 0, "end": 999},
    "why": {"case": "", "hex": "a1"}, "draw": {"hex": "a1", "sign": "L"},
}  # fmt: skip
"""What requests are given besides a file and a place in it."""


def plain(value: Any) -> Any:
    """A value as JSON says it; it is one of the service, and holds none of any other."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [*map(plain, value)]
    if is_dataclass(value):
        assert type(value).__module__.startswith("kbrules.tools.language_service."), value
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    return value


@pytest.fixture
def service(home: Path) -> Service:
    return Service(Workspace([home]))


def test_every_answer_is_plain(service: Service, home: Path) -> None:
    rules = home / "rules/rowers.kb"
    text = service.workspace.text(rules)
    asked = {"file": str(rules), "files": [str(rules)], "at": text.index("rowers")}
    example = {"example": text.index("example:")}
    refused = set()
    for method in sorted(service.methods - {"open", "close"}):
        try:
            answer = service.answer(method, {**asked, **example, **GIVEN.get(method, {})})
        except Refused as error:
            assert str(error) and error.code.startswith("KB")
            refused.add(method)
        else:
            json.dumps(plain(answer))
    assert refused == {"action_edits"}  # the card was not measured


def test_what_is_typed_is_asked_about_until_it_is_closed(service: Service, home: Path) -> None:
    file = str(home / "rules/rowers.kb")
    service.answer("open", {"file": file, "text": "define a: mien\n"})
    (finding,) = service.answer("names", {"files": [file]})[file]
    assert (finding.place, finding.code) == (Place(file, 10, 14), "KB201")
    assert finding in service.answer("findings", {"files": [file]})[file]
    service.answer("close", {"file": file})
    assert service.answer("findings", {"files": [file]})[file] == ()


@pytest.mark.parametrize(
    ("method", "given"),
    [
        ("nothing", {}), ("hover", {"file": 3}), ("hover", {"file": "a.kb", "at": -1}),
        ("hover", {"file": "a.kb", "at": True}), ("open", {"file": "a.kb", "text": "\ud800"}),
        ("findings", {"files": "a.kb"}), ("format", {"file": "a.txt"}), ("run", {"file": "a.kb"}),
    ],
)  # fmt: skip
def test_what_cannot_be_answered_is_refused(
    service: Service, method: str, given: dict[str, Any]
) -> None:
    with pytest.raises(Refused):
        service.answer(method, given)


def test_lints_are_given_up_when_nobody_wants_them(service: Service, home: Path) -> None:
    with pytest.raises(Cancelled):
        service.answer("lints", {"file": str(home / "rules/rowers.kb")}, lambda: True)


def test_places_are_flattened_and_counted_as_a_browser_does() -> None:
    units = BrowserUnits(lambda file: "\U0001f40c mine", lambda file: file.removeprefix("/box/"))
    edit = TextEdit(Place("/box/a.kb", 2, 6), "yours")
    assert units.table([edit]) == [{"path": "a.kb", "from": 3, "to": 7, "text": "yours"}]
    elsewhere = BrowserUnits(lambda file: "", lambda file: "")
    assert elsewhere.table(edit) == {"path": "", "from": 0, "to": 0, "text": "yours"}
