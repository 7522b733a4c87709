"""Writing out what happens: facts written into the draft, and the rules that follow them."""

from __future__ import annotations

from collections.abc import Mapping

from kbrules.compile.steps.plan import Asked
from kbrules.compile.steps.scribe import SEAT, Scribe
from kbrules.lang.core import Block, Doing, Each, If, Lit, Repeat, Step, Trigger
from kbrules.library.ruleset import Owned

HELD = ("take", "lose", "restock", "withdraw", "add")
"""Steps to which nothing happens if they are given no hexes."""


def take_draft(pen: Scribe) -> None:
    """From here on there is a draft to write to."""
    pen.line("d = draft_of(state)")
    if pen.tells:
        pen.line("t.draft = d")


def write_seat(pen: Scribe) -> None:
    """Put the parts of the seat of `me` together again."""
    pen.line(f"seat = seat_of(({', '.join(SEAT)}))")
    if pen.plan.players == 2:
        pen.line("seats = d.seats")
        pen.line("d.seats = (seats[0], seat) if me else (seat, seats[1])")
    else:
        pen.line("d.seats = with_item(d.seats, me, seat)")


def replaced(part: str, index: int, value: str, size: int) -> str:
    """A tuple with one item replaced, written out."""
    items = [value if i == index else f"{part}[{i}]" for i in range(size)]
    return f"({', '.join(items)},)"


def happened(pen: Scribe, event: str) -> None:
    """Let whoever wants to know what happened know it; the draft is up to date."""
    if pen.tells:
        pen.line(f"note(t, {event})")


def built(pen: Scribe, kind: int) -> None:
    """A piece came from the supply to `here`."""
    size = len(pen.plan.ruleset.catalog.pieces)
    pen.seat("mine")
    pen.occupied()
    pen.line(f"pieces = {replaced('pieces', kind, f'pieces[{kind}] | here', size)}")
    pen.line("mine |= here")
    pen.line(f"supply = {replaced('supply', kind, f'supply[{kind}] - 1', size)}")
    pen.line("d.occupied = occupied = occupied | here")
    write_seat(pen)
    pen.changed()
    happened(pen, f"Built(me, {kind}, hex, False)")


def moved(pen: Scribe) -> None:
    """The first piece of `me` that is of the main kind went from `origin` to `here`."""
    size = len(pen.plan.ruleset.catalog.pieces)
    pen.seat("mine")
    pen.occupied()
    pen.line(f"pieces = {replaced('pieces', 0, 'pieces[0] & ~origin | here', size)}")
    pen.line("mine = mine & ~origin | here")
    pen.line("d.occupied = occupied = occupied & ~origin | here")
    write_seat(pen)
    pen.changed()
    happened(pen, "Moved(me, 0, chosen[0], hex)")


def used(pen: Scribe, path: str, kind: int) -> None:
    """An action was begun: that of a tile of a kind, or one that may be used once a turn."""
    if kind < 0:
        pen.line(f"d.used = (*d.used, {pen.bound(path)})")
    else:
        pen.seat("tiles")
        pen.line(f"tiles = with_used(tiles, {kind})")
        pen.changed()
        if pen.tells:
            write_seat(pen)
    happened(pen, f"Used(me, {pen.bound(path)}, {kind})")


# what follows


