"""What a program keeps up to date and nobody asks is taken out of it."""

from __future__ import annotations

from kbrules.compile.whole.unread import NEAR, unread, without

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


def left(*others: str) -> str:
    """What is left of the function that plays, beside others."""
    texts = [PLAYING, *others]
    return without(texts, unread(texts, ()))[0]


def test_what_nobody_asks_is_left_out() -> None:
    assert left("def f0(t):\n    return 0\n") == FEWER


def test_what_another_function_asks_stays() -> None:
    found = left("def f0(t):\n    return seat.near & t.occupied\n")
    assert "seat.near |= nearby[hex]" in found
    assert "t.required" not in found


def test_what_may_be_asked_later_stays() -> None:
    found = without([PLAYING], unread([PLAYING], [NEAR]))[0]
    assert "seat.near |= nearby[hex]" in found
    assert "t.required" not in found


def test_what_a_word_might_ask_stays() -> None:
    for call in ("k3(t, me)", "k3(view)", "k3(b0 & ~f1(t), 2)", "tell(t)"):
        found = left(f"def f0(t):\n    return {call}\n")
        assert "t.stage = ('turn', turn)" in found
        assert "t.required" not in found


def test_what_is_asked_in_the_text_stays() -> None:
    found = left("def f0(t):\n    return (t.stage[0] == 'finish')\n")
    assert "t.stage = ('turn', turn)" in found
