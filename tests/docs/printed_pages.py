"""The reference pages in `docs/`, printed from the declarations of words and boxes."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kbrules.diagnostics import Diagnostic, render_full
from kbrules.game.view import WHOSE
from kbrules.lang.syntax import tree
from kbrules.lang.typed import Signature, StepSignature
from kbrules.library.load import load, load_with_dependencies
from kbrules.library.reading import data_root, read_source, shown_name
from kbrules.library.ruleset import Ruleset
from kbrules.library.store import Files
from kbrules.messages import CODES, Code
from kbrules.primitives import registry
from kbrules.primitives.vocabulary import EVENTS, EXAMPLE_WORDS, GRAMMAR_WORDS, KINDS, vocabulary
from kbrules.scenario.examples import RuleExample, examples_of
from kbrules.text import Source, visible
from kbrules.tools import show
from kbrules.tools.docs import site
from kbrules.tools.docs.site import ANSWERS_FILE
from kbrules.tools.explain import findings_of
from kbrules.tools.pictures.board import board_svg
from kbrules.tools.pictures.replay import example_picture
from tests.docs.illustrations import norms_svg, sampler_svg
from tests.docs.rulebook import boxes_page, rulebook_page

if TYPE_CHECKING:
    from pydantic import BaseModel


# The pages of scenario and box files: every key of every table, as its model describes it.


EXAMPLE = "expecting.scenario.yaml"


def scenario_page(scenarios: Path) -> Iterator[str]:
    """The lines of the page; the example is a file in the folder of scenarios, run as one of them.

    Raises FileNotFoundError without it.
    """
    yield "A scenario file lays out a position, does moves and says what must then hold."
    yield "`kbrules test` runs the files that end in `.scenario.yaml`, and so does pytest. From"
    yield "Python, `kbrules.read_position` takes the keys of a table: from `with` to `turn`."
    yield from ("", "```yaml", *_example(scenarios), "```", "")
    yield from _sections(show.scenario_tables())


def box_file_page() -> Iterator[str]:
    """The lines of the page of box files."""
    yield "What is in a box stands in `expansion.yaml`, in the folder of the box; what it does, in"
    yield "rule files beside it. Only `format`, `id` and `title` are needed."
    yield "`kbrules new expansion` writes one, and the [guide](guide/index.md) goes on from there."
    yield "[Packages](packages.md) tells of installed boxes, versions, locks and languages."
    yield ""
    yield from _sections(show.box_tables())


def _sections(tables: Iterable[show.Table]) -> Iterator[str]:
    """Every table with its keys."""
    for title, model in tables:
        yield from (f"## {title}", "", (model.__doc__ or "").partition("\n")[0], "")
        yield from ("| key | meaning | such as |", "| --- | --- | --- |")
        yield from (*_keys(model), "")


def _example(scenarios: Path) -> list[str]:
    source, _ = read_source(scenarios / EXAMPLE)
    if source is None:
        raise FileNotFoundError(EXAMPLE)
    return [line for line in source.text.splitlines() if not line.startswith("#")]


def _keys(model: type[BaseModel]) -> Iterator[str]:
    """A row for each key; what `within` some decisions must hold is told once, at `expect`."""
    from kbrules.scenario.models import ExpectedStateModel, ReachableModel

    described = ExpectedStateModel.model_fields if model is ReachableModel else {}
    for name, field in model.model_fields.items():
        if name not in described:
            example = next(iter(field.examples or ()), None)
            yield _row(field.alias or name, field.description or "", example)
    if described:
        yield _row("any other key", "As in `expect`.", None)


def _row(key: str, meaning: str, example: Any) -> str:
    example_text = "" if example is None else f"`{json.dumps(example, ensure_ascii=False)}`"
    cells = (f"`{key}`" if " " not in key else key, meaning, example_text)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


# The pictures of written pages: one that stands below a block of rules shows its first example.


_ILLUSTRATED = re.compile(r"```kb\n((?:(?!```).)*)```\n\n!\[[^\]]*\]\((\S+\.svg)\)", re.DOTALL)
"""A block of rules, and the path of the picture below it."""


def illustrations(folder: Path) -> Iterator[tuple[str, str]]:
    """The pictures of the pages of a folder, each with its path from there.

    ValueError if a block cannot be read, or has no example that can be drawn.
    """
    files = Files()
    for page in sorted(folder.glob("*.md")):
        for text, path in _ILLUSTRATED.findall(page.read_text(encoding="utf-8")):
            svg = _illustration(Source(path, text), files)
            if svg is None:
                raise ValueError(f"{page.name}: nothing can be drawn for {path}")
            yield path, svg


def _illustration(block: Source, files: Files) -> str | None:
    ruleset = load_with_dependencies([], [], [block], files).ruleset
    if ruleset is None:
        return None
    examples = (e for e in examples_of(ruleset) if e.example.span.source.name == block.name)
    example = next(examples, None)
    return None if example is None else _example_svg(ruleset, example)


def _example_svg(ruleset: Ruleset, example: RuleExample) -> str | None:
    title = f"{example.rule.title}: {example.example.title}"
    if example.rule.norms:
        return norms_svg(ruleset, example, title)
    picture = example_picture(ruleset.catalog, example.rule.id, example.example, title)
    return None if picture is None else board_svg(picture)


# `python -m tests.docs.printed_pages` writes `docs/words.md`, `docs/boxes.md`,
# `docs/rulebook.md`, `docs/rulings.md`, `docs/scenarios.md` and `docs/expansions.md` of a
# checkout, the pictures of written pages, and what the site shows as answers to wrong examples;
# with `--check` it only says whether they are up to date.


NOTE = "<!-- printed by `python -m tests.docs.printed_pages`; edit the declarations instead -->"


def main(arguments: list[str] | None = None) -> int:
    """Write the pages and the answers, or with `--check` answer 1 if they have drifted."""
    words = sys.argv[1:] if arguments is None else arguments
    files = {Path("docs", name): text for name, text in pages().items()}
    files[Path(site.__file__).with_name(ANSWERS_FILE)] = _answers()
    outdated = {path: text for path, text in files.items() if _read(path) != text}
    for path, text in outdated.items():
        if "--check" in words:
            print(f"{shown_name(path)} is not what the declarations say")
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return 1 if outdated and "--check" in words else 0


def _answers() -> str:
    """Return the file of what the program answers to the wrong example of each code."""
    codes = (code for code in CODES.values() if code.wrong.files and not code.wrong.commands)
    answers = {code.code: answer_text(findings_of(code.wrong, code), code) for code in codes}
    return json.dumps(answers, indent=1, ensure_ascii=False) + "\n"


def answer_text(findings: Sequence[Diagnostic], code: Code) -> str:
    """Return how the findings in the wrong example of a code read."""
    own_findings = [each for each in findings if each.code == code.code]
    text = "\n\n".join(map(render_full, own_findings or findings))
    return "\n".join(map(visible, text.split("\n")))


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def pages() -> Mapping[str, str]:
    """The text of each page by its file name."""
    lines_of = {"words.md": _words(), "boxes.md": _boxes()}
    lines_of |= {"rulebook.md": _rulebook(), "rulings.md": _rulings()}
    lines_of |= {"scenarios.md": _scenarios(), "expansions.md": _box_files()}
    lines_of |= {"looks.svg": iter([sampler_svg()])}
    folder = data_root("rules").parent / "docs"
    lines_of |= {path: iter([svg]) for path, svg in illustrations(folder)}
    return {name: "\n".join(lines) + "\n" for name, lines in lines_of.items()}


def _boxes() -> Iterator[str]:
    yield from (NOTE, "", "# What the boxes hold", "")
    yield from boxes_page()


def _rulebook() -> Iterator[str]:
    root = data_root("rules").parent
    note = NOTE.replace("the declarations", "docs/rulebook.yaml")
    yield from (note, "", "# Where each rule is said, and what checks it", "")
    yield "Every item of the rule book, in short words of our own, with the line that says it, and"
    yield from ("the files under `tests/scenarios/` that check it (with how many scenarios).", "")
    yield from rulebook_page(root / "docs", root / "tests" / "scenarios")


def _rulings() -> Iterator[str]:
    yield from (NOTE, "", "# Disputed rulings", "")
    yield "What a table may choose, by question; `kbrules play --ruling NAME=VALUE` chooses, and"
    yield from ("`kbrules show options` lists the same for the boxes that are loaded.", "")
    for box, options in groupby(show.shipped_options(), key=lambda each: each[0]):
        yield from (f"## {box}", "")
        for _, option in options:
            yield from _option(option)


def _option(option: tree.Option) -> Iterator[str]:
    file = option.span.source.name
    place = f"[{file}:{option.span.line}](../{file}#L{option.span.line})"
    yield from (f"### {show.option_heading(option)}", "")
    yield f"`{option.name.text}`, by default {show.value_text(option.default)}; {place}"
    yield ""
    yield from (
        f"* {value}: {text}" for value, text in show.readings(option, option.default) if text
    )
    if option.source:
        yield f"* source: {option.source}"
    yield ""


def _scenarios() -> Iterator[str]:
    yield from (NOTE, "", "# Scenario files", "")
    yield from scenario_page(data_root("rules").parent / "tests" / "scenarios")


def _box_files() -> Iterator[str]:
    yield from (NOTE, "", "# Box files", "")
    yield from box_file_page()
    yield from ("## Textures and icons", "", "The names that `texture` and `icon` may have:", "")
    yield "![All textures and icons with their names](looks.svg)"


def _words() -> Iterator[str]:
    yield from (NOTE, "", "# The words of the language", "")
    yield from _kinds()
    for title, words in (("Words", registry.WORDS), ("Folds", registry.FOLDS)):
        yield from (f"## {title}", "")
        yield from _signatures(word.signature for word in words)
    yield from (
        "## Operators",
        "",
        "| written | on | gives | meaning |",
        "| --- | --- | --- | --- |",
    )
    for word in registry.OPERATORS:
        yield _operator(word.signature)
    yield from ("", "## Steps", "")
    for step in registry.STEPS:
        yield from _step(step.signature)
    yield from (
        "## Events",
        "",
        f"What `when ...:` may wait for, and the names its body may use. {WHOSE}",
        "",
    )
    for event in EVENTS.values():
        names = ", ".join(f"`{name}`" for name, _ in event.binds)
        yield f"* `{event.name}` ({names}): {event.page}"
    yield from _grammar_words()
    yield from _box_words()


def _grammar_words() -> Iterator[str]:
    """The words of the grammar, and of examples."""
    for title, words in (("Sentences", GRAMMAR_WORDS), ("Examples", EXAMPLE_WORDS)):
        yield from ("", f"## {title}", "", "| word | written | meaning |", "| --- | --- | --- |")
        for word, (usage, page) in words.items():
            cells = (f"`{word}`", f"`{usage}`" if usage else "", page)
            yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _box_words() -> Iterator[str]:
    """The words that the prelude and the shipped boxes declare."""
    yield from ("", "## Words of the boxes", "")
    yield "Every file may use those of the prelude; those of a box, files that need it. What a box"
    yield "lists (terrains, pieces, tiles, cards) stands on the [page of boxes](boxes.md)."
    yield from ("", "| word | meaning | where |", "| --- | --- | --- |")
    rules = load()
    tags = [
        each
        for each in show.components(rules.catalog, rules.rules)
        if each.kind == "one of the tags"
    ]
    for each in (*show.declared_words(rules.declarations), *tags):
        usage = each.usage.replace("|", "\\|")
        yield f"| `{usage}` | {each.page} | {each.kind} |"


def _kinds() -> Iterator[str]:
    listed = ", ".join(f"`{kind}`" for kind in sorted(KINDS))
    yield f"Declarations: {listed}, and `define`, `steps`, `option`, `memory`."
    verbs = ", ".join(f"`{verb}`" for verb in sorted(vocabulary().norm_verbs()))
    yield from (f"Norms speak of the verbs {verbs}.", "")


def _signatures(signatures: Iterable[Signature]) -> Iterator[str]:
    for signature in sorted(signatures, key=lambda s: s.key):
        yield from (f"### `{signature}`", "", f"Gives {signature.result}. {signature.page}", "")
        if signature.example:
            yield from (f"    {signature.example}", "")


def _operator(signature: Signature) -> str:
    symbol = signature.name.replace("|", "\\|")
    sorts = ", ".join(p.sort for p in signature.parameters)
    return f"| `{symbol}` | {sorts} | {signature.result} | {signature.page} |"


def _step(signature: StepSignature) -> Iterator[str]:
    yield from (f"### `{signature.pattern}`", "", signature.page, "")
    if signature.example:
        yield from (f"    {signature.example}", "")


if __name__ == "__main__":
    sys.exit(main())
