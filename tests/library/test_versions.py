"""Versions and ranges of versions, held against those of `packaging`."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from kbrules.library.models import Expansion
from kbrules.library.versions import NEED, VERSION, read_need
from tests.library.written import box

NUMBERS = st.integers(0, 12).map(str)
VERSIONS = st.lists(NUMBERS, min_size=1, max_size=4).map(".".join)
CONDITIONS = st.tuples(st.sampled_from([">=", "<", "=="]), st.sampled_from(["", " "]), VERSIONS)
RANGES = st.lists(CONDITIONS.map("".join), min_size=1, max_size=4).map(", ".join)


@given(VERSIONS, RANGES)
def test_a_range_means_what_it_means_to_others(version: str, range: str) -> None:
    assert re.fullmatch(VERSION, version) and re.fullmatch(NEED, f"orchard {range}")
    need = read_need(f"orchard {range}")
    assert (need.id, need.range) == ("orchard", range)
    assert need.holds(version) is SpecifierSet(range).contains(Version(version))


def test_without_a_range_any_version_will_do() -> None:
    need = read_need("orchard")
    assert need.holds("") and need.holds("0") and need.holds("7.1")


def test_a_box_without_a_version_counts_as_0() -> None:
    assert read_need("orchard <1").holds("") and not read_need("orchard >=0.1").holds("")


@pytest.mark.parametrize(
    "text",
    ["orchard>=1", "orchard 1", "orchard >1", "orchard ~=1", "orchard >=01", "orchard >=1,", "Or",
     "orchard >=1.2.3.4.5", "orchard  >=1", "orchard >=1 <2", "orchard >=1000000"],
)  # fmt: skip
def test_what_is_no_range(text: str) -> None:
    assert re.fullmatch(NEED, text) is None


def test_the_model_takes_both() -> None:
    model: Expansion = box("version: '1.10'\nneeds: [base, 'orchard >=1.2, <2']\n").model
    assert model.version == "1.10"
    assert [need.id for need in model.needed] == ["base", "orchard"]
