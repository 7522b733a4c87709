"""Which files are an author's, and what must hold on systems that this one is not."""

from __future__ import annotations

import ast
import random
import subprocess
import sys
from pathlib import Path, PurePosixPath, PureWindowsPath
from time import process_time

import pytest

from kbrules.library import discovery
from kbrules.library.discovery import discover, kind_of, rule_files
from kbrules.library.reading import author_folder
from kbrules.tools.new import CannotCreate, refuse_name
from kbrules.tools.reports.formats import ROOT as SOURCES, artifact
from tests.source_tree import ROOT, modules

NAMES = ("a", "b", "ab", "a.kb", "b.kb", "x", "xa.kb", "a b", "!a", "#b", "ä", "[a]", "7")
PARTS = (
    "a", "b", "*", "**", "?", "*b", "a*", "*.kb", "[ab]", "[!a]*", "[a-c].kb", "x*.?b", "ab",
    "\\!a", "\\#b", "a\\ b", "***", "a b", "*a*b*", "\\a",
    "ä", "??", "[!a]", "[[:alpha:]]", "[^[:digit:]]", "[]a]*", "[!\\]a]*", "[\\[]a]", "[b-]",
    "[z-a]", "[a", "[[:odd:]]", "[[a]*", "[[:]*", "a\\",
)  # fmt: skip


def written(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def names_below(root: Path) -> set[str]:
    return {file.relative_to(root).as_posix() for file in discover(root).files}


# Against git


def random_line(chance: random.Random) -> str:
    parts = [chance.choice(PARTS) for _ in range(chance.choice((1, 1, 2, 3)))]
    line = chance.choice(("", "", "", "!")) + chance.choice(("", "", "/")) + "/".join(parts)
    return line + chance.choice(("", "", "/", " ", "\\ ", "\r"))


def random_tree(root: Path, chance: random.Random) -> None:
    folders = [root]
    for _ in range(chance.randint(2, 10)):
        folder = chance.choice(folders) / chance.choice(NAMES)
        if not folder.exists():
            folder.mkdir()
            folders.append(folder)
    for folder in folders:
        for name in chance.sample(NAMES, chance.randint(0, 5)):
            if not (folder / name).exists():
                (folder / name).write_text("")
        if folder == root or chance.random() < 0.4:
            lines = [random_line(chance) for _ in range(chance.randint(0, 5))]
            (folder / ".gitignore").write_bytes("\n".join([*lines, "# end"]).encode())


def git(root: Path, *words: str, text: str = "") -> str:
    command = ["git", "-C", str(root), "-c", "core.excludesFile=", *words]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False).stdout


def not_ignored_by_git(root: Path) -> set[str]:
    files = [
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.is_file() and not path.name.startswith(".") and ".git" not in path.parts
    ]
    ignored = git(root, "check-ignore", "-z", "--stdin", text="\0".join(files))
    return set(files) - set(ignored.split("\0"))