class Following:
    """The rules that follow events, written out behind the event.

    `pending` is a text for the stack as it is while they act.
    """

    def __init__(self, pen: Scribe, pending: str) -> None:
        self._pen = pen
        self._pending = pending
        self._calls = False

    def told(self, event: str, made: str, binds: Mapping[str, str]) -> None:
        """Let every rule act that waits for an event."""
        pen = self._pen
        triggers = pen.plan.triggers.get(event, ())
        if not triggers:
            return
        before, env, pending = pen.variables, pen.env, pen.pending
        pen.pending = self._pending
        pen.variables = {**before, **binds}
        pen.env = _env(pen, binds)
        start = len(pen.lines)
        for trigger, owner in triggers:
            with pen.at(trigger.span):
                self._in_play(made, trigger, owner)
        self.finished(start)
        pen.variables, pen.env, pen.pending = before, env, pending

    def _in_play(self, made: str, trigger: Trigger, owner: Owned) -> None:
        """A rule acts, if it hangs on a card only where that lies on the table."""
        if owner.card < 0:
            self._one(made, trigger, owner)
            return
        with self._pen.under(f"if K.c{owner.card}:"):
            self._one(made, trigger, owner)

    def _one(self, made: str, trigger: Trigger, owner: Owned) -> None:
        pen = self._pen
        loops = _is_instant(trigger.body) and not _is_plain(trigger.body)
        if trigger.offered or trigger.who != "me" or loops:
            if owner.tile >= 0:
                with pen.under(f"if somebody_holds(d, {owner.tile}):"):
                    self._called(made, trigger)
            else:
                self._called(made, trigger)
            return
        tests = [f"held({pen.seat('tiles')}, {owner.tile})"] if owner.tile >= 0 else []
        self._if(tests, trigger, owner)

    def _if(self, tests: list[str], trigger: Trigger, owner: Owned) -> None:
        pen = self._pen
        guard = None if trigger.guard is None else pen.plan.decided(trigger.guard)
        if isinstance(guard, Lit):
            if not guard.value:
                pen.line("pass")
                return
            guard = None
        if guard is not None and not tests:
            tests = [pen.text(guard)]
            guard = None
        with pen.under(f"if {tests[0] if tests else 'True'}:"):
            if guard is None:
                self._block(trigger.body, owner.rule.id)
                return
            with pen.under(f"if {pen.text(guard)}:"):
                self._block(trigger.body, owner.rule.id)

    def _block(self, block: Block, rule: str) -> None:
        if not _is_plain(block):
            self._at_table()
            frame = f"frame_of(({self._pen.bound(block.path)}, 0, me, {self._pen.env}, (), 0, ()))"
            self._pen.line(f"if len(now) < {self._pen.plan.most_nested}: t.begun.append({frame})")
            return
        start = len(self._pen.lines)
        for doing in block.steps:
            self._doing(doing, rule)
        if len(self._pen.lines) == start:
            self._pen.line("pass")

    def _doing(self, doing: Doing, rule: str) -> None:
        pen = self._pen
        if isinstance(doing, If):
            condition = pen.text(pen.plan.decided(doing.condition))
            with pen.under(f"if {condition}:"):
                self._block(doing.body, rule)
            if doing.other is not None:
                with pen.under("else:"):
                    self._block(doing.other, rule)
            return
        assert isinstance(doing, Step)
        self.instant(pen.plan.asked(doing), rule)

    def instant(self, asked: Asked, rule: str) -> None:
        """A step that happens at once: by the code of its word, if it does anything."""
        pen = self._pen
        known = INSTANT.get(asked.step.name)
        if known is not None and known(pen, asked):
            return
        values = [_value(pen, asked, i) for i in range(len(asked.values))]
        tests = _idle(pen, asked, values)
        if tests:
            with pen.under(f"if {tests}:"):
                self._call_word(asked, rule, values)
        else:
            self._call_word(asked, rule, values)

    def _call_word(self, asked: Asked, rule: str, values: list[str]) -> None:
        pen = self._pen
        self._at_table()
        pen.line(f"t.rule = {pen.bound(rule)}")
        pen.line(f"{pen.bound(asked.word.code)}({', '.join(['t', 'me', *values])})")
        pen.lines_again()

    def _called(self, made: str, trigger: Trigger) -> None:
        """A rule of which it takes looking around acts as the machine lets it act."""
        self._at_table()
        pen = self._pen
        pen.line(f"K.follow(t, {made}, {pen.bound(trigger)})")
        pen.lines_again()

    def _at_table(self) -> None:
        """From here on there is a table, and the draft has the stack it should have."""
        pen = self._pen
        self._calls = True
        if not pen.tells:
            pen.line("if t is None: t = K.table(d)")
        pen.line(f"if now is None: d.stack = now = {self._pending}")

    def finished(self, start: int) -> None:
        """Close what was written since a line; to be called behind steps that happen at once."""
        if self._calls:
            pen = self._pen
            pen.lines.insert(start, pen.indented("now = None"))
            self._settled()

    def _settled(self) -> None:
        """What words did may have set off more; if that must ask somebody, the machine goes on."""
        pen = self._pen
        with pen.under("if now is not None:"):
            pen.line("if t.news or t.begun: K.tell(t)")
            pen.line("stack_now = d.stack")
            pen.line("if stack_now is not now: return run_top(K, t, d, stack_now)")
            pen.lines_again()


