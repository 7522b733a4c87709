"""Names that are meant to break an output: one table of them, tried on every output."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

from cli.app import app
from kbrules.tools.new import new_expansion

NAMES = {
    "a command of a CI": "x\n::error file=a.py::stolen",
    "a line taken back": "x\r::error::stolen",
    "a script's end": "x</script><script>alert(1)<\\script>",
    "a style's end": "x</style><style>*{}",
    "a text that turns": "x\u202egnp.exe\u2066",
    "a terminal's command": "x\x1b]0;stolen\x07",
    "lines of other kinds": "x\u2028y\u2029z\x85w\x0bv\x0cu",
    "an end of CDATA": "x]]>&lt;!--",
    "quotes": "x'\"`|[y](javascript:alert(1))",
}
TITLES = [name for name in NAMES if name != "quotes"]  # which no text of a rule can have
PLAY = ["play", "--bots", "random", "--seed", "7", "--card", "orchid_keeper", "--log", "LOG"]
COMMANDS = [
    ["check", "--samples", "0"],
    ["check", "--samples", "0", "--output-format", "concise"],
    ["check", "--samples", "0", "--output-format", "github"],
    ["test", "--jobs", "1"],
    ["test", "--jobs", "1", "--output-format", "concise"],
    ["test", "--jobs", "1", "--output-format", "github"],
    ["test", "--jobs", "1", "--output-format", "junit"],
    ["fmt", "--check"],
    ["cards", "--with"],
    ["show", "card", "orchid_keeper", "--with"],
    ["show", "location", "orchid", "--with"],
    [*PLAY, "--force", "--with"],
]  # fmt: skip
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def run(*words: object) -> Result:
    result = CliRunner().invoke(app, [*map(str, words)])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def planted(folder: Path, title: str) -> Path:
    """An expansion with this title wherever one stands, and with tests that fail."""
    home = folder / "orchid"
    new_expansion("orchid", folder)
    value = json.dumps(title)
    for path, *pairs in (
        (
            "expansion.yaml",
            ("title: Orchid}", f"title: {value}}}"),
            ("title: Orchid\n", f"title: {value}\n"),
        ),
        ("scenarios/first.scenario.yaml", ("A pair makes room for a third piece", value)),
        ("rules/orchid.kb", ("gives 3", "gives 4")),
    ):
        text = (home / path).read_text(encoding="utf-8")
        for old, new in pairs:
            assert old in text
            text = text.replace(old, new)
        (home / path).write_text(text, encoding="utf-8")
    return home


def is_harmless(words: list[str], text: str) -> None:
    lines = text.split("\n")
    assert not RAW.search(text.replace("\n", "")), words
    assert not any("stolen" in line and line.startswith("::error::") for line in lines)
    assert not any(line.startswith("::error file=a.py") for line in lines)
    if "junit" in words and text.startswith("<?xml"):
        ElementTree.fromstring(text[: text.rindex(">") + 1])


@pytest.mark.parametrize("name", NAMES)
def test_no_title_upsets_an_output(name: str, tmp_path: Path) -> None:
    home = planted(tmp_path, NAMES[name])
    for words in COMMANDS:
        told = [word.replace("LOG", str(tmp_path / "game.kblog")) for word in words]
        is_harmless(words, run(*told, home).output)
    if (tmp_path / "game.kblog").exists():
        is_harmless(["replay"], run("replay", tmp_path / "game.kblog", "--with", home).output)


@pytest.mark.parametrize("name", NAMES)
def test_no_name_of_a_folder_upsets_an_output(name: str, tmp_path: Path) -> None:
    home = planted(tmp_path, "Orchid")
    told = NAMES[name].replace("/", "\u2215")
    home = home.rename(tmp_path / told)
    log = tmp_path / f"{told}.kblog"
    (home / "rules" / "orchid.kb").rename(home / "rules" / f"{told}.kb")
    for words in COMMANDS:
        is_harmless(words, run(*(str(log) if w == "LOG" else w for w in words), home).output)
    is_harmless(["replay"], run("replay", log, "--with", home).output)
    log.write_text(log.read_text(encoding="utf-8")[:300], encoding="utf-8")
    is_harmless(["replay"], run("replay", log, "--with", home).output)


def ends(folder: Path, tag: str) -> set[int]:
    """How many more ends than beginnings of an element the pages and scripts have."""
    paths = [*folder.rglob("*.html"), *folder.rglob("*.js")]
    texts = [path.read_text(encoding="utf-8").lower() for path in paths]
    return {text.count(f"</{tag}") - text.count(f"<{tag}") for text in texts}


def test_no_title_ends_an_element_of_a_page(tmp_path: Path) -> None:
    title = NAMES["a script's end"] + NAMES["a style's end"]
    home = planted(tmp_path, title)
    result = run("docs", home, "--output", tmp_path / "site")
    assert result.exit_code == 0, result.output
    index = (tmp_path / "site" / "index.js").read_text(encoding="utf-8")
    assert "alert(1)" in index and "<" not in index
    shutil.rmtree(tmp_path / "site" / "vendor")
    assert ends(tmp_path / "site", "script") == ends(tmp_path / "site", "style") == {0}
