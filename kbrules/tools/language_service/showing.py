"""What is shown of a text: hover, pages, signatures, hints, lenses, colours and folds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache
from itertools import accumulate
from pathlib import Path

from kbrules.lang.checker.expressions import Scope
from kbrules.lang.syntax import build, tree
from kbrules.lang.typed import SORT_NAMES, Parameter, Sort
from kbrules.library.boards import positions, tables
from kbrules.library.discovery import kind_of
from kbrules.library.load import Loaded
from kbrules.library.ruleset import Ruleset
from kbrules.library.yaml import Node, YamlList, YamlTable
from kbrules.messages import CODES, Code
from kbrules.primitives.vocabulary import CARD_KINDS
from kbrules.text import Source, Span, counted
from kbrules.tools.balance import and_list, player_text
from kbrules.tools.editors.highlight import TokenKind, rule_tokens
from kbrules.tools.explain import notes_of
from kbrules.tools.language_service import answers, navigating, probing
from kbrules.tools.language_service.workspace import Workspace
from kbrules.tools.show import LookupEntry, entries
from kbrules.tools.simulate import figures, ranking, results_file
from kbrules.tools.simulate.question import Question

# The pages of words, and of what a workspace declares, in Markdown.


_FILE_KEY = "a key of a "


def pages_of(workspace: Workspace, path: Path) -> Mapping[str, tuple[LookupEntry, ...]]:
    """The pages of all words that the rules of a file's box may use, by word."""
    loaded = workspace.last_loaded(path)
    return workspace.files.memoized(("pages", path), [loaded], lambda: _by_name(loaded))


def _by_name(loaded: Loaded) -> dict[str, tuple[LookupEntry, ...]]:
    rules = loaded.checked.rules if loaded.checked is not None else ()
    found: dict[str, tuple[LookupEntry, ...]] = {}
    for entry in entries(loaded.catalog, loaded.declarations, rules):
        if not entry.kind.startswith(_FILE_KEY):
            found[entry.name] = (*found.get(entry.name, ()), entry)
    return found


def entry_markdown(entries: Iterable[LookupEntry]) -> str:
    """Some pages, one below the other; what two of them have alike is told once."""
    return "\n\n---\n\n".join(dict.fromkeys(map(_page, entries)))


def _page(entry: LookupEntry) -> str:
    parts = [f"```kb\n{entry.usage}\n```"] if entry.usage else []
    parts += [entry.page] if entry.page else []
    parts += [f"_{entry.kind}_"] if entry.kind else []
    parts += [f"For example: `{entry.example}`"] if entry.example else []
    return "\n\n".join(parts)


def rules_in(declarations: Iterable[tree.Declaration]) -> list[tree.Rule]:
    """Return the rules, tiles and cards among declarations."""
    return [each for each in declarations if isinstance(each, tree.Rule)]


def rule_markdown(rule: tree.Rule) -> str:
    """A rule, tile or card: its title, its wording, and its first example as a drawing."""
    parts = [f"**{rule.title or rule.name.text}**, {rule.kind.text} `{rule.name.text}`"]
    parts += [rule.wording] if rule.wording else []
    if example := next((each for each in rule.examples if each.drawing), None):
        parts.append(f"```text\n{_drawn(example)}\n```")
    return "\n\n".join(parts)


def _drawn(example: tree.Example) -> str:
    """The drawing and the lines of an example as they are written, not indented."""
    spans = [example.drawing] if example.drawing is not None else []
    lines = [line.strip() for span in spans for line in span.text.split("\n") if line.strip()]
    return "\n".join([*lines, *(line.span.text for line in example.lines)])


def code_markdown(code: Code) -> str:
    """The page of a code."""
    heading = f"**{code.code}** {code.slug}: {code.title}"
    return "\n\n".join([heading, code.explanation, *notes_of(code)])


# What cards paid when they were last measured, from the files that `kbrules balance` left.


_MOST_FILES = 50


