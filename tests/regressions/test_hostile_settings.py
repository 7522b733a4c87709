"""Settings that keep the parser of TOML busy are refused by a code, before they are parsed."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbrules.tools.lint import settings

CASES = {
    "lists": ("a = " + "[" * 900 + "]" * 900, "nested more than 20 deep"),
    "tables": ("a = " + "{a=" * 900 + "1" + "}" * 900, "nested more than 20 deep"),
    "lists over lines": ("a = " + "[\n" * 9000 + "]\n" * 9000, "nested more than 20 deep"),
    "parts of a key": (".".join("a" * 1900) + " = 1", "a key has at most 20 parts"),
    "quoted parts": (".".join(["'a b'", '"c"'] * 200) + " = 1", "a key has at most 20 parts"),
    "parts in a table": ("x = {" + " . ".join("a" * 900) + " = 1}", "a key has at most 20 parts"),
    "a long line": (".".join("a" * 60_000) + " = 1", "is longer than 4000 characters"),
    "a great number": ("samples = " + "9" * 3990, "a number from 0 to"),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", ["kbrules.toml", "pyproject.toml"])
def test_settings_beyond_a_limit_are_told(
    case: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, message = CASES[case]
    head = "[tool.kbrules]\n" if name == "pyproject.toml" else ""
    (tmp_path / name).write_text(head + text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    _, (found,) = settings.settings_of(tmp_path)
    assert found.code == "KB729"
    assert message in found.message


def test_brackets_and_dots_in_texts_are_no_depth(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ['"""' + "[" * 50 + '"""', "'" + "{" * 50 + "'", '"\\"' + "[" * 50 + '"']
    lines = [f"a{n} = {text} # " + "[" * 50 for n, text in enumerate(texts)]
    versions = "b = [" + ", ".join(f'"{n}.{n}.{n}"' for n in range(50)) + "]"
    text = "\n".join(["[tool.other]", *lines, versions, "[tool.kbrules]", "samples = 7"])
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert settings.settings_of(tmp_path) == (settings.Settings(samples=7), [])
