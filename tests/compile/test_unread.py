"""What a program keeps up to date and nobody asks is taken out of it."""

from __future__ import annotations

from kbrules.compile.whole.unread import unread

PLAYING = """\
def play(t):
    t.stage = ('turn', turn)
    t.required = True
    seat.near |= nearby[hex]
    t.stage, t.over = ('over', 0), True
    t.required = False
"""
FEWER = """\
def play(t):
    t.stage, t.over = ('over', 0), True
"""


def test_what_nobody_asks_is_left_out() -> None:
    assert unread([PLAYING, "def f0(t):\n    return 0\n"])[0] == FEWER


def test_what_another_function_asks_stays() -> None:
    asking = "def f0(t):\n    return seat.near & t.occupied\n"
    found = unread([PLAYING, asking])
    assert "seat.near |= nearby[hex]" in found[0]
    assert "t.required" not in found[0]
    assert found[1] == asking


def test_what_a_word_might_ask_stays() -> None:
    for call in ("k3(t, me)", "k3(view)", "k3(b0 & ~f1(t), 2)", "tell(t)"):
        found = unread([PLAYING, f"def f0(t):\n    return {call}\n"])
        assert "t.stage = ('turn', turn)" in found[0]
        assert "t.required" not in found[0]


def test_what_is_asked_in_the_text_stays() -> None:
    found = unread([PLAYING, "def f0(t):\n    return (t.stage[0] == 'finish')\n"])
    assert "t.stage = ('turn', turn)" in found[0]