@dataclass(frozen=True, slots=True)
class StoredBalance:
    """What a file tells of its card: what it pays to each bot, and the highest payment.

    digest: of the rules that the games were played by.
    """

    question: Question
    digest: str
    gold: Mapping[str, figures.Tally]
    highest: ranking.CardPayment

    def sentence(self, ruleset: Ruleset | None) -> str:
        """What the card pays to each bot on average, and whether by other rules than these."""
        is_same = ruleset is not None and self.digest == ruleset.digest
        paid = [f"{gold.mean:.1f} to {player_text(bot)}" for bot, gold in self.gold.items()]
        games = counted(next(iter(self.gold.values())).games, "game")
        changed = "" if is_same else ", by other rules"
        return f"pays {and_list(paid)} on average ({games}{changed})"


def balances_in(folder: Path) -> Mapping[str, StoredBalance]:
    """For each card that was measured what the newest file in a folder tells of it.

    Files are looked for in the folder itself. Those that cannot be read have nothing to tell.
    """
    found: dict[str, StoredBalance] = {}
    files = sorted((modified(file), file) for file in folder.absolute().glob("*.sqlite"))
    for changed, file in files[-_MOST_FILES:]:
        if (balance := _read(file, changed)) is not None:
            found[balance.question.beside] = balance
    return found


def modified(file: Path) -> int:
    """Return when a file was modified last, in nanoseconds; 0 if it is not there."""
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=_MOST_FILES)
def _read(file: Path, modified: int) -> StoredBalance | None:
    """What a file tells as it was modified last; nothing if it has no payments."""
    try:
        with results_file.Store(file) as store:
            return _balance_of(store) if store.done and store.question.beside else None
    except (results_file.UnusableFile, OSError):
        return None


def _balance_of(store: results_file.Store) -> StoredBalance:
    """What the games of a store say of the card alone."""
    store.check()
    question, card = store.question, store.question.beside
    results = [*ranking.payments(store, store.done, tables=1)]
    gold = {lineup[0]: figures.Tally() for lineup in question.lineups}
    for each in results:
        gold[each.bot].add(sum(each.paid[0].gold), len(each.paid[0].gold))
    highest = ranking.highest_payment(results, card)
    assert highest is not None, "a deal that is done has payments"
    return StoredBalance(question, "".join(store.fact("rules", list[str])), gold, highest)


# What is known of the word at a place.


_CODE = re.compile(r"KB[0-9]{3}")
_PARTS = ("a part of", "a step", "a verb of", "an event", "in an example")
_CELL = re.compile(r"[^\s|]+")
_Page = tuple[Span, str]


def hover(workspace: Workspace, path: Path, offset: int) -> answers.Hover | None:
    """The signature and page of the word at a place of a file; None if nothing is known of it."""
    found = _page_at(workspace, path, offset)
    return None if found is None else answers.Hover(answers.place_in(path, found[0]), found[1])


def _page_at(workspace: Workspace, path: Path, offset: int) -> _Page | None:
    source = workspace.source(path)
    kind, loaded = kind_of(path), workspace.last_loaded(path)
    zone = answers.zone_at(source, offset) if kind == "rules" else "code"
    if zone == "comment":
        return _code(source, offset)
    if zone == "drawing":
        return _cell(source, offset, loaded)
    if kind is None or zone == "text":
        return None
    word = answers.word_at(source, offset)
    word = word if word.text else answers.sign_at(source, offset)
    if not word.text:
        return None
    if kind == "rules":
        return _word(workspace, path, word, loaded)
    return _in_data(workspace, path, word, loaded)


def _code(source: Source, offset: int) -> _Page | None:
    word = answers.word_at(source, offset)
    if not _CODE.fullmatch(word.text) or word.text not in CODES:
        return None
    return (word, code_markdown(CODES[word.text]))


