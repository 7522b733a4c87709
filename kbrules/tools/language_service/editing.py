"""What can be done at a place: fixes, one style, what comes next, and whole new scenarios."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import accumulate, count
from pathlib import Path
from typing import Any

from kbrules.diagnostics import Diagnostic
from kbrules.engine import matches, setup
from kbrules.engine.game import Game
from kbrules.game.state import State
from kbrules.lang.formatting import STEP
from kbrules.lang.syntax import build, tree
from kbrules.library import load, reading
from kbrules.library.box import shipped_box, shipped_boxes, shipped_in
from kbrules.library.discovery import kind_of
from kbrules.library.position import Position
from kbrules.library.ruleset import Ruleset
from kbrules.library.yaml import Document, YamlList, YamlTable
from kbrules.primitives.vocabulary import CARD_KINDS, TILE_KINDS
from kbrules.scenario import reader, writing
from kbrules.scenario.position import lay
from kbrules.scenario.setup import RulesetCache
from kbrules.text import Source, Span
from kbrules.tools import bots, fmt, sampling
from kbrules.tools.language_service import answers, probing
from kbrules.tools.language_service.answers import CodeAction, Place, Refused, TextEdit
from kbrules.tools.language_service.showing import StoredBalance, balances_in, modified, rules_in
from kbrules.tools.language_service.workspace import Workspace
from kbrules.tools.lint.run import LINTS
from kbrules.tools.mutation.faults import name_of
from kbrules.tools.simulate.question import QuestionTables

# Faults that no test notices, from a report of `kbrules test --mutate`, made into scenarios.


_MOST_FILES, _MOST_BYTES = 20, 4_000_000
_LONGEST = 60  # characters of a fault in a title
_FACTS = ("in", "file", "was", "now", "reason", "scenario")


@dataclass(frozen=True, slots=True)
class _Survivor:
    """A fault: what a sentence of a declaration was and became, and a scenario that notices it."""

    declaration: str
    file: str
    was: str
    now: str
    scenario: str


def noticing_scenarios(
    workspace: Workspace, path: Path, start: int, end: int
) -> Iterator[CodeAction]:
    """For each fault in the sentences from `start` to `end`, the scenario that was found for it.

    Reports are JSON files beside the data file of the box. A fault counts as long as the sentence
    stands there, and no scenario of the box is the one that was found.
    """
    home = workspace.home(path)
    reported = [] if home is None else _reported(home)
    survivors = [each for each in reported if each.file == path.name]
    declarations = workspace.rules(path).declarations if survivors else ()
    spans = {name_of(each): each.span for each in declarations}
    for each in (each for each in survivors if each.declaration in spans):
        place = _sentence(workspace.source(path), spans[each.declaration], each.was)
        is_here = place is not None and place.start <= end and start <= place.end
        if home is not None and is_here and not _is_written(workspace, path, each.scenario):
            yield _scenario_added(workspace, home, each)


def _sentence(source: Source, declaration: Span, text: str) -> Span | None:
    """Where a sentence stands in a declaration; None if it is not there any more."""
    start, end = declaration.source.written(declaration.start, declaration.end)
    at = source.text.find(text, start, end)
    return None if at < 0 else source.span(at, at + len(text))


def _is_written(workspace: Workspace, path: Path, scenario: str) -> bool:
    files = (each for each in workspace.related(path) if kind_of(each) == "scenario")
    return any(scenario.strip() in workspace.text(each) for each in files)


def _scenario_added(workspace: Workspace, home: Path, survivor: _Survivor) -> CodeAction:
    name = survivor.declaration.rpartition(" ")[2]
    now = survivor.now.partition("\n")[0] or "the sentence left out"
    title = f"Write a scenario that would notice `{answers.shortened(now, _LONGEST)}`"
    return _action(title, [new_scenario(workspace, home, name, survivor.scenario)])


def new_scenario(workspace: Workspace, home: Path, name: str, text: str) -> TextEdit:
    """Return the edit that makes a file of a scenario, under a name that no file has."""
    folder = home.absolute() / "scenarios"
    folder = folder if folder.is_dir() else home.absolute()
    files = (folder / f"{name}_{number}{reader.SUFFIX}" for number in count(1))
    file = next(each for each in files if not workspace.files.is_there(each))
    return TextEdit(Place(str(file), 0, 0), text)


# Reports


def _reported(home: Path) -> list[_Survivor]:
    """The survivors without a reason in the newest report of a folder that has any."""
    files = sorted(home.glob("*.json"), key=modified, reverse=True)[:_MOST_FILES]
    read = (_read(file.absolute(), modified(file)) for file in files)
    return [*next((found for found in read if found), ())]


@lru_cache(maxsize=_MOST_FILES)
def _read(file: Path, changed: int) -> tuple[_Survivor, ...]:
    """What a file tells as it was changed last; nothing if it is no report."""
    try:
        if file.stat().st_size > _MOST_BYTES:
            return ()
        data = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        return ()
    entries = data.get("survivors") if isinstance(data, dict) else None
    return tuple(_survivors(entries)) if isinstance(entries, list) else ()


def _survivors(entries: list[Any]) -> Iterator[_Survivor]:
    for each in entries:
        facts = [each.get(name) if isinstance(each, dict) else None for name in _FACTS]
        words = [fact for fact in facts if isinstance(fact, str)]
        if len(words) == len(_FACTS):
            declaration, file, was, now, reason, scenario = words
            if was and scenario and not reason:
                yield _Survivor(declaration, Path(file).name, was, now, scenario)


# The game in which a card paid most, as `kbrules balance` found, made into a scenario.


SECONDS = 3.0
"""How long the position is made smaller."""


def payment_actions(workspace: Workspace, path: Path, start: int, end: int) -> Iterator[CodeAction]:
    """For each measured card from `start` to `end` the scenario that can be made of its games.

    The action has no edits: `payment_scenario` works them out, which takes seconds.
    """
    home = workspace.home(path)
    if home is None or kind_of(path) != "rules":
        return
    balances = balances_in(home)
    for each in rules_in(workspace.rules(path).declarations) if balances else ():
        card = each.name.text
        balance = balances.get(card) if each.kind.text in CARD_KINDS else None
        if balance and balance.highest.gold > 0 and _touches(each.span, start, end):
            title = f"Write a scenario in which `{card}` pays {balance.highest.gold}"
            yield CodeAction(title, (), payment_of=card)


def payment_scenario(workspace: Workspace, path: Path, card: str) -> tuple[TextEdit, ...]:
    """The edit that makes a scenario of the final position in which a card paid most.

    The game is played again, and of its end only what the payment needs is left. Raises
    Refused if there is no such game, or no scenario that holds.
    """
    home = workspace.home(path)
    balance = balances_in(home).get(card) if home is not None else None
    if home is None or balance is None:
        raise Refused(f"`{card}` was not measured; `kbrules balance` does so")
    ruleset = _measured_rules(workspace, balance)
    try:
        game, state = _replay(ruleset, balance)
    except setup.SetupError as error:
        raise Refused(str(error)) from None
    own = {box.id for box in workspace.loaded(path).boxes}
    boxes = [box for box in ruleset.boxes if box in shipped_boxes() and box not in own]
    text = _scenario(ruleset, game, state, balance, boxes)
    edit = new_scenario(workspace, home, card, text)
    trial = workspace.trial()
    _apply(trial, [edit])
    results = trial.examples(Path(edit.place.file))
    if not results or not all(result.holds for result in results):
        raise Refused("the end of the game cannot be laid out as a scenario")
    return (edit,)


def _measured_rules(workspace: Workspace, balance: StoredBalance) -> Ruleset:
    (side,) = balance.question.sides
    folders = [Path(folder) for folder in side.folders]
    ruleset, _ = load.check_all(side.boxes, folders, files=workspace.files)
    if ruleset is None or ruleset.digest != balance.digest:
        raise Refused("the rules have changed since the card was measured; measure it again")
    return ruleset


def _replay(ruleset: Ruleset, balance: StoredBalance) -> tuple[Game, State]:
    """The game in which the card paid most, and its final state."""
    question, payment = balance.question, balance.highest
    tables = QuestionTables(question, [ruleset])
    game = tables.game(question.deal(payment.seed - question.seed), 0)
    return game, matches.play_to_end(
        game, payment.seed, [bots.bot_named(payment.bot)] * game.players
    )


def _scenario(
    ruleset: Ruleset, game: Game, state: State, balance: StoredBalance, boxes: list[str]
) -> str:
    card, player, cache = balance.question.beside, balance.highest.player, RulesetCache(ruleset)
    gold = _gold(game, state, player, card)
    if gold <= 0:
        raise Refused(f"`{card}` paid while the game went on, which no final position shows")

    def pays_as_much(position: Position) -> bool:
        laid, _ = lay(position, cache)
        return laid is not None and _gold(laid.game, laid.state, player, card) == gold

    position = writing.position_before_end(game, state)
    if isinstance(position, writing.Inexact) or not pays_as_much(position):
        raise Refused("the end of the game cannot be laid out as a scenario")
    position = replace(sampling.shrink(position, pays_as_much, SECONDS), boxes=tuple(boxes))
    title = f"`{card}` pays {gold}, as in the game of seed {balance.highest.seed}"
    laid, _ = lay(position, cache)
    assert laid is not None, "it was laid a moment ago"
    expected = {"gold": {reader.PLAYERS[player]: {card: gold}}}
    return writing.scenario_text(position, laid.game.board, title, expected)


def _gold(game: Game, state: State, player: int, card: str) -> int:
    """What a card pays a player at the end."""
    line = game.score(state).line(card, player)
    return line.gold if line is not None else 0


def _apply(workspace: Workspace, edits: Iterable[TextEdit]) -> None:
    """Let files have the texts that edits make, one of each."""
    for edit in edits:
        path = Path(edit.place.file)
        workspace.open_text(path, answers.edited(workspace.text(path), [edit]))


# The comment that suppresses a warning, above what it speaks of.


_REASON = "say why it is meant so"


def ignoring(workspace: Workspace, path: Path, finding: Diagnostic) -> Iterator[CodeAction]:
    """A comment of its own that suppresses a warning, with a reason to be written."""
    if finding.code not in LINTS:
        return
    source = workspace.source(path)
    start, _ = finding.span.source.written(finding.span.start, finding.span.end)
    line = _commented_line(workspace, path, source, source.position(start)[0])
    text, place = source.line_text(line), source.offset(line, 1)
    indent = text[: len(text) - len(text.lstrip())]
    comment = f"{indent}# kb: ignore[{finding.code}] {_REASON}\n"
    edit = TextEdit(Place(str(path), place, place), comment)
    yield _action(f"Ignore {finding.code} here", [edit], [finding])


def _commented_line(workspace: Workspace, path: Path, source: Source, line: int) -> int:
    """The line above which a comment may stand: that one, or the beginning of a drawing or text."""
    if kind_of(path) == "rules":
        while line > 1 and source.line_text(line).lstrip().startswith("|"):
            line -= 1
        return line
    document, start = workspace.document(path), source.offset(line, 1)
    places = () if document is None else probing.places_in(document)
    around = next((each for each in places if each.start < start < each.end), None)
    return line if around is None else source.position(around.start)[0]


# The entry in the data file of a box for a card, a task or a tile that has a rule already.


_LISTS = {"card": "cards", "task": "tasks"}


def entered_in_box(workspace: Workspace, path: Path, name: Span) -> tuple[str, TextEdit] | None:
    """Return a title, and the edit that enters the rule of a name in its box, if there is a way."""
    box, rule = _box_of(workspace, path), _rule_named(workspace, path, name.text)
    document = workspace.document(box) if box is not None and rule is not None else None
    if box is None or rule is None or document is None or not isinstance(document.root, YamlTable):
        return None
    kind = rule.kind.text
    if kind in _LISTS:
        found = _in_list(document, _LISTS[kind], name.text)
    elif kind in TILE_KINDS:
        found = _in_table(document, "tiles", f"{name.text}: {{kind: {kind}}}")
    else:
        return None
    if found is None:
        return None
    at, text = found
    title = f"Enter `{name.text}` in `{box.name}`"
    return title, TextEdit(Place(str(box), at, at), text)


def _rule_named(workspace: Workspace, path: Path, name: str) -> tree.Rule | None:
    rules = rules_in(workspace.rules(path).declarations)
    return next((each for each in rules if each.name.text == name), None)


def _box_of(workspace: Workspace, path: Path) -> Path | None:
    home = workspace.home(path)
    if home is not None:
        return workspace.path_named(home / reading.MANIFEST)
    box = shipped_in(path)
    return workspace.path_named(shipped_box(box)) if box else None


Insertion = tuple[int, str]
"""A text, and the offset at which it is put in."""


def _in_list(document: Document, key: str, id: str) -> Insertion | None:
    """Add an id to a list, in the way in which the list is written."""
    node, source = document.place((key,)).node, document.source
    if not _has(document, key):
        return _at_end(source, f"{key}: [{id}]\n")
    if not isinstance(node, YamlList):
        return None
    if source.text[node.start : node.start + 1] == "[":
        return (node.items[-1].end, f", {id}") if node.items else (node.end - 1, id)
    line = source.line_text(source.position(node.items[-1].start)[0])
    indent = line[: len(line) - len(line.lstrip())]
    return node.items[-1].end, f"\n{indent}- {id}"


def _in_table(document: Document, key: str, entry: str) -> Insertion | None:
    """Add an entry to a table in lines of its own."""
    node, source = document.place((key,)).node, document.source
    if not _has(document, key):
        return _at_end(source, f"{key}:\n  {entry}\n")
    if not isinstance(node, YamlTable) or not node.entries:
        return None
    first = next(iter(node.entries.values())).key.start
    if source.text[node.start : node.start + 1] == "{":
        return first, f"{entry}, "
    return first, f"{entry}\n" + " " * (source.position(first)[1] - 1)


def _has(document: Document, key: str) -> bool:
    return isinstance(document.root, YamlTable) and key in document.root.entries


def _at_end(source: Source, text: str) -> Insertion:
    newline = "" if source.text.endswith("\n") or not source.text else "\n"
    return len(source.text), newline + text


# What a rule lacks: a wording, or an example, which is tried so that it holds.


_WORDING = '    "Say what it does, in your own words."\n'
_DRAWING = "        | .a .a .  .\n        |  .  .  .a .\n        | .  .  .  .\n"
_CARD = "    example:\n" + _DRAWING + "        gives {}\n"
_TILE = "    example:\n" + _DRAWING + "        offers none\n"
_GIVES = re.compile(r"gives (-?\d+), not 0")


def missing_wording(workspace: Workspace, path: Path, name: Span) -> Iterator[TextEdit]:
    """Yield the edit that begins the body of a rule with a wording, if there is a body."""
    source = workspace.source(path)
    line = source.position(name.start)[0]
    if line < source.line_count and source.line_text(line).rstrip().endswith(":"):
        start = source.offset(line + 1, 1)
        yield TextEdit(Place(str(path), start, start), _WORDING)


def missing_example(workspace: Workspace, path: Path, name: Span) -> Iterator[TextEdit]:
    """Yield the edit that adds an example to a rule: of a card with what it pays there."""
    rule, around = (
        _rule_named(workspace, path, name.text),
        answers.declaration_at(name.source, name.start),
    )
    body = re.sub(r"(\n[ \t]*(#[^\n]*)?)+\Z", "", around.text.rstrip())
    end = around.start + len(body)
    edit = TextEdit(Place(str(path), end, end), "\n" + _TILE.rstrip("\n"))
    if rule is not None and rule.kind.text in CARD_KINDS:
        edit = replace(edit, text="\n" + _CARD.format(0).rstrip("\n"))
        paid = _paid(workspace, path, edit, name)
        edit = replace(edit, text="\n" + _CARD.format(paid).rstrip("\n"))
    yield edit


def _paid(workspace: Workspace, path: Path, edit: TextEdit, name: Span) -> int:
    """Return what a card pays in an example that expects nothing; 0 if it cannot be run."""
    trial = workspace.trial()
    _apply(trial, [edit])
    if name.text not in trial.loaded(path).catalog.cards:
        entered = entered_in_box(trial, path, name)
        _apply(trial, [] if entered is None else [entered[1]])
    begin, end = edit.place.start, edit.place.start + len(edit.text)
    for each in trial.examples(path):
        if begin <= each.place.start <= end and (found := _GIVES.search(each.found)):
            return int(found[1])
    return 0


# The one style of rules: of a text, of some lines of it, of the line that was begun.


_YAML_STEP = 2


def format_text(workspace: Workspace, path: Path) -> tuple[TextEdit, ...]:
    """The edits that give a rule file its one style. Raises Refused while it cannot be read."""
    source = workspace.source(path)
    if kind_of(path) != "rules":
        raise Refused(f"`{path.name}` is no rule file", "only those have one style")
    after = fmt.styled(source)
    if after is None:
        raise Refused("what cannot be read has no style yet", "mend what is marked first")
    return tuple(_difference(path, source.text, after))


def format_range(workspace: Workspace, path: Path, start: int, end: int) -> tuple[TextEdit, ...]:
    """Those of these edits that touch the lines of a range."""
    source = workspace.source(path)
    first = source.offset(source.position(start)[0], 1)
    line = source.position(end)[0]
    last = source.offset(line, len(source.line_text(line)) + 1)
    edits = format_text(workspace, path)
    return tuple(e for e in edits if e.place.start <= last and first <= e.place.end)


def _difference(path: Path, before: str, after: str) -> Iterator[TextEdit]:
    """Yield the lines that change."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [*accumulate(map(len, old), initial=0)]
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for tag, first, last, begin, end in matcher.get_opcodes():
        if tag != "equal":
            place = Place(str(path), starts[first], starts[last])
            yield TextEdit(place, "".join(new[begin:end]))


