"""Why not here: the clauses of the deciding step, asked one by one of the same evaluator."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import and_

from kbrules.diagnostics import quoted, suggest
from kbrules.engine.playable import Playable
from kbrules.engine.refusal import Reason, Refusal, nearest
from kbrules.game.moves import CHANCE, Move
from kbrules.game.notation import write_move
from kbrules.game.shown import is_open
from kbrules.game.slips import OWN_VERBS
from kbrules.game.state import READY, State
from kbrules.game.view import REPEATED, View
from kbrules.hex.masks import Mask
from kbrules.lang.core import Block, Call, Doing, Each, Either, Expr, If, Repeat, Step, walk_blocks
from kbrules.library.ruleset import Offer
from kbrules.plan.sources import BOTH
from kbrules.primitives.hexes import spread
from kbrules.reference.offers import serves_again
from kbrules.text import Span


def explain(game: Playable, state: State, move: Move) -> Refusal:
    """The refusal of a move in a state; without a reason if the move is legal."""
    text = write_move(move, game.board)
    moves = game.legal_moves(state)
    if moves.group_of(move) is not None:
        return Refusal(text, ())
    if state.is_over:
        return Refusal(text, (Reason("end", "the game is over"),))
    if moves.player == CHANCE:
        what = "a card is about to be drawn" if moves.weights else "chance is about to choose"
        return Refusal(text, (Reason("deck", what),))
    if move.hex >= 0 and move.verb != "draw" and not game.board.grid.full >> move.hex & 1:
        return Refusal(text, (Reason("board", f"no hex has the index {move.hex}"),))
    reasons = tuple(_reasons(game, state, move)) or (Reason("turn", "it is not offered now"),)
    legal = 0
    for group in moves.groups:
        if group.verb == move.verb and group.rule == move.rule:
            legal |= group.hexes
    close = nearest(game.board.grid, legal, move.hex) if move.hex >= 0 and legal else ()
    return Refusal(text, reasons, close)


def deciding_steps(
    game: Playable, state: State, move: Move
) -> list[tuple[Step, View, tuple[int, ...]]]:
    """The steps that may decide about a move, the one its refusal speaks of first.

    Each comes with the table as its player sees it and the hexes already chosen for it. There is
    none where nobody decides, or where the move's rule offers nothing.
    """
    moves = game.legal_moves(state)
    if state.is_over or moves.player == CHANCE:
        return []
    asked = _asked_step(game, state, move)
    if asked is not None:
        return [asked]
    view, reuse = _seen(game, state)
    block, _ = _beginning(game, view, move, reuse)
    if block is None:
        return []
    inside = game.program.inside(view, block.path)
    first = _first_step(game, block, inside, move.verb)
    steps = [pair for pair in _first_steps(game, block, inside) if pair != first]
    return [(*pair, ()) for pair in ([first] if first else []) + steps]


def _reasons(game: Playable, state: State, move: Move) -> Iterator[Reason]:
    if move.verb == "draw":
        yield Reason("deck", "no card is to be drawn now")
    elif move.verb == "choose":
        yield Reason("cards", f"`{move.rule}` is not to be chosen now")
    elif move.verb == "end":
        yield from _still_required(game, state)
    else:
        yield from _against_action(game, state, move)


def _against_action(game: Playable, state: State, move: Move) -> Iterator[Reason]:
    """Against what a step asks now, or against beginning an action."""
    found = _asked_step(game, state, move)
    if found is not None:
        step, view, chosen = found
        rule = game.ruleset.rule_of(step)
        asked = game.choices.asking(step).names[len(chosen)]
        if move.rule not in ("", rule) or move.verb not in ("", asked):
            yield Reason(rule, f"`{asked}` is to be chosen first", step.span)
        else:
            yield from _against(game, step, view, chosen, move.hex)
        return
    strange = _strange_verb(game, move)
    if strange is not None:
        yield strange
        return
    view, reuse = _seen(game, state)
    block, reason = _beginning(game, view, move, reuse)
    if reason is not None:
        yield reason
    elif block is not None:
        yield from _against_first(game, block, game.program.inside(view, block.path), move)


def _against_first(game: Playable, block: Block, view: View, move: Move) -> Iterator[Reason]:
    """Against the step that a block begins with."""
    found = _first_step(game, block, view, move.verb)
    if found is None:
        return
    step, view = found
    names = game.choices.asking(step).names
    if not names:
        text = f"`{step.verb}` comes first: begin with `{move.rule}: use`"
        if move.verb == "use":
            text = f"`{step.span.text}` has nothing to do"
        yield Reason(move.rule, text, step.span)
    elif move.verb in names[1:]:
        yield Reason(move.rule, f"`{names[0]}` is to be chosen first", step.span)
    else:
        yield from _against(game, step, view, (), move.hex)


def _strange_verb(game: Playable, move: Move) -> Reason | None:
    """That the actions of a rule have no such verb, and which they have."""
    offers = [o for o in game.program.offers.values() if o.owner.rule.id == move.rule]
    blocks = (block for offer in offers for block in walk_blocks(offer.action.body))
    steps = (doing for block in blocks for doing in block.steps if isinstance(doing, Step))
    verbs = {verb for step in steps for verb in game.choices.asking(step).names}
    if not verbs or move.verb in {*verbs, *OWN_VERBS}:
        return None
    near = suggest(move.verb, verbs)
    known = f"did you mean {quoted(near)}?" if near else _listed(verbs)
    return Reason(move.rule, f"it knows no {quoted(move.verb)}; {known}", offers[0].action.span)


def _listed(verbs: Iterable[str]) -> str:
    return "it knows " + ", ".join(quoted(verb) for verb in sorted(verbs))


def _still_required(game: Playable, state: State) -> Iterator[Reason]:
    for group in game.legal_moves(state).groups:
        offer = game.program.offers.get(group.path)
        if offer is not None and offer.action.required:
            yield Reason(group.rule, "it is required before the turn ends", offer.action.span)


def _asked_step(
    game: Playable, state: State, move: Move
) -> tuple[Step, View, tuple[int, ...]] | None:
    """The step that is asking now, if the move is meant for it."""
    frame, doing = state.stack[-1], _asked(game, state)
    if not isinstance(doing, Step) or not game.choices.word(doing).asks:
        return None
    return doing, game.view(state, frame.me, frame.env), frame.chosen


def _asked(game: Playable, state: State) -> Doing | None:
    """What is to be done now."""
    frame = state.stack[-1]
    block = game.ruleset.blocks.get(frame.block)
    steps = () if block is None else block.steps
    return steps[frame.pc] if frame.pc < len(steps) else None


def _asked_branches(game: Playable, state: State, move: Move) -> Block | None:
    """The branches of the move's rule of which one is to be begun now."""
    path, doing = state.stack[-1].block, _asked(game, state)
    if not isinstance(doing, Either) or path.split("/", 2)[1] != move.rule:
        return None
    return Block(path, (doing,))