def _cell(source: Source, offset: int, loaded: Loaded) -> _Page | None:
    """What the signs of a hex in a drawing mean."""
    line = source.position(offset)[0]
    start = source.offset(line, 1)
    for found in _CELL.finditer(source.line_text(line)):
        if found.start() <= offset - start < found.end():
            markdown = "\n\n".join(_signs(found[0], loaded))
            span = source.span(start + found.start(), start + found.end())
            return (span, markdown) if markdown else None
    return None


def _signs(word: str, loaded: Loaded) -> list[str]:
    catalog = loaded.catalog
    kinds = {each.letter: each.title or each.id for each in catalog.hexes}
    pieces = [each for each in catalog.pieces if not each.neutral]
    meanings = [f"`{word[0]}`: {kinds[word[0]]}"] if word[0] in kinds else []
    if word[0] == ".":
        meanings.append("`.`: any terrain")
    if len(word) > 1 and word[1] in positions.OWNERS and pieces:
        letter = word[2:3]
        piece = next((each for each in pieces if each.letter == letter), pieces[0])
        meanings.append(
            f"`{word[1:3] if letter == piece.letter else word[1]}`: "
            f"{piece.title or piece.id} of player {word[1]}"
        )
    return meanings


def _word(workspace: Workspace, path: Path, word: Span, loaded: Loaded) -> _Page | None:
    scope = loaded.checked.scope if loaded.checked is not None else None
    found = probing.probe(word.source, word, scope) if scope is not None else None
    if found is not None and found.is_expression and word.text in found.variables:
        sort = found.variables[word.text]
        said = SORT_NAMES[sort]
        text = f"```kb\n{word.text}: {sort}\n```\n\n{said[:1].upper()}{said[1:]}, bound here."
        return (word, text)
    rules = _rules_named(word.text, found, loaded)
    pages = _fitting(pages_of(workspace, path).get(word.text, ()), found)
    if rules:
        return (word, "\n\n---\n\n".join(map(rule_markdown, rules)))
    return (word, entry_markdown(pages)) if pages else None


def _rules_named(name: str, found: probing.Probe | None, loaded: Loaded) -> list[tree.Rule]:
    """The rules, tiles or cards of a name, where one may be meant."""
    if found and not found.is_expression and not isinstance(found.path[-2][0], tree.Rule):
        return []
    return [rule for rule in rules_in(loaded.declarations) if rule.name.text == name]


def _fitting(pages: Sequence[LookupEntry], found: probing.Probe | None) -> Sequence[LookupEntry]:
    """The pages that speak of a word in such a place; if none does, those of no other place."""
    wanted = _kinds(found)
    fitting = [each for each in pages if wanted and each.kind.startswith(wanted)]
    return fitting or [each for each in pages if not each.kind.startswith(_PARTS)] or pages


def _kinds(found: probing.Probe | None) -> tuple[str, ...]:
    if found is None or found.is_expression:
        return ()
    match found.path[-2][0] if len(found.path) > 1 else None:
        case tree.Step():
            return ("a step", "in an example") if found.path[-2][1] == "verb" else ("a part of",)
        case tree.Norm():
            return ("a verb of norms",)
        case tree.When() | tree.Section():
            return ("an event",)
    return ()


def _in_data(workspace: Workspace, path: Path, word: Span, loaded: Loaded) -> _Page | None:
    """A key, or a thing of the boxes, in a data file or a scenario."""
    if markdown := probing.key_help(workspace, path, word.start):
        return (word, markdown)
    if named := _rules_named(word.text, None, loaded):
        return (word, "\n\n---\n\n".join(map(rule_markdown, named)))
    pages = [p for p in pages_of(workspace, path).get(word.text, ()) if p.kind.startswith("one of")]
    return (word, entry_markdown(pages)) if pages else None


# A few words that a text does not say: the sort of a definition, the size of a drawing.


