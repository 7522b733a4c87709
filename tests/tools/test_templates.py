"""What holds for every template."""

from __future__ import annotations

import pytest
from jinja2 import UndefinedError

from kbrules.tools.reports.report import environment


def test_text_is_escaped_and_an_unknown_name_is_an_error() -> None:
    made = environment().from_string("<p>{{ text }}</p>")
    assert made.render(text="<b>&\"'") == "<p>&lt;b&gt;&amp;&#34;&#39;</p>"
    with pytest.raises(UndefinedError):
        made.render()


def test_every_template_can_be_read() -> None:
    names = environment().list_templates()
    assert names
    for name in names:
        environment().get_template(name)
