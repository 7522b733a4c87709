"""The extension for VS Code: it is packaged, speaks with the server, and says what others say."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.source_tree import ROOT, files_of_git

EXTENSION = ROOT / "editors" / "vscode"
PACKED = {
    "LICENSE.txt", "package.json", "readme.md", "language-configuration.json",
    "dist/extension.js", "dist/kb.tmLanguage.json",
}  # fmt: skip


def manifest() -> dict[str, object]:
    found: dict[str, object] = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    return found


def test_versions_are_pinned_and_the_lock_names_no_address() -> None:
    pinned = manifest()["devDependencies"]
    assert isinstance(pinned, dict)
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in pinned.values())
    lock = json.loads((EXTENSION / "package-lock.json").read_text(encoding="utf-8"))
    assert lock["packages"][""]["devDependencies"] == pinned
    assert not any("resolved" in package for package in lock["packages"].values())


def test_commands_of_the_palette_are_registered() -> None:
    contributed = manifest()["contributes"]
    assert isinstance(contributed, dict)
    source = "".join(path.read_text(encoding="utf-8") for path in (EXTENSION / "src").iterdir())
    for command in contributed["commands"]:
        name = command["command"].removeprefix("kbrules.editor.")
        assert f'inEditor("{name}"' in source or f'"{command["command"]}"' in source


def test_the_server_has_the_commands_that_the_extension_asks() -> None:
    names = pytest.importorskip("kbrules.tools.language_server.commands")
    source = (EXTENSION / "src" / "protocol.ts").read_text(encoding="utf-8")
    called = re.findall(r'^  \w+: "(kbrules\.\w+)",$', source, re.M)
    assert sorted(called) == sorted(name.value for name in names.CommandName)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="Node.js is not installed")
def test_it_is_packaged_and_speaks_with_the_server(tmp_path: Path) -> None:
    for name in files_of_git("editors", "docs/editors", "LICENSE") or []:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tmp_path / name)
    server = tmp_path / "kbrules"
    server.write_text(f'#!/bin/sh\ncd "{ROOT}" && exec "{sys.executable}" -m kbrules "$@"\n')
    server.chmod(0o755)
    folder = tmp_path / "editors" / "vscode"
    for words in (["npm", "ci"], ["npm", "test"], ["npm", "run", "package"]):
        done = subprocess.run(
            words, cwd=folder, capture_output=True, text=True, check=False,
            env={**os.environ, "KBRULES": str(server)}, timeout=600,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        assert words[1] != "test" or re.search(r"^# skipped 0$", done.stdout, re.M)
    with zipfile.ZipFile(folder / "kbrules.vsix") as packed:
        names = {name.removeprefix("extension/") for name in packed.namelist() if "/" in name}
        assert names == PACKED
        grammar = (ROOT / "docs/editors/kb.tmLanguage.json").read_bytes()
        assert packed.read("extension/dist/kb.tmLanguage.json") == grammar