def inlay_hints(workspace: Workspace, path: Path) -> tuple[answers.InlayHint, ...]:
    """The hints of a rule file, from top to bottom; a table gets none."""
    if kind_of(path) != "rules":
        return ()
    checked = workspace.last_loaded(path).checked
    found: list[answers.InlayHint] = []
    for each in workspace.rules(path).declarations:
        if each.span.is_derived:
            continue
        if isinstance(each, tree.Define) and checked is not None:
            found += _sort(each, checked.scope)
        elif isinstance(each, tree.Rule):
            found += (hint for example in each.examples for hint in _size(example))
    return tuple(sorted(found, key=lambda hint: hint.offset))


def _sort(define: tree.Define, scope: Scope) -> Iterator[answers.InlayHint]:
    definition = scope.names.definitions.get(define.name.text)
    if definition is None or definition.body.sort is Sort.HOLE:
        return
    end = define.name.span.end
    if define.parameters:
        text = define.span.source.text
        end = text.find(")", define.parameters[-1][1].span.end) + 1 or end
    sort = definition.body.sort
    yield answers.InlayHint(end, f": {sort}", f"gives {SORT_NAMES[sort]}")


def _size(example: tree.Example) -> Iterator[answers.InlayHint]:
    """The number of hexes behind the heading of an example."""
    if example.drawing is None:
        return
    rows = tables.DrawingSource.of(example.drawing).rows()
    hexes = sum(word.text not in ("|", "-") for row in rows for word in row)
    heading = example.span.text.partition("\n")[0].rstrip()
    yield answers.InlayHint(example.span.start + len(heading), counted(hexes, "hex"), "drawn below")


# What stands beside examples, scenarios and cards: what came of them.


_LONGEST = 80  # characters of a title


def lenses(workspace: Workspace, path: Path) -> tuple[answers.Lens, ...]:
    """The lenses of a file, from top to bottom; those of examples run them."""
    text = workspace.text(path)
    found = [_of_result(each, text) for each in workspace.examples(path)]
    if kind_of(path) == "rules":
        found += _of_cards(workspace, path)
    return tuple(sorted(found, key=lambda each: each.place.start))


def _of_result(result: answers.ExampleResult, text: str) -> answers.Lens:
    title = "holds" if result.holds else result.found.partition("\n")[0] or "does not hold"
    title = answers.shortened(title, _LONGEST)
    at = result.place
    heading = text[at.start : at.end].partition("\n")[0].rstrip()
    place = answers.Place(at.file, at.start, at.start + len(heading))
    return answers.Lens(place, title, result.id, result.holds)


def _of_cards(workspace: Workspace, path: Path) -> Iterator[answers.Lens]:
    """What the cards of a file paid on average when they were last measured."""
    rules = rules_in(workspace.rules(path).declarations)
    cards = [each for each in rules if each.kind.text in CARD_KINDS]
    ruleset = workspace.last_loaded(path).ruleset
    balances = balances_in(workspace.home(path) or Path()) if cards else {}
    for card in cards:
        if (balance := balances.get(card.name.text)) is not None:
            place = answers.place_in(path, card.name.span)
            yield answers.Lens(place, balance.sentence(ruleset), card=card.name.text)


# Help with the arguments of the word or step that is being written.


_CALLED = re.compile(r"([a-z][a-z0-9_]*)$")
_VERB = re.compile(r"^[ \t]*(?:[a-z ]+:[ \t]*)?([a-z_]+)[ \t]")
_SLOT = re.compile(r"[A-Z]+")


def signature_at(workspace: Workspace, path: Path, offset: int) -> answers.SignatureHelp | None:
    """The ways to write the word whose arguments are written at a place, or the step there."""
    source = workspace.source(path)
    checked = workspace.last_loaded(path).checked
    if kind_of(path) != "rules" or checked is None or answers.zone_at(source, offset) != "code":
        return None
    around = answers.declaration_at(source, offset)
    before = build.code_only(around.text[: offset - around.start])
    found = _open_call(before)
    if found is not None:
        return _of_call(*found, checked.scope)
    return _of_step(before.rpartition("\n")[2], checked.scope)