def _seen(game: Playable, state: State) -> tuple[View, Step | None]:
    """The table as whoever decides sees it, and the step that lets them reuse a tile, if any."""
    frame, doing = state.stack[-1], _asked(game, state)
    view = game.view(state, game.legal_moves(state).player, frame.env)
    if isinstance(doing, Step) and game.choices.word(doing).is_reuse:
        return view.bound(REPEATED, True), doing
    return view, None


def _beginning(
    game: Playable, view: View, move: Move, reuse: Step | None
) -> tuple[Block | None, Reason | None]:
    """What a move would begin, and why that cannot be begun at all."""
    branches = _asked_branches(game, view.state, move)
    if branches is not None:
        return branches, None
    asked = game.program.questions.get(view.state.stack[-1].block)
    if asked is not None:
        owner, block = game.program.reactions[asked], game.ruleset.blocks[asked]
        other = Reason(owner.rule.id, "it is to be used first, or to be stopped")
        return block, None if move.rule == owner.rule.id else other
    found = _action_block(game, move)
    if found is not None:
        if reuse is not None:
            return found, _not_served(game, view, found, reuse)
        return found, _not_offered(game, view, found)
    if any(owner.rule.id == move.rule for owner in game.program.reactions.values()):
        return None, Reason(move.rule, "it is a reaction, and waits for what others do")
    return None, Reason(move.rule, "no rule of that name offers it")