def format_on_type(workspace: Workspace, path: Path, offset: int) -> tuple[TextEdit, ...]:
    """The indentation of a line that was just begun, below the line before it."""
    source = workspace.source(path)
    line = source.position(offset)[0]
    text, above = source.line_text(line), source.line_text(line - 1)
    if line == 1 or text.strip() or not above.strip() or kind_of(path) is None:
        return ()
    indent = len(above) - len(above.lstrip(" "))
    if kind_of(path) == "rules" and build.opens_block(above):
        indent += STEP
    elif kind_of(path) != "rules" and above.rstrip().endswith(":"):
        indent += _YAML_STEP
    start = source.offset(line, 1)
    if text == " " * indent:
        return ()
    return (TextEdit(Place(str(path), start, start + len(text)), " " * indent),)


# What can be done at a place: fixes of findings, and what an author would type next.


_MEANT = re.compile(r"did you mean (?:the [a-z]+ )?`([^`]+)`\?")
_FOUND = re.compile(r"(?:gives|gain|is) (-?\d+)(?: gold is gained)?, not (-?\d+)")


def code_actions(workspace: Workspace, path: Path, start: int, end: int) -> tuple[CodeAction, ...]:
    """What can be done with the text from `start` to `end`; what mends a finding comes first.

    Warnings, and examples that do not hold, count where they were looked for before.
    """
    if kind_of(path) is None:
        return ()
    findings = [*workspace.current_findings(path), *workspace.failures(path)]
    here = [each for each in findings if _touches(each.span, start, end)]
    found = [action for each in here for action in _of_finding(workspace, path, each)]
    fixes = [each for each in findings if each.fix]
    if len(fixes) > 1 and any(each.fix for each in here):
        found.append(_action("Fix all that can be fixed", _together(workspace, fixes), fixes))
    found += noticing_scenarios(workspace, path, start, end)
    return (*found, *payment_actions(workspace, path, start, end))