def _is_plain(block: Block) -> bool:
    """Whether it is made of steps that happen at once, and `if`."""
    return all(
        (isinstance(d, Step) and not _asks(d))
        or (isinstance(d, If) and _is_plain(d.body) and (d.other is None or _is_plain(d.other)))
        for d in block.steps
    )


def _is_instant(block: Block) -> bool:
    """Whether nobody and no card is asked in it, so that it is done before anything goes on."""
    return all(
        (isinstance(d, Step) and not _asks(d))
        or (isinstance(d, If) and all(map(_is_instant, (d.body, *([d.other] if d.other else [])))))
        or (isinstance(d, Repeat) and not d.may_stop and _is_instant(d.body))
        or (isinstance(d, Each) and _is_instant(d.body))
        for d in block.steps
    )


def _asks(step: Step) -> bool:
    from kbrules.primitives.vocabulary import step_words

    word = step_words()[step.name]
    return bool(word.asks or word.outcomes or word.is_offers or word.is_reuse)


def _env(pen: Scribe, binds: Mapping[str, str]) -> str:
    pairs = [f"{pen.bound(name)}: {text}" for name, text in binds.items()]
    return f"{{{', '.join(pairs)}}}"


def _value(pen: Scribe, asked: Asked, index: int) -> str:
    value = asked.values[index]
    return "None" if value is None else pen.keep(pen.text(value))


def _idle(pen: Scribe, asked: Asked, values: list[str]) -> str:
    """A test for whether a step does anything; empty if that is not known."""
    name = asked.step.name
    if name == "lose":
        pen.seat("tiles")
        return f"from_there(tiles, {values[0]})"
    return values[0] if name in HELD else ""


# steps that are written out


def _last_round(pen: Scribe, asked: Asked) -> bool:
    with pen.under("if not d.ending:"):
        pen.line("d.ending = True")
        happened(pen, "LastRound(me)")
    return True


def _ready(pen: Scribe, asked: Asked) -> bool:
    given = asked.values[0]
    held = "0" if given is None else pen.keep(f"K.full & ~({pen.text(given)})")
    pen.seat("tiles")
    with pen.under(f"if unready(tiles, {held}):"):
        pen.line(f"tiles = readied(tiles, {held})")
        write_seat(pen)
        happened(pen, f"Readied(me, {held})")
    pen.changed()
    return True


def _play(pen: Scribe, asked: Asked) -> bool:
    pen.seat("hand")
    with pen.under("if hand:"):
        pen.line("d.shown = (*d.shown, *hand)")
        pen.line("hand = ()")
        write_seat(pen)
        happened(pen, "Played(me)")
    pen.changed()
    return True


def _discard(pen: Scribe, asked: Asked) -> bool:
    with pen.under("if d.shown or d.aside:"):
        pen.line("discard(d)")
        happened(pen, "Cleared(me, 'discards')")
    pen.changed()
    return True


def _add(pen: Scribe, asked: Asked) -> bool:
    name = _memory_slot(pen, asked, 1)
    if name is None:
        return False
    scope, slot = name
    what = pen.text(_given(asked, 0))
    pen.seat("memory")
    held = f"d.memory[{slot}]" if scope == "table" else f"memory[{slot}]"
    value = pen.keep(f"{held} | {what}")
    _remembered(pen, scope, slot, held, value)
    return True


def _remembered(pen: Scribe, scope: str, slot: int, held: str, value: str) -> None:
    with pen.under(f"if {value} != {held}:"):
        if scope == "table":
            pen.line(f"d.memory = with_item(d.memory, {slot}, {value})")
            happened(pen, f"Remembered(-1, {slot}, {value})")
        else:
            pen.line(f"memory = with_item(memory, {slot}, {value})")
            write_seat(pen)
            happened(pen, f"Remembered(me, {slot}, {value})")
    pen.changed()


def _memory_slot(pen: Scribe, asked: Asked, index: int) -> tuple[str, int] | None:
    value = asked.values[index]
    return pen.plan.ruleset.memories[value.value] if isinstance(value, Lit) else None


def _given(asked: Asked, index: int) -> Lit:
    value = asked.values[index]
    assert value is not None
    return value  # type: ignore[return-value]


INSTANT = {
    "add": _add,
    "discard": _discard,
    "last_round": _last_round,
    "play": _play,
    "ready": _ready,
}
"""By the name of a step's signature: writes it out, or says that it cannot."""
