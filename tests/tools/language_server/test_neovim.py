"""The server seen in Neovim itself, with the configuration of the page on editors."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from kbrules.tools.language_server.command_names import COMMANDS
from kbrules.tools.language_server.requests import REQUESTS
from tests.source_tree import ROOT

PAGE = ROOT / "docs" / "editors.md"
NEOVIM = shutil.which("nvim")


def fenced(language: str) -> list[str]:
    """The blocks of the page in a language."""
    text = PAGE.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.skipif(NEOVIM is None, reason="there is no Neovim")
def test_a_broken_card_is_seen_mended_and_renamed(tmp_path: Path, pattern: Path) -> None:
    assert NEOVIM is not None
    shutil.copytree(pattern, tmp_path / "dale")
    rules = tmp_path / "dale/rules/dale.kb"
    rules.write_text(rules.read_text().replace("adjacent(mine)", "adjacent(mime)"))
    init, program = tmp_path / "init.lua", tmp_path / "bin" / "kbrules"
    init.write_text("".join(fenced("lua")))
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m kbrules "$@"\n')
    program.chmod(0o755)
    script, out = Path(__file__).with_name("neovim.lua"), tmp_path / "seen.json"
    environment = {
        **os.environ,
        "PATH": f"{program.parent}:{os.environ['PATH']}",
        "KB_FILE": str(rules),
        "KB_OUT": str(out),
        "HOME": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path),
    }
    words = [NEOVIM, "--headless", "-n", "-i", "NONE", "-u", str(init), "-S", str(script)]
    run = subprocess.run(
        words, env=environment, cwd=tmp_path, capture_output=True, timeout=300, text=True
    )
    assert out.exists(), run.stderr
    seen = json.loads(out.read_text())
    assert "fault" not in seen, seen["fault"]
    (finding,) = seen["broken"]
    assert "did you mean `mine`?" in finding["message"]
    lines = rules.read_text().splitlines()
    assert seen["filetype"] == "kbrules" and "adjacent" in seen["hover"]
    assert "adjacent" in seen["completion"] and seen["mended"] == [] and seen["after"] == []
    assert "card miller" in "\n".join(lines) and lines == seen["renamed"]
    assert "miller" in (tmp_path / "dale/expansion.yaml").read_text()
    assert "touching" in "\n".join(seen["why"])


def test_the_page_lists_every_request_and_command() -> None:
    text = PAGE.read_text(encoding="utf-8")
    requests = text[text.index("<!-- requests -->") : text.index("## Commands")]
    named = set(re.findall(r"`((?:textDocument|workspace|completionItem)/[A-Za-z/]+)`", requests))
    assert named == {*REQUESTS, "textDocument/publishDiagnostics"}
    for name, (_, called, answers) in COMMANDS.items():
        assert f"| `{name.value}` | {called} | {answers} |" in text


def test_configurations_of_other_editors_can_be_read() -> None:
    (helix,), (zed,), (emacs,) = map(fenced, ("toml", "json", "elisp"))
    assert tomllib.loads(helix)["language-server"]["kbrules"]["args"] == ["lsp"]
    assert json.loads(zed)["lsp"]["yaml-language-server"]["binary"]["path"] == "kbrules"
    assert emacs.count("(") == emacs.count(")")