def _action(
    title: str,
    edits: Iterable[TextEdit],
    findings: Sequence[Diagnostic] = (),
    is_preferred: bool = False,
) -> CodeAction:
    codes = tuple(dict.fromkeys(each.code for each in findings))
    return CodeAction(title, tuple(edits), codes, is_preferred)


def _touches(span: Span, start: int, end: int) -> bool:
    first, last = span.source.written(span.start, span.end)
    return first <= end and start <= last


def _of_finding(workspace: Workspace, path: Path, finding: Diagnostic) -> Iterator[CodeAction]:
    if finding.fix:
        title = f"Fix: {finding.message}"
        yield _action(title, _together(workspace, [finding]), [finding], is_preferred=True)
    for make in _MAKERS:
        yield from make(workspace, path, finding)


def _together(workspace: Workspace, findings: Iterable[Diagnostic]) -> list[TextEdit]:
    """Return the edits of some findings; where two meddle, the later one is left out."""
    taken: list[TextEdit] = []
    for finding in findings:
        fix = workspace.finding(finding).fix
        if not any(_overlap(new.place, old.place) for new in fix for old in taken):
            taken += fix
    return taken


def _overlap(one: Place, other: Place) -> bool:
    return one.file == other.file and one.start <= other.end and other.start <= one.end