@pytest.mark.parametrize("seed", range(60))
def test_what_git_ignores_is_not_found(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    random_tree(tmp_path, chance)
    git(tmp_path, "init", "-q")
    (tmp_path / ".git" / "info").mkdir(exist_ok=True)
    (tmp_path / ".git" / "info" / "exclude").write_text(random_line(chance))
    assert names_below(tmp_path) == not_ignored_by_git(tmp_path)


def test_an_inner_repository_has_its_own_ignore_files(tmp_path: Path) -> None:
    written(tmp_path, {".gitignore": "*.kb\n", "a.kb": "", "inner/b.kb": "", "inner/c.kb": ""})
    git(tmp_path, "init", "-q")
    git(tmp_path / "inner", "init", "-q")
    written(tmp_path, {"inner/.gitignore": "c.kb\n"})
    assert {name for name in names_below(tmp_path) if name.endswith(".kb")} == {"inner/b.kb"}


def test_a_worktree_has_the_excludes_of_its_repository(tmp_path: Path) -> None:
    main = written(tmp_path / "main", {"a.kb": "", ".git/info/exclude": "b.kb\n"})
    tree = written(tmp_path / "tree", {"a.kb": "", "b.kb": ""})
    written(main, {".git/worktrees/tree/commondir": "../..\n"})
    written(tree, {".git": f"gitdir: {main / '.git/worktrees/tree'}\n"})
    assert names_below(tree) == {"a.kb"}


@pytest.mark.parametrize("line", ["*a*a*a*a*a*a*a*z", "**/a/**/a/**/a/**/a/**/z", "?*?*?*?*?*?*z"])
def test_no_pattern_of_a_stranger_takes_long(line: str) -> None:
    pattern = discovery._pattern(line)
    assert pattern is not None
    begun = process_time()
    assert not pattern.path.fullmatch("a/" * 200 + "a" * 255)
    assert process_time() - begun < 0.5


# What is not searched


FOREIGN = {
    "env/pyvenv.cfg": "", "env/share/a.kb": "", "cache/CACHEDIR.TAG": "", "cache/a.kb": "",
    "lib/site-packages/kbrules/a.kb": "", "node_modules/a.kb": "", ".hidden/a.kb": "",
    "vendored/kbrules-1.0.dist-info/RECORD": "", "vendored/kbrules/a.kb": "", "build/a.kb": "",
    "dist/a.kb": "", ".#x.kb": "", "._x.kb": "", "rules/.#y.kb": "", ".DS_Store": "",
}  # fmt: skip


def test_what_is_installed_built_or_hidden_is_not_found(tmp_path: Path) -> None:
    written(tmp_path, {**FOREIGN, "a.kb": "", "rules/b.kb": ""})
    assert names_below(tmp_path) == {"a.kb", "rules/b.kb"}


def test_it_is_found_below_a_folder_that_is_named(tmp_path: Path) -> None:
    written(tmp_path, {**FOREIGN, ".gitignore": "env/\nbuild/\n"})
    git(tmp_path, "init", "-q")
    for folder in ("env", ".hidden", "build", "node_modules", "lib/site-packages", "vendored"):
        assert any(file.name == "a.kb" for file in discover(tmp_path / folder).files), folder


def test_build_is_a_name_like_any_other_deeper_in_a_box(tmp_path: Path) -> None:
    names = ("build/a.kb", "scenarios/build/a.scenario.yaml", "rules/dist/b.kb")
    written(tmp_path, {"expansion.yaml": "", **dict.fromkeys(names, "")})
    assert names_below(tmp_path) == {"expansion.yaml", *names[1:]}
    below = {file.name for file in discover(tmp_path / "scenarios").files}
    assert below == {"a.scenario.yaml"}


def test_a_box_keeps_the_rules_that_git_ignores(tmp_path: Path) -> None:
    files = {"expansion.yaml": "", "rules/a.kb": "", "rules/out/b.kb": "", "texts/de.yaml": ""}
    written(tmp_path, {**files, ".gitignore": "out/\ntexts/\nnotes.md\n", "notes.md": ""})
    git(tmp_path, "init", "-q")
    found = discover(tmp_path)
    assert {file.relative_to(tmp_path).as_posix() for file in found.files} == {*files}
    assert {file.name for file in found.ignored} == {"b.kb", "de.yaml"}
    assert [file.name for file in discover(tmp_path / "rules").ignored] == ["b.kb"]


def test_hidden_files_and_inner_boxes_are_no_rules_of_a_box(tmp_path: Path) -> None:
    names = ("a.kb", "rules/b.kb", "rules/c/d.kb", ".#a.kb", "rules/._b.kb", "rules/.git/e.kb")
    written(tmp_path, dict.fromkeys((*names, "rules/in/expansion.yaml", "rules/in/f.kb"), ""))
    (tmp_path / "rules" / ".#b.kb").symlink_to("somebody@machine.1234:5678")
    read = [file.relative_to(tmp_path).as_posix() for file in rule_files(tmp_path)]
    assert read == ["a.kb", "rules/b.kb", "rules/c/d.kb"]


def test_a_link_to_a_folder_outside_is_reported_and_not_followed(tmp_path: Path) -> None:
    written(tmp_path, {"in/a.kb": "", "out/b.kb": "", "env/pyvenv.cfg": ""})
    for name in ("out", "env"):
        (tmp_path / "in" / name).symlink_to(tmp_path / name)
    found = discover(tmp_path / "in")
    assert [file.name for file in found.files] == ["a.kb"]
    (finding,) = found.findings
    assert (finding.code, Path(finding.span.source.name).name) == ("KB005", "out")


def test_a_search_ends_at_the_limit_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discovery, "MOST_ENTRIES", 5)
    written(tmp_path, {f"{letter}.kb": "" for letter in "abcdefg"})
    found = discover(tmp_path)
    assert len(found.files) == 5
    assert [each.code for each in found.findings] == ["KB010"]


