"""The pages of the public Python names: each name, each docstring, each member."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from typing import Any

import pytest

import kbrules
from kbrules.tools.docs.content import Navigation
from kbrules.tools.docs.python_pages import (
    PYTHON,
    PythonDefinition,
    members,
    public_names,
    python_pages,
)
from tests.tools.site.site_reader import Found, read_page

ALL = list(python_pages())
PAGES: dict[str, Found] = {page.path: read_page(Navigation(ALL).html(page)) for page in ALL}
OFFERED, OTHERS = public_names()
KNOWN = {each.name: each for each in (*OFFERED, *OTHERS)}
RETURNED = {"Batch", "Board", "Outcome", "Playthrough", "Replay"}


def page_of(definition: PythonDefinition) -> Found:
    """The page of a class or a function."""
    return PAGES[f"python/{'class' if definition.is_class else 'function'}-{definition.name}.html"]


def thing_of(definition: PythonDefinition) -> Any:
    """The class or function itself."""
    return getattr(import_module(definition.module), definition.name)


def plain(text: str) -> str:
    """A text without the marks of code and with single blanks."""
    return re.sub(r"\s+", " ", text.replace("`", "")).strip()


def test_every_public_name_has_a_page_that_the_list_leads_to() -> None:
    assert {each.name for each in OFFERED} == set(kbrules.__all__)
    assert {each.name for each in OTHERS} > RETURNED
    assert len({path.lower() for path in PAGES}) == len(PAGES) == len(KNOWN) + 1
    assert set(PAGES) - {PYTHON} <= {link.removeprefix("../") for link in PAGES[PYTHON].links}
    assert all(page.wrong == [] for page in PAGES.values())


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_every_docstring_is_there(name: str) -> None:
    thing, text = thing_of(KNOWN[name]), plain(page_of(KNOWN[name]).text)
    said = inspect.getdoc(thing)
    assert said and plain(said) in text
    shown = {each.name: each for each in members(KNOWN[name])}
    assert [each.name for each in shown.values() if not each.written] == []
    own = {n: v for n, v in vars(thing).items() if not n.startswith("_")}
    for member, value in own.items() if inspect.isclass(thing) else ():
        if inspect.isfunction(value) or isinstance(value, property | classmethod | staticmethod):
            told = inspect.getdoc(value) or ""
            assert told and plain(told) in text, f"{name}.{member} has no docstring"
            assert member in shown


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_every_parameter_is_there(name: str) -> None:
    """What is read from the source is what Python says of the running program."""
    thing, text = thing_of(KNOWN[name]), plain(page_of(KNOWN[name]).text)
    has_parameters = hasattr(thing, "_fields") or hasattr(thing, "__code__")
    if not has_parameters and not hasattr(thing.__init__, "__code__"):
        return  # it has those of a class of Python
    written = text.split(f"{name}(", 1)[-1].split(" In kbrules.", 1)[0]
    parameters = inspect.signature(thing).parameters
    assert [each for each in parameters if not re.search(rf"\b{each}\b", written)] == []


def test_a_signature_names_values_and_leads_to_classes() -> None:
    page = PAGES["python/class-Game.html"]
    assert "playthrough(seed: int, engine: str = 'python') -> Playthrough" in page.text
    assert "../python/class-Playthrough.html" in page.links
    assert "playthrough" in page.ids
    moves = PAGES["python/class-IllegalMove.html"].text
    assert "IllegalMove(refusal: Refusal)" in moves
