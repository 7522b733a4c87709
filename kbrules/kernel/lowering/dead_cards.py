"""Which cards have no hex open for a verb, in the text of a kernel.

opening: writes the hexes that are open for a verb.
"""

from __future__ import annotations

from collections.abc import Callable

from kbrules.kernel.lowering.scope import Scope

Opening = Callable[[str, Scope], str]


def dead(opening: Opening, verb: str, scope: Scope) -> str:
    """Which card face up is the first with no hex open for a verb."""
    fn = scope.fn
    found = fn.new_local("0")
    with fn.block(f"if M[SHOWN] > 0 and not some({opening(verb, scope)}):"):
        with fn.block("if terrain_played(M) != -1:"):
            fn.line(f"{found} = 1")
        with fn.block("else:"):
            i, at = fn.new_local("0"), fn.new_local("0")
            with fn.block(f"while {found} == 0 and {i} < M[SHOWN]:"):
                fn.line(f"{at} = SHOWS + M[SHOWN + 1 + {i}] * SHOWS_SIZE")
                is_open = _any_open(opening, verb, at, "-1", scope)
                fn.line(f"{i} += 1")
                with fn.block(f"if not {is_open}:"):
                    fn.line(f"{found} = {i}")
    return found


def stuck(opening: Opening, verb: str, scope: Scope) -> str:
    """Whether the terrain chosen has no hex open, but another of the same card has."""
    fn = scope.fn
    found = fn.new_local("False")
    with fn.block(f"if M[CHOICE] != -1 and not some({opening(verb, scope)}):"):
        at = fn.new_local("SHOWS + M[SHOWN + 1] * SHOWS_SIZE")
        chosen = fn.new_local("M[CHOICE]")
        fn.line(f"{found} = {_any_open(opening, verb, at, chosen, scope)}")
    return found


def all_cards_dead(opening: Opening, verb: str, scope: Scope) -> str:
    """Whether there are cards to draw, and none of them shows a hex open for a verb."""
    fn = scope.fn
    found, card, at = (
        fn.new_local("cards_in(M, 0) + cards_in(M, 1) > 0"),
        fn.new_local("0"),
        fn.new_local("0"),
    )
    with fn.block(f"while {found} and {card} < CARDS_KINDS:"):
        with fn.block(f"if M[PILES + {card}] + M[PILES + CARDS_KINDS + {card}] > 0:"):
            fn.line(f"{at} = SHOWS + {card} * SHOWS_SIZE")
            with fn.block(f"if {_any_open(opening, verb, at, '-1', scope)}:"):
                fn.line(f"{found} = False")
        fn.line(f"{card} += 1")
    return found


def _any_open(opening: Opening, verb: str, at: str, but: str, scope: Scope) -> str:
    """Whether a card, of which the record lies there, has a terrain with a hex open."""
    fn = scope.fn
    is_open, choice, j = fn.new_local("False"), fn.new_local("M[CHOICE]"), fn.new_local("0")
    with fn.block(f"for {j} in range(M[{at}]):"), fn.block(f"if M[{at} + 1 + {j}] != {but}:"):
        fn.line(f"M[CHOICE] = M[{at} + 1 + {j}]")
        fn.line(f"{is_open} = {is_open} or some({opening(verb, scope)})")
    fn.line(f"M[CHOICE] = {choice}")
    return is_open