def _action_block(game: Playable, move: Move) -> Block | None:
    for offer in game.program.offers.values():
        if offer.owner.rule.id == move.rule:
            return offer.action.body
    return None


def _not_served(game: Playable, view: View, block: Block, reuse: Step) -> Reason | None:
    """Why an action cannot be begun once more: by no tile that serves, or guarded."""
    offer = game.program.offers[block.path]
    places = game.program.evaluate(next(a for a in reuse.arguments if a is not None), view)
    tiles = [t for t in view.state.seats[view.me].tiles if t.kind == offer.owner.tile]
    rule = game.ruleset.rule_of(reuse)
    if offer.owner.rule.id == rule or not any(serves_again(tile, places) for tile in tiles):
        return Reason(rule, f"`{reuse.span.text}` does not serve for it", reuse.span)
    return _guarded(game, view, offer)


def _guarded(game: Playable, view: View, offer: Offer) -> Reason | None:
    guard = offer.action.guard
    if guard is None or game.program.evaluate(guard, view):
        return None
    return Reason(offer.owner.rule.id, f"`{guard.span.text}` does not hold", offer.action.span)


def _not_offered(game: Playable, seen: View, block: Block) -> Reason | None:
    """Why an action as a whole cannot be begun: used, not held, held but fresh, guarded."""
    offer, state, me = game.program.offers[block.path], seen.state, seen.me
    rule, span = offer.owner.rule.id, offer.action.span
    if offer.path in state.used:
        return Reason(rule, "it was done this turn", span)
    if offer.path in game.program.needing and is_open(state, game.board):
        return Reason(rule, "a terrain of the cards face up is to be chosen first", span)
    if offer.owner.tile >= 0:
        tiles = [t for t in state.seats[me].tiles if t.kind == offer.owner.tile]
        if not tiles:
            return Reason(rule, "the player holds no such tile", span)
        if all(tile.status != READY for tile in tiles):
            used = tiles[0].status
            text = "the tile was used this turn" if used == "used" else "the tile is new this turn"
            return Reason(rule, text, span)
    return _guarded(game, seen, offer)


def _first_step(game: Playable, block: Block, view: View, verb: str) -> tuple[Step, View] | None:
    """The step a block begins with; of several branches one that knows the verb, or asks at all."""
    found = list(_first_steps(game, block, view))
    asking = [pair for pair in found if game.choices.asking(pair[0]).names]
    meant = [pair for pair in asking if verb in game.choices.asking(pair[0]).names]
    return next(iter(meant or asking or found), None)


def _first_steps(game: Playable, block: Block, view: View) -> Iterator[tuple[Step, View]]:
    doing = block.steps[0] if block.steps else None
    if isinstance(doing, Step):
        yield doing, view
    elif isinstance(doing, Repeat | If):
        yield from _first_steps(game, doing.body, view)
    elif isinstance(doing, Either):
        for body in doing.bodies:
            yield from _first_steps(game, body, view)
    elif isinstance(doing, Each):
        domain = game.program.evaluate(doing.domain, view)
        for item in spread(domain) if isinstance(domain, int) else domain:
            yield from _first_steps(game, doing.body, view.bound(doing.variable, item))


def _against(
    game: Playable, step: Step, view: View, chosen: tuple[int, ...], hex: int
) -> Iterator[Reason]:
    """The clauses that stand against choosing a hex for a step."""
    word = game.choices.word(step)
    rule = game.ruleset.rule_of(step)
    if word.can is not None and not word.can(view, *game.choices.values(step, view)):
        yield Reason(rule, "no such piece is left in the supply", step.span)
        return
    ask = word.asks[len(chosen)]
    if hex < 0:
        yield Reason(rule, f"`{step.verb}` needs a hex", step.span)
    elif not ask.verb:
        yield from _against_source(game, step, view, ask.phrase, hex)
    else:
        seen = game.choices.lifted(view, chosen[0]) if word.lifts else view
        yield from _against_target(game, step, seen, ask.phrase, ask.verb, hex)


