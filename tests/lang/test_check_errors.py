"""Mistakes in what a rule says: told at the wrong word, once, with the right one beside it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kbrules.lang.syntax.syntax_errors import KEYWORDS, plain, spelling
from kbrules.library.load import load_all
from kbrules.library.store import Files
from kbrules.primitives.vocabulary import vocabulary
from kbrules.text import Source
from tests.lang.told import FILES, Told, assert_told, of_checking, of_reading, shown

NEAR = 'define near "Hexes next to yours.": '
HEAD = 'rule placing "Placing":\n    "Build."\n'
OTHER = 'rule winning "Victory" replaces winning:\n    "Otherwise."\n'
BUSY = "sum(sum(sum(count(a & b & c) for a in rows) for b in rows) for c in rows)"
ACTION = HEAD + "    action:\n"

CASES: dict[str, tuple[str, list[Told]]] = {
    # words
    "a word with a letter left out": (
        NEAR + "adjcent(mine)\n", [Told("KB201", "adjcent", "`adjacent`")],
    ),
    "a word with a letter too many": (NEAR + "miine\n", [Told("KB201", "miine", "`mine`")]),
    "a word with letters swapped": (NEAR + "emtpy\n", [Told("KB201", "emtpy", "`empty`")]),
    "a terrain misspelt": (NEAR + "mine & canyn\n", [Told("KB201", "canyn", "`canyon`")]),
    "a word nobody knows": (NEAR + "mine & swimming\n", [Told("KB201", "swimming")]),
    "a word near a definition": (
        NEAR + "adjacent(mine)\n" + HEAD + "    permit build on neer\n",
        [Told("KB201", "neer", "`near`")],
    ),
    "a word near one that is defined below": (
        HEAD + "    permit build on neer\n" + NEAR + "adjacent(mine)\n",
        [Told("KB201", "neer", "`near`")],
    ),
    "a word near an option": (
        HEAD + "    permit build on mine if nul_moves\n",
        [Told("KB201", "nul_moves", "`null_moves`")],
    ),
    "a fold misspelt": (
        NEAR + "mst(count(row) for row in rows)\n", [Told("KB201", "mst", "`most`")],
    ),
    "a domain misspelt": (
        NEAR + "most(count(mine & row) for row in rws)\n", [Told("KB201", "rws", "`rows`")],
    ),
    "a word where there is a loop": (
        NEAR + "span(row for row in rows)\n", [Told("KB204", "span")],
    ),
    "a loop where there is a word": (
        NEAR + "most(mine)\n", [Told("KB204", "most", "for row in rows")],
    ),
    "a chain of numbers and no number": (
        NEAR + "most(1, 2, mine)\n", [Told("KB203", "mine", "count them")],
    ),
    "a mistake in what is paid for each group": (
        HEAD + "    gold adjacnt per group in groups(mine) if bigg(group)\n",
        [Told("KB201", "adjacnt", "`adjacent`"), Told("KB201", "bigg")],
    ),
    "each group by itself": (
        HEAD + "    gold count(group) per group in groups(mine)\n",
        [Told("KB201", "group", "`for group in groups(mine):`")],
    ),
    "a list by the name of its pile": (
        HEAD + "    gold 1 per it in cards\n", [Told("KB204", "cards", "`scoring_cards`")],
    ),
    "a list under another name": (
        HEAD + "    gold 1 per it in tiles\n", [Told("KB201", "tiles", "`held_tiles`")],
    ),
    "the largest in other words": (
        HEAD + "    gold max(2, count(mine))\n", [Told("KB201", "max", "`most(2, 3)`")],
    ),
    "a chain alone": (NEAR + "least\n", [Told("KB204", "least", "for row in rows")]),
    "a loop variable outside of its loop": (
        HEAD + "    for row in rows:\n        gold 1 if any(row)\n    gold 1 if any(row)\n",
        [Told("KB201", "row", "`rows`")],
    ),
    # sorts
    "a number where hexes are wanted": (
        NEAR + "adjacent(count(mine))\n", [Told("KB203", "count(mine)")],
    ),
    "a number where `per` counts": (
        HEAD + "    gold 2 per hex in count(mine)\n", [Told("KB203", "count(mine)", "themselves")],
    ),
    "hexes where a number is wanted": (HEAD + "    gold mine\n", [Told("KB203", "mine", "count")]),
    "hexes where a truth is wanted": (
        HEAD + "    permit build on edge if mine\n", [Told("KB203", "mine", "any(")],
    ),
    "a number where a truth is wanted": (
        HEAD + "    permit build on edge if count(mine)\n", [Told("KB203", "count(mine)", "> 0")],
    ),
    "groups where hexes are wanted": (
        HEAD + "    permit build on rows\n", [Told("KB203", "rows", "largest")],
    ),
    "hexes where groups are wanted": (NEAR + "largest(mine)\n", [Told("KB203", "mine", "groups(")]),
    "a sum of hexes": (NEAR + "mine + empty\n", [Told("KB203", "mine")]),
    "hexes and a number": (NEAR + "mine & 3\n", [Told("KB203", "3")]),
    "a number less hexes": (
        HEAD + "    gold 3 - adjacent(mine)\n",
        [Told("KB203", "3 - adjacent(mine)", "`count(adjacent(mine))`")],
    ),
    "hexes less a number": (NEAR + "mine - 3\n", [Told("KB203", "mine - 3", "`count(mine)`")]),
    "a place less a number": (
        NEAR + "location - 3\n", [Told("KB203", "location - 3", "`count(location)`")],
    ),
    "hexes less groups": (NEAR + "mine - rows\n", [Told("KB203", "rows", "`largest(...)`")]),
    "groups less anything": (NEAR + "rows - 3\n", [Told("KB203", "rows", "`largest(...)`")]),
    "a set that is a number": (
        HEAD + "    permit build on edge if mine = 3\n",
        [Told("KB203", "mine = 3", "`count(mine)`")],
    ),
    "a player who is a number": (
        HEAD + "    permit build on edge if me != 3\n",
        [Told("KB203", "me != 3", "write a player in place of `3`")],
    ),
    "a piece that is a set": (
        HEAD + "    permit build on edge if settlement = mine\n",
        [Told("KB203", "settlement = mine", "`pieces(...)`")],
    ),
    "sets that differ": (
        HEAD + "    permit build on edge if mine != edge\n", [Told("KB203", "mine", "`not (")],
    ),
    "a truth that is yes": (
        HEAD + "    permit build on edge if any(mine) = yes\n",
        [Told("KB203", "any(mine)", "no comparing")],
    ),
    "a number that is yes": (
        HEAD + "    permit build on edge if count(mine) = yes\n",
        [Told("KB203", "yes", "no comparing")],
    ),
    "players who are one": (
        HEAD + "    permit build on edge if others = me\n",
        [Told("KB203", "others", "one of them at a time")],
    ),
    "a comparison of hexes and a number": (
        NEAR + "any(mine) and mine > 3\n", [Told("KB203", "mine")],
    ),
    "a wrong sort through a definition": (
        'define many "How many.": count(mine)\n' + HEAD + "    permit build on many\n",
        [Told("KB203", "many")],
    ),
    "a wrong sort for a definition": (
        'define near(what: hexes) "Next to.": adjacent(what)\n'
        + HEAD + "    permit build on near(3)\n",
        [Told("KB203", "3")],
    ),
    "two branches of two sorts": (
        NEAR + "(mine if any(mine) otherwise 3)\n", [Told("KB203", "3")],
    ),
    "a loop over a number": (
        HEAD + "    for row in count(mine):\n        gold 1\n",
        [Told("KB203", "count(mine)", "repeat")],
    ),
    "a loop over one thing": (
        HEAD + "    for it in settlement:\n        gold 1\n",
        [Told("KB203", "settlement", "`piece_kinds`")],
    ),
    "sets that are counted, not asked about": (
        NEAR + "count(row for row in rows)\n", [Told("KB203", "row", "any(...)")],
    ),
    "a list of things as a set": (
        HEAD + "    gold count(mine & terrains)\n", [Told("KB203", "terrains", "union(")],
    ),
    "a loop over hexes in an expression": (
        NEAR + "sum(1 for hex in mine)\n", [Told("KB203", "mine", "loop")],
    ),
    # arguments
    "too many arguments": (
        NEAR + "adjacent(mine, 2)\n", [Told("KB204", "adjacent", "`adjacent` takes hexes")],
    ),
    "arguments in another order": (
        NEAR + "within(2, mine)\n", [Told("KB203", "2", "write `within(mine, 2)`")],
    ),
    "too few arguments": (NEAR + "within(mine)\n", [Told("KB204", "within", "within(")]),
    "no arguments at all": (
        NEAR + "adjacent & mine\n", [Told("KB204", "adjacent", "such as `adjacent(mine)`")],
    ),
    "arguments for a word without any": (NEAR + "edge(mine)\n", [Told("KB204", "edge", "`edge`")]),
    "too many for a definition": (
        'define near(what: hexes) "Next to.": adjacent(what)\n'
        + HEAD + "    permit build on near(mine, edge)\n",
        [Told("KB204", "near(mine, edge)", "`near` takes hexes")],
    ),
    # steps
    "a step misspelt": (ACTION + "        bulid 1 on edge\n", [Told("KB201", "bulid", "`build`")]),
    "a step misspelt, and its target": (
        ACTION + "        bulid 1 on egde\n",
        [Told("KB201", "bulid", "`build`"), Told("KB201", "egde", "`edge`")],
    ),
    "from misspelt": (
        ACTION + "        move 1 form mine to edge\n", [Told("KB205", "form", "`from`")],
    ),
    "on misspelt": (ACTION + "        build 1 onn edge\n", [Told("KB205", "onn", "`on`")]),
    "freely misspelt": (
        ACTION + "        build 1 on edge frely\n", [Told("KB205", "frely", "`freely`")],
    ),
    "a phrase left out": (
        ACTION + "        move 1 from mine\n", [Told("KB205", "move 1 from mine", "to TARGET")],
    ),
    "a phrase twice": (
        ACTION + "        build 1 on edge on mine\n", [Told("KB205", "on")],
    ),
    "a phrase of another step": (
        ACTION + "        build 1 from mine\n", [Told("KB205", "from", "`build` takes `COUNT")],
    ),
    "a noun misspelt": (ACTION + "        ready tils\n", [Told("KB205", "tils")]),
    "a piece misspelt": (
        ACTION + "        build 1 settlemnt on edge\n",
        [Told("KB205", "settlemnt", "`settlement`")],
    ),
    "a choice between verbs": (
        NEAR + "open((build if any(mine) otherwise move))\n",
        [Told("KB203", "(build if any(mine) otherwise move)", "speaks of it")],
    ),
    "a choice between piles": (
        HEAD + "    gold cards((deck if any(mine) otherwise shown))\n",
        [Told("KB203", "(deck if any(mine) otherwise shown)", "`(cards(deck) if")],
    ),
    "hexes put into a memory of a number": (
        "memory seen: number of player\n" + ACTION + "        add mine to seen\n",
        [Told("KB203", "seen", "hexes of player")],
    ),
    "a hex put into a memory of a number": (
        "memory seen: number of player\n" + ACTION + "        mark 1 on mine as seen\n",
        [Told("KB203", "seen", "hexes of player")],
    ),
    "a number put into a memory of hexes": (
        "memory seen: hexes of player\n" + ACTION + "        count 1 into seen\n",
        [Told("KB203", "seen", "number of player")],
    ),
    "a memory misspelt": (
        ACTION + "        add mine to visted\n", [Told("KB201", "visted", "`visited`")],
    ),
    "a norm misspelt": (HEAD + "    permt build on edge\n", [Told("KB201", "permt", "`permit`")]),
    "a number too large": (ACTION + "        build 9999999 on edge\n", [Told("KB210", "9999999")]),
    "a list where one thing of it is wanted": (
        ACTION + "        bring waiting_cards\n",
        [Told("KB203", "waiting_cards", "`for one in ...:`")],
    ),
    # norms, triggers, awards
    "a norm about ways that closes none": (
        HEAD + "    permit cross on edge\n",
        [Told("KB208", "cross", "`forbid cross on ...`")],
    ),
    "a verb misspelt": (HEAD + "    permit biuld on edge\n", [Told("KB208", "biuld", "`build`")]),
    "one of two verbs misspelt": (
        HEAD + "    permit build, mvoe on edge\n", [Told("KB208", "mvoe", "`move`")],
    ),
    "a norm without on": (HEAD + "    permit build\n", [Told("KB205", "permit build", "on")]),
    "an event misspelt": (
        HEAD + "    when biuld:\n        take tiles from adjacent(here)\n",
        [Told("KB208", "biuld", "`build`")],
    ),
    "somebody misspelt": (
        HEAD + "    when build by othres:\n        draw 1 card\n",
        [Told("KB201", "othres", "`others`")],
    ),
    "a rank misspelt": (
        HEAD + "    gold 3 to frist by count(mine)\n", [Told("KB201", "frist", "`first`")],
    ),
    "a quantity misspelt": (
        HEAD + "    increase bulids by 1\n", [Told("KB201", "bulids", "`builds`")],
    ),
    "nothing to divide by": (HEAD + "    gold 1 per 0 hexes in mine\n", [Told("KB210", "hexes")]),
    "win misspelt": (HEAD + "    wins by count(mine)\n", [Told("KB201", "wins", "`win`")]),
    "win misspelt otherwise": (
        HEAD + "    wim by count(mine)\n", [Told("KB201", "wim", "`win`")],
    ),
    "hexes that win": (OTHER + "    win by mine\n", [Told("KB203", "mine", "count(")]),
    "a truth that wins": (OTHER + "    win by any(mine)\n", [Told("KB203", "any(mine)")]),
    "a total misspelt": (OTHER + "    win by totl\n", [Told("KB201", "totl", "`total`")]),
    "a total that pays": (HEAD + "    gold total\n", [Told("KB201", "total")]),
    "a total that is gained": (ACTION + "        gain total\n", [Told("KB201", "total")]),
    "too much to win by": (
        OTHER + f"    win by {BUSY}\n", [Told("KB303", BUSY)],
    ),
    "two that win by something": (
        HEAD + "    win by count(mine)\n", [Told("KB304", "win by count(mine)", "keep one")],
    ),
    "one that wins by two things": (
        OTHER + "    win by total\n    win by count(mine)\n", [Told("KB304", "win by count(mine)")],
    ),
    "another that wins by something": (OTHER + "    win by count(mine)\n", []),
    # places
    "a victory in an action": (ACTION + "        win by total\n", [Told("KB206", "win by total")]),
    "a victory in a loop": (
        HEAD + "    for row in rows:\n        win by count(row)\n",
        [Told("KB206", "win by count(row)")],
    ),
    "a norm in an action": (
        ACTION + "        permit build on edge\n", [Told("KB206", "permit build on edge")],
    ),
    "a text in an action": (
        ACTION + '        "Build."\n        build 1 on edge\n', [Told("KB206", '"Build."')],
    ),
    "a step in a rule": (
        HEAD + "    build 1 on edge\n", [Told("KB206", "build 1 on edge", "action")],
    ),
    "a step in a loop of awards": (
        HEAD + "    for row in rows:\n        build 1 on row\n", [Told("KB206", "build 1 on row")],
    ),
    "otherwise without if": (
        ACTION + "        otherwise:\n            build 1\n", [Told("KB206", "otherwise:", "`if")],
    ),
    "or without either": (ACTION + "        or:\n            build 1\n", [Told("KB206", "or:")]),
    # declarations
    "no wording": ("rule placing:\n    permit build on edge\n", [Told("KB211", "placing")]),
    "a kind misspelt": (
        'crad placing "Placing":\n    "Build."\n    gold 1\n', [Told("KB108", "crad", "`card`")],
    ),
    "a definition twice": (
        NEAR + "edge\n" + NEAR + "mine\n", [Told("KB202", "near")],
    ),
    "a definition of a word": ('define mine "Mine.": edge\n', [Told("KB202", "mine")]),
    "a rule twice": (
        HEAD + "    permit build on edge\n" + HEAD + "    forbid build on edge\n",
        [Told("KB202", "placing")],
    ),
    "a loop variable that is a word": (
        HEAD + "    for mine in rows:\n        gold 1\n", [Told("KB202", "mine")],
    ),
    "a parameter that is a word": (
        "define near(mine: hexes): adjacent(mine)\n", [Told("KB202", "mine")],
    ),
    "a parameter of no sort": (
        "define near(what: hexs): adjacent(what)\n", [Told("KB201", "hexs", "`hexes`")],
    ),
    "a memory of no sort": ("memory seen: hexs of player\n", [Told("KB203", "hexs", "`hexes`")]),
    "a memory that lasts for ever": (
        "memory seen: hexes of plaer\n", [Told("KB201", "plaer", "`player`")],
    ),
    "an option too large": ("option far = 1234567\n", [Told("KB210", "1234567")]),
    "a circle": (
        'define a1 "A.": adjacent(b1)\ndefine b1 "B.": adjacent(a1)\n', [Told("KB207", "a1")],
    ),
    "a card of no box": (
        'card rowers "Rowers":\n    "Gold."\n    gold 1\n', [Told("KB410", "rowers", "cards:")],
    ),
    "a replacement of nothing": (
        'rule placing replaces placemnt:\n    "Build."\n    permit build on edge\n',
        [Told("KB302", "placemnt", "`placement`")],
    ),
    "two replacements": (
        'rule one replaces placement:\n    "Build."\n    permit build on edge\n'
        'rule two replaces placement:\n    "Build."\n    permit build on mine\n',
        [Told("KB301", "placement")],
    ),
    # nothing twice
    "a mistake in a definition that is used": (
        NEAR + "adjcent(mine)\n" + HEAD + "    permit build on near\n    forbid build on near\n",
        [Told("KB201", "adjcent")],
    ),
    "a definition that could not be read": (
        NEAR + "adjacent(mine\n" + HEAD + "    permit build on near\n", [Told("KB102", "e")],
    ),
    "an option with two questions": (
        'option far = no:\n    source "1.1"\n    question "Why?"\n    question "How?"\n',
        [Told("KB209", 'question "How?"')],
    ),
    "an option whose lines say nothing": (
        'option far = no:\n    question ""\n    source " "\n',
        [Told("KB209", 'question ""'), Told("KB209", 'source " "')],
    ),
    "a title below an option": (
        'option far = no:\n    title "Far"\n', [Told("KB209", 'title "Far"', "below a memory")],
    ),
    "a memory with a question": (
        'memory far: number of player:\n    question "Far?"\n',
        [Told("KB209", 'question "Far?"', "below a memory")],
    ),
    "a title of hexes": (
        'memory far: hexes of player:\n    title "Far"\n',
        [Told("KB209", 'title "Far"', "`marks`")],
    ),
    "an option that could not be read": (
        "option near = maybe\n" + HEAD + "    permit build on edge if near\n",
        [Told("KB101", "maybe")],
    ),
    "a memory that could not be read": (
        "memory seen hexes\n" + ACTION + "        add mine to seen\n", [Told("KB101", "hexes")],
    ),
    "a circle that is used": (
        'define a1 "A.": adjacent(a1)\n' + HEAD + "    permit build on a1 & edge\n",
        [Told("KB207", "a1")],
    ),
    "a heading of a loop that could not be read": (
        HEAD + "    for row of rows:\n        gold 1 if any(row)\n", [Told("KB101", "of")],
    ),
    "a wording that could not be read": (
        'rule placing:\n    "Build.\n    permit build on edge\n', [Told("KB109", '"Build.')],
    ),
    "a word missing in an argument": (
        NEAR + "adjacent(adjacent(nobody_knows))\n", [Told("KB201", "nobody_knows")],
    ),
    # several at once
    "three mistakes in one line": (
        HEAD + "    permit biuld on emty & canyn\n",
        [Told("KB208", "biuld"), Told("KB201", "emty", "`empty`"), Told("KB201", "canyn")],
    ),
    "three mistakes in three declarations": (
        NEAR + "adjcent(mine)\n" + HEAD + "    permit build on near & 3\n    permit move on rows\n",
        [Told("KB201", "adjcent"), Told("KB203", "3"), Told("KB203", "rows")],
    ),
    "one of each": (
        "option near == 3\n" + HEAD
        + "    permit build an edge\n    gold mine\n    forbid biuld on edge\n",
        [Told("KB101", "="), Told("KB101", "an"), Told("KB203", "mine"), Told("KB208", "biuld")],
    ),
    # a line that cannot be read keeps no other from being checked
    "a bracket too many above a mistake": (
        HEAD + "    gold count(mine))\n    permit build on swimming\n",
        [Told("KB101", ")"), Told("KB201", "swimming")],
    ),
    # what `if` leaves out
    "a player that is left out": (
        HEAD + "    gold count((me if any(mine)))\n",
        [Told("KB203", "(me if any(mine))", "otherwise")],
    ),
    "a mistake in what may be left out": (
        NEAR + "(nothing_known if yes)\n", [Told("KB201", "nothing_known")],
    ),
    # cost
    "a loop in a loop in a loop": (
        HEAD + "    for a in rows:\n        for b in rows:\n            for c in rows:\n"
        "                gold count(a & b & c)\n",
        [Told("KB303", "count(a & b & c)")],
    ),
    "more rounds than there can be": (
        HEAD + "    when build:\n        repeat 401 times: gain 1\n"
        "        repeat 400 times: gain 2\n",
        [Told("KB210", "401", "at most 400")],
    ),
    "rounds in rounds in rounds": (
        HEAD + "    when build:\n        repeat 400 times:\n            repeat count(mine) times:\n"
        "                up to 9 times: gain 7\n",
        [Told("KB303", "count(mine)", "40000 rounds")],
    ),
}  # fmt: skip


def test_both_sides_of_an_operator_are_named_with_their_sorts() -> None:
    (finding,) = of_checking(HEAD + "    gold 3 - adjacent(mine)\n")
    assert finding.message == (
        "both sides of `-` must be alike (both hexes or both numbers), "
        "but `3` is a number and `adjacent(mine)` is hexes"
    )


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=list(CASES))
def test_a_mistake_is_told_once_at_the_word(text: str, expected: list[Told]) -> None:
    assert_told(of_checking(text), expected)


def test_the_order_of_declarations_changes_nothing() -> None:
    for name, (text, _) in CASES.items():
        pieces = re.split(r"\n(?=rule |define )", text)
        turned = "\n".join(piece.rstrip("\n") for piece in reversed(pieces)) + "\n"
        one = sorted((f.code, f.span.text) for f in of_checking(text))
        other = sorted((f.code, f.span.text) for f in of_checking(turned))
        if "circle" not in name and len(pieces) == 2:
            assert one == other, name


def test_no_step_is_mistaken_for_another_sentence() -> None:
    assert not set(vocabulary().steps) & set(KEYWORDS)


@pytest.mark.parametrize("count", [50, 3000])
def test_a_chain_of_definitions_is_checked_without_depth(count: int) -> None:
    chain = "".join(f"define w{n}: w{n + 1}\n" for n in range(count)) + f"define w{count}: mine\n"
    assert of_checking(chain) == [] or count > 2000


def test_definitions_that_double_each_other_are_refused() -> None:
    words = "".join(f"define w{n}(x: hexes): w{n + 1}(w{n + 1}(x))\n" for n in range(40))
    text = words + "define w40(x: hexes): adjacent(x)\n" + HEAD + "    permit build on w0(mine)\n"
    found = of_checking(text)
    assert {f.code for f in found} == {"KB303"}
    assert len(found) < 10


# Data that cannot be read

BOX = "format: 1\nid: dale\ntitle: The Dale\nneeds: [base]\n"
LISTS = "cards: [rowers]\ntiles:\n  mill: {kind: location}\n"
RULES = """\
location mill "Mill":
    "Build on heath."
    action:
        build 1 on heath & adjcent(mine)
    example:
        | .a .+
        offers