def _meant(workspace: Workspace, path: Path, finding: Diagnostic) -> Iterator[CodeAction]:
    """The word that was meant, or what is to be written instead."""
    found = _MEANT.search(finding.help)
    span = _written(workspace, path, finding.span)
    if found is not None and span.text and "\n" not in span.text:
        edit = TextEdit(Place(str(path), span.start, span.end), found[1])
        title = f"Replace `{answers.shortened(span.text, 30)}` by `{found[1]}`"
        yield _action(title, [edit], [finding], is_preferred=True)


def _written(workspace: Workspace, path: Path, span: Span) -> Span:
    """Where the author wrote a span, in the text as it is."""
    return workspace.source(path).span(*span.source.written(span.start, span.end))


def _found_value(workspace: Workspace, path: Path, finding: Diagnostic) -> Iterator[CodeAction]:
    """The number that an example finds, in the place of the one that it expects."""
    found = _FOUND.search(finding.message)
    if finding.code != "KB505" or found is None:
        return
    span = _written(workspace, path, finding.span)
    number = re.search(rf"(?<![\w-]){found[2]}(?!\w)", span.text)
    if number is not None:
        place = Place(str(path), span.start + number.start(), span.start + number.end())
        yield _action(f"Expect {found[1]}", [TextEdit(place, found[1])], [finding])


def _entered(workspace: Workspace, path: Path, finding: Diagnostic) -> Iterator[CodeAction]:
    """An entry in the box for a card, task or tile that is in none."""
    if finding.code == "KB410" and kind_of(path) == "rules":
        found = entered_in_box(workspace, path, _written(workspace, path, finding.span))
        if found is not None:
            title, edit = found
            yield _action(title, [edit], [finding], is_preferred=True)


def _completed(workspace: Workspace, path: Path, finding: Diagnostic) -> Iterator[CodeAction]:
    """The wording or the example that a rule lacks."""
    title, make = _COMPLETIONS.get(finding.code, ("", None))
    if make is not None:
        for edit in make(workspace, path, _written(workspace, path, finding.span)):
            yield _action(title, [edit], [finding])


_COMPLETIONS: dict[str, tuple[str, Callable[[Workspace, Path, Span], Iterator[TextEdit]]]] = {
    "KB211": ("Begin with a wording", missing_wording),
    "KB212": ("Write an example", missing_example),
}


_MAKERS: tuple[Callable[[Workspace, Path, Diagnostic], Iterator[CodeAction]], ...] = (
    _meant, _found_value, _entered, _completed, ignoring,
)  # fmt: skip
