"""The vocabulary of the language, harvested from the registry, and pages of its words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from kbrules.game.view import TRIGGERS
from kbrules.lang.evaluation import Implementation
from kbrules.lang.typed import Event, Signature, Sort, StepSignature, Vocabulary
from kbrules.primitives import numbers, operators, registry, sets, steps

KINDS = frozenset({"rule", "location", "nomad", "bonus", "card", "task"})
CARD_KINDS = frozenset({"card", "task"})
TILE_KINDS = frozenset({"location", "nomad", "bonus"})
_BOUND = {
    "here": Sort.HEXES,
    "origin": Sort.HEXES,
    "actor": Sort.PLAYER,
    "strayed": Sort.TRUTH,
}
EVENTS = {
    each.name: Event(each.name, tuple((word, _BOUND[word]) for word in each.words), each.page)
    for each in TRIGGERS
}
COERCIONS = {(Sort.TERRAIN, Sort.HEXES): "terrain", (Sort.PLACE, Sort.HEXES): "place"}
_MODULES = (sets, numbers, operators, steps)
"""The modules of the words, which are loaded so, in the order in which words are listed."""


def _by_name(words: Iterable[registry.Word]) -> dict[str, tuple[Signature, ...]]:
    """Return the words of each name, in their order."""
    found: dict[str, tuple[Signature, ...]] = {}
    for word in words:
        name = word.signature.name
        found[name] = (*found.get(name, ()), word.signature)
    return found


SCORE, CROSS = "score", "cross"
FURTHER_VERBS = {
    SCORE: "Hexes that awards pass over, if they ask for `forbidden(score)`.",
    CROSS: "Hexes that no piece passes over when it is moved by `straight`, `slide`, `next_in` or "
    "`reach` from `origin`. A move to such a hex is a matter of `forbid move`.",
}
"""The verbs of norms that no step has, with their pages."""


@lru_cache(maxsize=1)
def vocabulary() -> Vocabulary:
    """Every word that does not depend on what boxes are loaded."""
    found: dict[str, tuple[StepSignature, ...]] = {}
    for step in registry.STEPS:
        verb = step.signature.verb
        found[verb] = (*found.get(verb, ()), step.signature)
    order = [module.__name__ for module in _MODULES]
    return Vocabulary(
        words=_by_name(sorted(registry.WORDS, key=lambda w: order.index(w.code.__module__))),
        operators=_by_name(registry.OPERATORS),
        folds=_by_name(registry.FOLDS),
        steps=found,
        events=EVENTS,
        kinds=KINDS,
        coercions=COERCIONS,
        further_verbs=FURTHER_VERBS,
    )


@lru_cache(maxsize=1)
def step_words() -> Mapping[str, registry.StepWord]:
    """The code of each step by the name of its signature."""
    return {step.signature.name: step for step in registry.STEPS}


@lru_cache(maxsize=1)
def verbs() -> frozenset[str]:
    """The verbs of the hexes that steps ask for."""
    return frozenset(
        ask.name or step.signature.verb for step in registry.STEPS for ask in step.asks
    )


@lru_cache(maxsize=1)
def implementations() -> Mapping[str, Implementation]:
    """The code of each word by the key of its signature."""
    found = {}
    for word in (*registry.WORDS, *registry.OPERATORS):
        found[word.signature.key] = Implementation(
            word.code, word.first, word.may_fail, word.signature.work
        )
    for word in registry.FOLDS:
        found[word.signature.key] = Implementation(word.code, "")
    for code in (numbers.option, numbers.quantity, numbers.memory):
        found[code.__name__] = Implementation(code, "view")
    found[operators.narrowed.__name__] = Implementation(operators.narrowed, "")
    for step in registry.STEPS:
        for name, condition in (("can", step.can), ("room", step.room)):
            if condition is not None:
                found[f"{name} {step.signature.name}"] = Implementation(condition, "view")
    return found


# Pages of the words that the grammar has, and of what stands in examples: how written, and why.
#
# Words of sets, steps and events have their pages where they are defined; a test asks for all.

GRAMMAR_WORDS = {
    "define": ('define NAME "What it means.": EXPRESSION', "Gives a name to an expression."),
    "steps": ('steps NAME(where: hexes) "What is done.":', "Gives a name to steps."),
    "do": ("do NAME(HEXES)", "Does the steps of that name, here and now."),
    "memory": ('memory NAME: hexes of player "What."', "What rules keep: hexes or a number."),
    "option": ('option NAME = yes "What holds then."', "A ruling that a table may choose."),
    "question": ('question "May one ...?"', "Below an option: the question that it answers."),
    "title": ('title "Bells"', "Below a memory of a number: players see it, by this name."),
    "source": ('source "who says what"', "Below an option: where the question arises."),
    "replaces": ('rule NAME "Title" replaces OTHER:', "The rule takes the place of another one."),
    "permit": ("permit build on HEXES", "Adds hexes; what any rule permits is permitted."),
    "forbid": ("forbid build on HEXES", "Takes hexes away; no permit brings them back."),
    "prefer": ("prefer build on HEXES", "Narrows what is left, as long as anything of it is left."),
    "waive": ("waive build if CONDITION", "Sets all preferences for a verb aside."),
    "deny": ("deny build on HEXES", "Takes hexes away after preferences were judged."),
    "increase": ("increase NUMBER by 1", "Adds to a number of the boxes while the rule holds."),
    "decrease": ("decrease NUMBER by 1", "Takes from a number of the boxes while the rule holds."),
    "action": ("action:", "What may be done once in a turn, by a tile's holder or everybody."),
    "required action": ("required action:", "What must be done in a turn, if it can be."),
    "once": ("action once per game:", "A player may use it once in a `game` or in a `round`."),
    "twice": ("action twice per round:", "A player may use it twice in a `game` or in a `round`."),
    "before setup": ("before setup:", "Is done once, by the first player, before all else."),
    "setup": ("setup:", "Is done by every player in turn order before the first turn."),
    "after setup": ("after setup:", "Is done by every player once set-up is over."),
    "turn": ("turn:", "Is done in each turn; behind `of`, a memory lasts so long."),
    "finish": ("finish:", "Is done by every player in turn order after the last round."),
    "when": ("when EVENT:", "Is done after an event, by default one of the player's own."),
    "whenever": ("whenever CONDITION:", "Is done before any decision while the condition holds."),
    "win": ("win by NUMBER", "Whoever has most of it wins; `total` is a player's gold."),
    "total": ("win by total", "A player's gold, known behind `win by` only."),
    "gold": ("gold 1 per hex in HEXES", "Pays at the end of the game, a million each at most."),
    "per": ("gold 1 per 2 hexes in HEXES", "Pays for every hex or group, or every second."),
    "first": ("gold 5 to first by NUMBER", "Whoever has most, and all who are level."),
    "second": ("gold 2 to second by NUMBER", "Who comes next, however many are first."),
    "either": ("either:", "The player begins this block or one of those behind `or:`."),
    "or": ("or:", "Another block to choose; between conditions, whether one of them holds."),
    "may": ("may:", "The block once, if the player wants it: `up to 1 times:`."),
    "repeat": ("repeat 2 times:", "The block so often; at most 400 times."),
    "up": ("up to 4 times:", "The block so often; the player may stop before each."),
    "times": ("repeat 2 times:", "Follows the number of `repeat` and `up to`."),
    "for": ("for NAME in GROUPS:", "The block, or the number, once for each."),
    "in": ("for NAME in GROUPS", "Names what a loop runs over."),
    "if": ("gain 2 if CONDITION", "Only while the condition holds; any line may end with it."),
    "otherwise": ("(2 if CONDITION otherwise 1)", "What holds instead; as a block, `otherwise:`."),
    "by": ("when build by others", "Whose events; behind `to first`, what is compared."),
    "others": ("when build by others", "The other players, in turn order."),
    "anyone": ("when build by anyone", "Whoever it is, oneself too."),
    "and": ("CONDITION and CONDITION", "Whether both hold."),
    "not": ("not CONDITION", "Whether it does not hold."),
    "yes": ("option NAME = yes", "A condition that holds."),
    "no": ("option NAME = no", "A condition that does not hold."),
    "on": ("build 1 on HEXES", "Where a step or a norm is about."),
    "from": ("move 1 from HEXES to HEXES", "Where something is taken."),
    "to": ("move 1 from HEXES to HEXES", "Where something goes; of gold, to whom."),
    "into": ("count NUMBER into MEMORY", "The memory that takes a number."),
    "of": ("memory NAME: hexes of player", "How long a memory lasts; of a step, its kind."),
    "with": ("with", "A word that stands before a part of a step."),
    "at": ("remove card at dead(build)", "Which of several, counted from 1."),
    "as": ("mark 1 on HEXES as MEMORY", "The memory of hexes that is marked."),
    "beside": ("beside", "A word that stands before a part of a step."),
    "at least": ("touching(mine, at least 2)", "A range: so many or more."),
    "at most": ("touching(mine, at most 2)", "A range: so many or fewer."),
    "exactly": ("touching(mine, exactly 2)", "A range: just so many."),
    "example": ('example "what it shows":', "A drawing, and below it what must hold."),
    "player": ("memory NAME: hexes of player", "A memory that lasts for the player's whole game."),
    "table": ("table:", "Below a rule: fills its columns; behind `of`, a memory all share."),
    "hexes": ("define NAME(group: hexes)", "Sets of hexes; nearly everything is one."),
    "hex": ("gold 1 per hex in HEXES", "Each hex of a set."),
    "number": ("memory NAME: number of turn", "A whole number."),
    "truth": ("define NAME(it: truth)", "What holds or does not."),
    "terrain": ("terrain(played)", "A terrain, and the hexes of one."),
    "group": ("gold 1 per group in groups(mine)", "A name for each group in turn."),
    "hole": ("", "Stands for what could not be read."),
}  # fmt: skip
"""For each word how it is written, and what it means."""
for _kind, _about in {
    "rule": "Holds for everybody and belongs to no tile and no card.",
    "location": "A tile that lies on places of the board.",
    "nomad": "A tile that is used once.",
    "bonus": "A tile that lies on no place.",
    "card": "A scoring card; it is listed under `cards` in its box.",
    "task": "A card of the boxes' `tasks`.",
}.items():
    GRAMMAR_WORDS[_kind] = (f'{_kind} NAME "Title":', f"Declares a rule. {_about}")

EXAMPLE_WORDS = {
    "gives": ("gives 4 to b", "The rule pays so much at the end; to `a` if nobody is named."),
    "gains": ("gains 2", "All rules give so much when the hexes marked `!` are built on."),
    "offers": ("offers", "Exactly the hexes marked `+` are offered; `offers none`: none is."),
    "wins": ("wins a", "This player wins; a line for each who does, and nobody else."),
    "played": ("played TERRAIN", "The terrain card that lies face up."),
    "draws": ("draws TERRAIN", "The card that chance turns up first."),
    "cards": ("cards NAME", "One more card is in play."),
    "sectors": ("sectors 2 by 3", "Each sector has two rows of three hexes."),
    "+": ("G+", "A mark in a drawing: this hex is offered."),
    "<": ("Ga<", "A mark in a drawing: this piece is lifted first, to be moved or taken away."),
    "!": ("G!", "A mark in a drawing: this hex is built on before `gains` is asked."),
    "?": ("G?", "A mark in a picture of ours: expected, and not found."),
    "*": ("Ga*", "A mark in a picture of ours: this hex pays."),
    ">": ("Ga>", "A mark in a picture of ours."),
    ".": (".a", "A hex of any terrain, in a drawing."),
    "#": (".#", "A piece of nobody, in a drawing; in a rule, a comment begins."),
    "|": ("| .a .", "Begins a row of a drawing; between sets, either of them."),
}
"""The same of the lines and signs of examples."""
