"""Every shipped option says which question it answers, and where that is asked."""

from __future__ import annotations

import re

import pytest

from kbrules.lang.syntax import tree
from kbrules.tools.show import shipped_options


@pytest.mark.parametrize(
    "option", [option for _, option in shipped_options()], ids=lambda option: option.name.text
)
def test_an_option_has_a_question_and_a_section_of_the_rule_book(option: tree.Option) -> None:
    assert option.question.endswith("?")
    assert re.match(r"[0-9]+\.[0-9]+\b", option.source)