def test_nothing_is_taken_where_an_ignore_file_is_too_large(tmp_path: Path) -> None:
    written(tmp_path, {"a.kb": "", "in/b.kb": "", "in/.gitignore": "# long\n" * 40_000})
    found = discover(tmp_path)
    assert [file.name for file in found.files] == ["a.kb"]
    assert [each.code for each in found.findings] == ["KB011"]


def test_the_kind_of_a_file_is_told_by_its_name(tmp_path: Path) -> None:
    written(tmp_path, {"expansion.yaml": ""})
    kinds = {
        "rules/a.kb": "rules", "a.scenario.yaml": "scenario", "expansion.yaml": "box",
        "texts/de.yaml": "texts", "mutants.yaml": None, "a.kb~": None, "#a.kb#": None,
    }  # fmt: skip
    assert {name: kind_of(tmp_path / name) for name in kinds} == kinds


def test_a_path_that_goes_up_is_in_no_box_that_it_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("in/expansion.yaml", "beside/x.kb", "beside/y.kb", "above/in/expansion.yaml")
    written(tmp_path, {**dict.fromkeys(names, ""), "in/.gitignore": "*.kb\n"})
    git(tmp_path / "in", "init", "-q")
    monkeypatch.chdir(tmp_path / "in")
    assert author_folder(Path("../beside/x.kb")) is None
    assert [*discover(Path("../beside")).of("rules")] == [
        Path("../beside/x.kb"),
        Path("../beside/y.kb"),
    ]
    assert author_folder(Path("../above/in/rules/x.kb")) == Path("../above/in")


POSIX = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "termios", "tty"}
GUARDED = {"cli/app.py": {"resource"}, "kbrules/engine/logs/writing.py": {"fcntl"}}
"""Imports that stand behind a look at `sys.platform`."""

IMPORT_ALL = """
import importlib, pkgutil, sys
for name in {blocked}:
    sys.modules[name] = None
missing = []
import cli, kbrules
for package in (cli, kbrules):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if module.name.endswith("__main__"):
            continue
        try:
            importlib.import_module(module.name)
        except ImportError as error:
            if error.name in {blocked}:
                missing.append((module.name, error.name))
print(missing)
"""


def imported(tree: ast.AST) -> set[str]:
    """The top-level names of the modules that a module imports, wherever in it."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found.add(node.module.split(".")[0])
    return found


def test_no_module_names_what_only_posix_has() -> None:
    named = {
        str(module.path): names for module in modules() if (names := imported(module.tree) & POSIX)
    }
    assert named == GUARDED


def test_every_module_loads_without_it() -> None:
    blocked = sorted(POSIX - {"posix"})  # this Python itself needs that one
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", IMPORT_ALL.format(blocked=blocked)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        (r"C:\rules\far.kb", "file:///C:/rules/far.kb"),
        (r"\\desk\share\far away.kb", "file://desk/share/far%20away.kb"),
    ],
)
def test_a_windows_path_elsewhere_is_a_whole_uri(path: str, uri: str) -> None:
    assert artifact(PureWindowsPath(path), PureWindowsPath(r"C:\desk")) == {"uri": uri}


@pytest.mark.parametrize("path", [r"box\rules\a b.kb", r"C:\desk\box\rules\a b.kb"])
def test_a_windows_path_below_is_relative_and_has_slashes(path: str) -> None:
    place = artifact(PureWindowsPath(path), PureWindowsPath(r"c:\Desk"))
    assert place == {"uri": "box/rules/a%20b.kb", "uriBaseId": SOURCES}


def test_a_backslash_in_a_name_of_posix_is_no_folder() -> None:
    place = artifact(PurePosixPath("a\\b.kb"), PurePosixPath("/desk"))
    assert place["uri"] == "a%5Cb.kb"


@pytest.mark.parametrize("name", ["con", "nul", "prn", "aux", "com1", "lpt9"])
def test_a_box_cannot_have_the_name_of_a_device(name: str) -> None:
    with pytest.raises(CannotCreate, match="on Windows"):
        refuse_name(name, "an expansion")
    refuse_name(f"{name}_box", "an expansion")