def _against_source(
    game: Playable, step: Step, view: View, phrase: str, hex: int
) -> Iterator[Reason]:
    expr = game.choices.phrase(step, phrase)
    rule = game.ruleset.rule_of(step)
    if expr is not None and not game.program.evaluate(expr, view) >> hex & 1:
        yield from _outside(game, rule, expr, view, 1 << hex)
    elif not view.state.occupied >> hex & 1:
        yield Reason(rule, "there is no piece", step.span)
    elif not game.choices.asking(step).pieces(view) >> hex & 1:
        yield Reason(rule, _unfit(game, step), step.span)
    else:
        yield Reason(rule, "this piece has nowhere to go", step.span)


def _unfit(game: Playable, step: Step) -> str:
    """Why a step does not take up the piece that is there."""
    kind = game.choices.phrase(step, "piece")
    if kind is None:
        return "a piece of several hexes is never moved"
    return f"the piece there is no `{_words(kind)}`"


def _outside(game: Playable, rule: str, expr: Expr, view: View, bit: Mask) -> Iterator[Reason]:
    """The parts of an intersection that a hex is not in, as far as they are written out here."""
    parts = expr.arguments if isinstance(expr, Call) and expr.word == BOTH else ()
    if parts and all(_is_within(part.span, expr.span) for part in parts):
        for part in parts:
            yield from _outside(game, rule, part, view, bit)
    elif not game.program.evaluate(expr, view) & bit:
        yield Reason(rule, f"it is not in `{_words(expr)}`", expr.span)


def _is_within(span: Span, outer: Span) -> bool:
    """Whether a text is part of another; what a `define` stands for is not."""
    same = span.source is outer.source
    return same and outer.start <= span.start and span.end <= outer.end


def _against_target(
    game: Playable, step: Step, view: View, phrase: str, verb: str, hex: int
) -> Iterator[Reason]:
    program = game.program
    on = game.choices.phrase(step, phrase)
    base: int | None = None if on is None else program.evaluate(on, view)
    bit = 1 << hex
    if on is not None and base is not None and not base & bit:
        yield from _outside(game, game.ruleset.rule_of(step), on, view, bit)
    elif not _has_room(game, step, view, hex):
        yield Reason(game.ruleset.rule_of(step), "the piece does not fit there", step.span)
    norms = game.choices.asking(step).norms
    permits = [c for c in norms.permits if c.holds(view)] if on is None else []
    if on is None and not any(c.extent(view) & bit for c in permits):
        for clause in permits:
            text = f"it is not in `{_words(clause.norm.on)}`"
            yield Reason(clause.owner.rule.id, text, clause.norm.span)
    for clauses, text in ((norms.forbids, "forbidden on"), (norms.denies, "not allowed on")):
        for clause in clauses:
            if clause.holds(view) and clause.extent(view) & bit:
                reason = f"{verb} is {text} `{_words(clause.norm.on)}`"
                yield Reason(clause.owner.rule.id, reason, clause.norm.span)
    yield from _against_preference(game, step, view, verb, base, bit)


def _has_room(game: Playable, step: Step, view: View, hex: int) -> bool:
    """Whether all hexes that the piece would cover are free."""
    room = game.choices.word(step).room
    return room is None or bool(room(view, *game.choices.values(step, view)) >> hex & 1)


def _against_preference(
    game: Playable, step: Step, view: View, verb: str, base: int | None, bit: int
) -> Iterator[Reason]:
    """A preference that narrowed the hex away, if it was otherwise legal."""
    norms = game.choices.asking(step).norms
    freely = game.choices.phrase(step, "freely") is not None
    open_ = game.program.open(view, verb) if base is None else base
    open_ &= ~norms.forbidden(view)
    if freely or not open_ & bit or norms.is_waived(view):
        return
    preferences = [clause for clause in norms.prefers if clause.holds(view)]
    if not reduce(and_, (clause.extent(view) for clause in preferences), open_):
        return
    for clause in preferences:
        if not clause.extent(view) & bit:
            text = f"other hexes in `{_words(clause.norm.on)}` are free and come first"
            yield Reason(clause.owner.rule.id, text, clause.norm.span)


def _words(expr: object) -> str:
    span = getattr(expr, "span", None)
    return " ".join(span.text.split()) if span is not None else "any hex"
