"""A real browser, headless; where there is none these tests skip and say how to get one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from kbrules.tools.workshop.serving import WorkshopServer
from tests.browser.workshop_page import opened_workshop as opened, serving

NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A Chromium of this machine, driven by playwright; closed after each module of tests."""
    program = next(filter(None, map(which, NAMES)), None)
    if program is None:
        pytest.skip("no chromium here; as root on Debian .ci/install-chromium brings one")
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[WorkshopServer]:
    """The workshop on a copy of the test box."""
    with serving(tmp_path) as (server, _):
        yield server


@pytest.fixture
def folder(served: WorkshopServer, tmp_path: Path) -> Path:
    """The folder that is served."""
    return tmp_path / "dale"


@pytest.fixture
def page(served: WorkshopServer, browser: Any) -> Iterator[Any]:
    """Its page, watched."""
    with opened(browser, served.address) as page:
        yield page