def _open_call(before: str) -> tuple[str, int] | None:
    """The word whose parenthesis is still open, and the number of the argument, from 0."""
    depth, commas = 0, 0
    for at in range(len(before) - 1, -1, -1):
        sign = before[at]
        if sign == ")":
            depth += 1
        elif sign == "(" and depth:
            depth -= 1
        elif sign == "(":
            word = _CALLED.search(before[:at])
            if word is not None:
                return word[1], commas
            commas = 0
        elif sign == "," and not depth:
            commas += 1
    return None


def _of_call(name: str, number: int, scope: Scope) -> answers.SignatureHelp | None:
    shapes = [*_shapes(name, scope)]
    if not shapes:
        return None
    active = next((n for n, s in enumerate(shapes) if len(s.parameters) > number), 0)
    return answers.SignatureHelp(tuple(shapes), active, number)


def _shapes(name: str, scope: Scope) -> Iterator[answers.Shape]:
    for each in scope.vocabulary.words.get(name, ()):
        if each.parameters:
            more = ", ..." if each.chained else ""
            yield _shape(name, each.parameters, f": {each.result}", each.page, more)
    for each in scope.vocabulary.folds.get(name, ()):
        inner = f"{each.parameters[0].sort} for name in groups or players"
        label = f"{name}({inner}): {each.result}"
        yield answers.Shape(label, ((len(name) + 1, len(name) + 1 + len(inner)),), each.page)
    definition = scope.names.definitions.get(name)
    if definition is not None and definition.parameters:
        yield _shape(name, definition.parameters, f": {definition.body.sort}", "")
    steps = scope.names.named_steps
    if name in steps.declared and steps.parameters.get(name):
        yield _shape(name, steps.parameters[name], "", steps.declared[name].wording)


def _shape(
    name: str, parameters: Sequence[Parameter], behind: str, page: str, more: str = ""
) -> answers.Shape:
    words = [f"{each.name}: {each.sort}" for each in parameters]
    starts = accumulate((len(word) + 2 for word in words), initial=len(name) + 1)
    places = tuple((start, start + len(word)) for start, word in zip(starts, words, strict=False))
    return answers.Shape(f"{name}({', '.join(words)}{more}){behind}", places, page)


def _of_step(line: str, scope: Scope) -> answers.SignatureHelp | None:
    """The patterns of the step that a line begins with; the slot is the last one that is begun."""
    found = _VERB.match(line)
    steps = scope.vocabulary.steps.get(found[1], ()) if found is not None else ()
    if found is None or not steps:
        return None
    shapes = (
        answers.Shape(
            each.pattern, tuple(m.span() for m in _SLOT.finditer(each.pattern)), each.page
        )
        for each in steps
    )
    words = {word for step in steps for word in step.pattern.split() if word.islower()}
    number = sum(word in words for word in line[found.end(1) :].split())
    return answers.SignatureHelp(tuple(shapes), 0, number)


# What belongs together in a text: lines that fold, selections that grow.


_LEAST = 2  # lines that fold as a comment


def folding(workspace: Workspace, path: Path) -> tuple[answers.FoldingRange, ...]:
    """The lines below which others are indented, and comments of several lines."""
    lines = workspace.source(path).text.split("\n")
    found = [*_blocks(lines), *_comments(lines)]
    return tuple(sorted(found, key=lambda each: (each.first_line, each.last_line)))


def _blocks(lines: list[str]) -> Iterator[answers.FoldingRange]:
    open_lines: list[tuple[int, int]] = []  # line and indent
    last = 0
    for number, line in enumerate([*lines, "."], 1):
        if not line.strip() or (line.lstrip().startswith("#") and number <= len(lines)):
            continue
        indent = len(line) - len(line.lstrip(" \t"))
        while open_lines and open_lines[-1][1] >= indent:
            first, _ = open_lines.pop()
            if last > first:
                yield answers.FoldingRange(first, last)
        open_lines.append((number, indent))
        last = number