card rowers "Rowers":
    "Gold."
    gold far per hex in heath
    gold emty
"""


def _folder(tmp_path: Path, box: str) -> Path:
    (tmp_path / "expansion.yaml").write_text(box, encoding="utf-8")
    (tmp_path / "rules").mkdir(exist_ok=True)
    (tmp_path / "rules" / "mill.kb").write_text(RULES, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("box", "code"),
    [
        (BOX + LISTS + "numbers: {far: 2}\nterrains:\n  heath: {letter: H\n", "KB401"),
        (BOX + LISTS + "numbers: {far: 2}\nterrains:\n  heath: {leter: H}\n", "KB402"),
        (BOX + LISTS + "numbers: {far: 2}\nterrains:\n  heath: {letter: 7}\n", "KB403"),
    ],
)
def test_data_that_cannot_be_read_does_not_make_its_words_unknown(
    tmp_path: Path, box: str, code: str
) -> None:
    found = load_all(["base"], [_folder(tmp_path, box)], files=FILES).findings
    codes = [f.code for f in found]
    assert code in codes and set(codes) <= {code, "KB201", "KB412"}
    spoken = {f.span.text for f in found if f.code == "KB201"}
    assert spoken == {"adjcent", "emty"}


def test_data_that_is_not_there_makes_no_word_unknown(tmp_path: Path) -> None:
    folder = _folder(tmp_path, BOX)
    (folder / "expansion.yaml").unlink()
    found = load_all(["base"], [folder], files=Files()).findings
    assert [f.code for f in found] == ["KB001"]


def test_a_thing_left_out_for_its_letter_is_still_a_word(tmp_path: Path) -> None:
    box = BOX + "terrains:\n  heath: {letter: G}\ncards: [rowers]\nnumbers: {far: 2}\n"
    box += "tiles:\n  mill: {kind: location}\n"
    found = load_all(["base"], [_folder(tmp_path, box)], files=FILES).findings
    marked = sorted((f.code, f.span.text) for f in found)
    assert marked == [("KB201", "adjcent"), ("KB201", "emty"), ("KB411", "G")]


def test_a_rule_file_that_cannot_be_read_makes_no_word_unknown(tmp_path: Path) -> None:
    box = BOX + "terrains:\n  heath: {letter: H}\ncards: [rowers, oars]\nnumbers: {far: 2}\n"
    folder = _folder(tmp_path, box + "tiles:\n  mill: {kind: location}\n")
    (folder / "rules" / "more.kb").write_bytes(b'define emty "Empty.": \xff\n')
    found = load_all(["base"], [folder], files=FILES).findings
    assert [f.code for f in found] == ["KB002"]


def test_a_slip_in_a_name_is_one_mistake_in_the_box(tmp_path: Path) -> None:
    box = BOX + "cards: [rowres]\nterrains:\n  heath: {letter: H}\nnumbers: {far: 2}\n"
    folder = _folder(tmp_path, box + "tiles:\n  mill: {kind: location}\n")
    found = load_all(["base"], [folder], files=FILES).findings
    (told,) = (f for f in found if f.code.startswith("KB4"))
    assert (told.code, told.span.text) == ("KB409", "rowres")
    assert told.span.source.name == str(folder / "expansion.yaml")
    assert told.help == "did you mean `rowers`?"
    assert [label.span.text for label in told.labels] == ["rowers"]


def test_a_text_is_a_file_of_its_own() -> None:
    found = of_checking(NEAR + "adjcent(mine)\n")
    assert [f.span.source.name for f in found] == ["x.kb"]
    assert isinstance(found[0].span.source, Source)


READ: dict[str, tuple[str, Told]] = {
    "not before a set": ("permit build on mine & not edge", Told("KB101", "not", "`-`")),
    "else": ("gold 1 if any(mine) else 2", Told("KB101", "else", "`otherwise`")),
    "no amount": ("gold per hex in mine", Told("KB101", "hex", "`gold 1 per")),
    "the amount first": ("1 gold per hex in mine", Told("KB101", "1", "`gold 1 per")),
    "for in the place of per": ("gold 1 for each hex in mine", Told("KB101", "for", "`per`")),
    "a score": ("score 1 per hex in mine", Told("KB101", "per", "`gold 1")),
    "my pieces": ("gold 1 per hex in my pieces", Told("KB101", "pieces", "`mine`")),
    "each in a loop": ("for each row in rows: gold 1", Told("KB101", "row", "leave it out")),
    "two signs of equality": ("gold 1 if count(mine) == 3", Told("KB101", "=", "single `=`")),
    "two ampersands": ("permit build on mine && edge", Told("KB101", "&", "single `&`")),
    "half a piece of gold": ("gold 0.5 per hex in mine", Told("KB105", ".", "whole")),
    "a semicolon": ("gold 1;", Told("KB105", ";", "take it away")),
    "curly quotes": ("\u201cBuild.\u201d", Told("KB105", "\u201c", '`"`')),
    "a dash": ("permit build on mine \u2013 edge", Told("KB105", "\u2013", "`-`")),
    "a norm without a verb": ("forbid adjacent(mine)", Told("KB101", "(", "`forbid build on")),
    "a norm without on": ("forbid build adjacent(mine)", Told("KB101", "adjacent(", "on ...`")),
    "a block behind a colon": (
        "when build: repeat 2 times: gain 1",
        Told("KB101", "repeat", "next line"),
    ),
    "a loop in a word": (
        "gold sum(row in rows if any(row))",
        Told("KB101", "in", "for row in rows"),
    ),
    "a comment of C": ("// here", Told("KB101", "/", "`#`")),
}
HEADINGS: dict[str, tuple[str, Told]] = {
    "a name of two words": ("rule tall mills", Told("KB101", "mills", "`rule tall_mills`")),
    "a name with a dash": ("rule tall-mills", Told("KB101", "-", "`rule tall_mills`")),
    "a name with an umlaut": ("rule m\u00fchlen", Told("KB105", "m\u00fchlen", "`muehlen`")),
    "a name with a capital": ("rule tallMills", Told("KB105", "tallMills", "`tallmills`")),
}
CHECKED: dict[str, tuple[str, Told]] = {
    "and between sets": ("permit build on mine and edge", Told("KB203", "mine", "`&`")),
    "my": ("permit build on my & edge", Told("KB201", "my", "`mine`")),
    "a word from nowhere": ("permit build on zzyzx", Told("KB201", "zzyzx", "show word")),
    "an award in a block": (
        "if any(mine): gold 2", Told("KB206", "if any(mine): gold 2", "`gold 2 if ...`"),
    ),
    "a step that is not": ("action: teleport 1", Told("KB201", "teleport", "show step")),
    "a word of events": ("action: remove 1 from origin", Told("KB201", "origin", "`when")),
    "a remainder": ("gold count(mine) mod 3", Told("KB101", "mod", "`remainder(round, 3)`")),
    "a rest": ("gold count(mine) % 3", Told("KB105", "%", "`remainder(round, 3)`")),
    "a swap": ("action: exchange mine with edge", Told("KB201", "exchange", "`swap 1 from")),
    "a limit of each turn": (
        "action once per turn: gain 1", Told("KB201", "turn", "once in a turn"),
    ),
    "a number added": ("when build: add 1 to seen", Told("KB203", "1", "`count 1 into")),
    "a rule against": ("disallow build on edge", Told("KB201", "disallow", "`forbid build")),
    "an exact length": ("permit build on ends(lines(mine, 7))", Told("KB203", "7", "`exactly 3`")),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_a_habit_of_another_language_is_answered(name: str) -> None:
    sentence, told = READ[name]
    assert_told(of_reading(f"{HEAD}    {sentence}\n"), [told])


@pytest.mark.parametrize("name", HEADINGS)
def test_a_name_is_written_out_as_it_can_be(name: str) -> None:
    heading, told = HEADINGS[name]
    findings = of_reading(f'{heading} "Mills":\n    "Build."\n    permit build on edge\n')
    assert_told(findings, [told])


@pytest.mark.parametrize("name", CHECKED)
def test_a_word_that_is_not_ours_leads_to_one_that_is(name: str) -> None:
    sentence, told = CHECKED[name]
    memory = 'memory seen: number of player "Seen."\n'
    findings = of_checking(f"{memory}{HEAD}    {sentence}\n")
    assert any(told.is_said_by(finding) for finding in findings), shown(findings)


def test_a_letter_that_only_looks_like_ours_is_named() -> None:
    assert "`\u0456`" in spelling("m\u0456ne")
    assert plain("Gro\u00dfe M\u00fchle-2") == "grosse_muehle_2"