def _comments(lines: list[str]) -> Iterator[answers.FoldingRange]:
    first = 0
    for number, line in enumerate([*lines, ""], 1):
        if line.lstrip().startswith("#"):
            first = first or number
        elif first:
            if number - first >= _LEAST:
                yield answers.FoldingRange(first, number - 1, is_comment=True)
            first = 0


def selection_ranges(workspace: Workspace, path: Path, offset: int) -> tuple[tuple[int, int], ...]:
    """What may be selected around a place, innermost first: each lies in the next."""
    source = workspace.source(path)
    found = {(0, len(source.text))}
    word = answers.word_at(source, offset)
    if word.text:
        found.add((word.start, word.end))
    document = workspace.document(path) if kind_of(path) not in ("rules", None) else None
    if kind_of(path) == "rules":
        found |= {*_spans(workspace.rules(path).declarations)}
    elif document is not None:
        found |= {*_nodes(document.root)}
    around = sorted((s for s in found if s[0] <= offset <= s[1]), key=lambda s: s[1] - s[0])
    return tuple(_nested(around))


def _nested(spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Those of some spans, smallest first, that hold all before them."""
    start, end = None, None
    for first, last in spans:
        if start is None or end is None or (first <= start and last >= end and last > first):
            start, end = first, last
            yield first, last


def _spans(node: object) -> Iterator[tuple[int, int]]:
    """Where the nodes of a tree were written."""
    if isinstance(node, Span):
        yield node.source.written(node.start, node.end)
    elif isinstance(node, tuple):
        for each in node:
            yield from _spans(each)
    elif is_dataclass(node):
        for each in fields(node):
            yield from _spans(getattr(node, each.name))


def _nodes(node: Node) -> Iterator[tuple[int, int]]:
    yield node.start, node.end
    if isinstance(node, YamlTable):
        for entry in node.entries.values():
            yield entry.key.start, entry.key.end
            yield entry.key.start, max(entry.key.end, entry.value.end)
            yield from _nodes(entry.value)
    elif isinstance(node, YamlList):
        for item in node.items:
            yield from _nodes(item)


# The colours of a rule text: the one table of patterns, refined by what names mean.


def semantic_tokens(workspace: Workspace, path: Path) -> tuple[answers.SemanticToken, ...]:
    """The tokens of a rule file from top to bottom, none longer than its line.

    A name of a thing is told by its sort, a word that the author defines as one of the language.
    Of other files editors know the colours.
    """
    if kind_of(path) != "rules":
        return ()
    checked = workspace.last_loaded(path).checked
    kinds = _declared_kinds(checked.scope) if checked is not None else {}
    found = {(each.start, each.end): each for each in navigating.mentions(workspace, path)}
    tokens = []
    for start, end, kind in _pieces(workspace.text(path)):
        mention = found.get((start, end))
        declares = mention is not None and mention.is_declaration
        is_free = mention is not None and mention.domain != "local" and kind is TokenKind.NAME
        name = workspace.text(path)[start:end] if is_free else ""
        tokens.append(answers.SemanticToken(start, end, kinds.get(name, kind.value), declares))
    return tuple(tokens)


def _declared_kinds(scope: Scope) -> Mapping[str, str]:
    """What the names are that rules and boxes declare."""
    vocabulary, names = scope.vocabulary, scope.names
    things = {name: each.sort.value for name, each in vocabulary.constants.items()}
    words = (*vocabulary.words, *names.defined, *names.named_steps.declared)
    return {**things, **dict.fromkeys(words, TokenKind.WORD.value)}


def _pieces(text: str) -> Iterator[tuple[int, int, TokenKind]]:
    """The tokens with their places, without blanks."""
    at = 0
    for kind, written in rule_tokens(text):
        for line in written.splitlines(keepends=True):
            part = line.rstrip("\n")
            if part and kind is not TokenKind.BLANK:
                yield at, at + len(part), kind
            at += len(line)
