"""The architecture, read from the source: imports by rank, sizes, names, and what code may do.

Every check is a function from a module to its violations. It is tried first on a violation made
for the purpose, and then on the whole tree.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from statistics import median

import pytest

from tests.source_tree import (
    ROOMS_OF_CODE,
    ROOT,
    Module,
    files_of_git,
    functions,
    imports,
    modules,
    text_files,
)

# A module may import strictly lower ranks and its own room; so equal ranks never meet.
RANKS: dict[str, float] = {
    "text": 0,
    "messages": 0,
    "hooks": 0,
    "diagnostics": 0.5,
    "hex": 1,
    "lang": 1,
    "game": 2,
    "primitives": 3,
    "library": 4,
    "plan": 5,
    "reference": 6,
    "kernel": 6,
    "engine": 7,
    "scenario": 8,
    "project": 9,
    "pytest_plugin": 9.2,
    "tools": 9.2,
    "__init__": 9.5,  # the front door: its public names come from anywhere behind it
    "cli": 10,
    "envs": 10,
    "__main__": 11,
    "benchmarks": 12,
}
FORBIDDEN_IMPORTS = {("game", "lang")}  # the rank would allow it, the plan does not
VERSION = "kbrules.__version__"

RUNTIME = {
    "jinja2", "lark", "markupsafe", "platformdirs", "pydantic", "ruamel", "typer",
}  # fmt: skip
THIRD_PARTY_IMPORTS = {
    "kbrules/pytest_plugin.py": {"pytest"},  # pytest itself loads this one
    "kbrules/kernel/native/jit.py": {"numba"},  # the extra `fast`
    "kbrules/kernel/native/translate.py": {"llvmlite"},  # numba brings this one
    "kbrules/kernel/native/vectors.py": {"llvmlite"},
    "kbrules/kernel/native/memory.py": {"numpy"},  # and this one
    "kbrules/game/streams.py": {"numpy"},
    "kbrules/engine/simulation/playouts.py": {"numpy"},
    "kbrules/tools/simulate/native.py": {"numpy"},
    "cli/session.py": {"prompt_toolkit"},  # the extra `play`
    "cli/terminal.py": {"rich"},
    "kbrules/tools/reports/report.py": {"rich"},
    "kbrules/tools/testing.py": {"watchfiles"},  # the extra `watch`
    **{  # the extra `lsp`
        path.relative_to(ROOT).as_posix(): {"lsprotocol", "pygls"}
        for path in (ROOT / "kbrules/tools/language_server").rglob("*.py")
    },
    "kbrules/tools/simulate/parquet.py": {"pyarrow", "pydantic"},  # the extra `parquet`
    "kbrules/tools/processes.py": {"distributed"},  # the extra `cluster`
    "benchmarks/games.py": {"numpy"},
    "benchmarks/peers.py": {"chess", "jax", "pgx", "pyspiel"},  # only for scale, if they are there
    "benchmarks/envs.py": {"gymnasium", "jax", "pettingzoo", "pgx", "pyspiel"},
    "kbrules/tools/docs/site.py": {"markdown_it"},  # rich brings this one, too
    "kbrules/tools/editors/highlight.py": {"pygments"},  # typer brings rich, and rich brings it
    "kbrules/tools/pictures/drawings.py": {"cairocffi", "cairosvg", "numpy"},  # extra `pictures`
    "kbrules/envs/actions.py": {"numpy"},  # the extra `envs`
    "kbrules/envs/observation.py": {"numpy"},
    "kbrules/envs/session.py": {"numpy"},
    "kbrules/envs/batch.py": {"numpy"},
    "kbrules/envs/gymnasium.py": {"gymnasium", "numpy"},
    "kbrules/envs/pettingzoo.py": {"pettingzoo"},
    "kbrules/envs/openspiel.py": {"numpy", "pyspiel"},  # the extra `openspiel`
}
BY_NAME = {"kbrules/__init__.py", "kbrules/__main__.py", "cli/app.py"}  # where it is at home

LONGEST_FILE, LONGEST_FUNCTION, MEDIAN_FUNCTION = 900, 40, 15
SHORTEST_FILE = 60
VAGUE = {"utils", "util", "helpers", "helper", "common", "misc"}
RUNS_TEXT = {"exec", "compile"}
NEVER = {"eval", "__import__"}
LOADS_CODE = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "runpy", "imp"}


@pytest.fixture(scope="module", autouse=True)
def read_once() -> Iterator[None]:
    """The trees of all modules are kept for the tests here, and no longer: they are large."""
    yield
    modules.cache_clear()


def room_of(name: str) -> str:
    """The room an imported `kbrules...`, `cli...` or `benchmarks...` name lives in."""
    top, _, rest = name.partition(".")
    room = rest.partition(".")[0]
    if top != "kbrules":
        return top
    return room if room in RANKS else "__init__"


def climbs(module: Module) -> Iterator[str]:
    """Imports that go up or sideways."""
    for wanted in imports(module):
        if wanted.top not in ROOMS_OF_CODE or wanted.name == VERSION:
            continue
        here, there = module.room, room_of(wanted.name)
        if here == there:
            continue
        if RANKS.get(here, -1) <= RANKS[there] or (here, there) in FORBIDDEN_IMPORTS:
            yield f"{module.path}:{wanted.line}: {here} may not import {wanted.name}"


def unranked(module: Module) -> Iterator[str]:
    if module.room not in RANKS:
        yield f"{module.path}: `{module.room}` has no rank in the plan"


def strays(module: Module) -> Iterator[str]:
    """Relative imports that leave their package, and siblings of the command line by full name."""
    for wanted in imports(module):
        leaves = wanted.level and wanted.top != module.package[0]
        if leaves or (module.room == wanted.top == "cli" and not wanted.level):
            yield f"{module.path}:{wanted.line}: {wanted.name} would not be found in a wheel"


def foreign(module: Module) -> Iterator[str]:
    """Imports of what we do not depend on."""
    known = sys.stdlib_module_names | RUNTIME | {*ROOMS_OF_CODE}
    for wanted in imports(module):
        if wanted.top not in known | THIRD_PARTY_IMPORTS.get(module.path, set()):
            yield f"{module.path}:{wanted.line}: {wanted.name} is not a dependency"


def dynamic(module: Module) -> Iterator[str]:
    """Ways to run text or stored objects as code; `exec` and `compile` have their own check."""
    for wanted in imports(module):
        if wanted.top in LOADS_CODE:
            yield f"{module.path}:{wanted.line}: {wanted.name}"
        if wanted.name.startswith("importlib.import_module") and module.path not in BY_NAME:
            yield f"{module.path}:{wanted.line}: import by name"
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Name) and node.id in NEVER:
            yield f"{module.path}:{node.lineno}: {node.id}"
        if isinstance(node, ast.Attribute) and node.attr == "import_module":
            yield f"{module.path}:{node.lineno}: import by name"


def runs_text(module: Module) -> bool:
    """Whether it mentions the builtins `exec` or `compile`; `re.compile` is another thing."""
    return any(isinstance(n, ast.Name) and n.id in RUNS_TEXT for n in ast.walk(module.tree)) or any(
        wanted.top == "builtins" for wanted in imports(module)
    )


def too_long(module: Module) -> Iterator[str]:
    lines = module.text.count("\n")
    if lines > LONGEST_FILE:
        yield f"{module.path}: {lines} lines"
    for name, length in functions(module):
        if length > LONGEST_FUNCTION:
            yield f"{module.path}: {name} has {length} lines"


def vague(module: Module) -> Iterator[str]:
    if VAGUE & set(module.path.removesuffix(".py").split("/")):
        yield f"{module.path}: a name that says nothing"


def undocumented(module: Module) -> Iterator[str]:
    """The module itself, and its public functions and classes."""
    if ast.get_docstring(module.tree) is None:
        yield f"{module.path}: no docstring"
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    for node in module.tree.body:
        if not isinstance(node, kinds) or node.name.startswith("_"):
            continue
        if ast.get_docstring(node) is None:
            yield f"{module.path}:{node.lineno}: {node.name} has no docstring"


def crowded_door(module: Module) -> Iterator[str]:
    """A package's `__init__` is a door sign and holds nothing; the front door has public names."""
    joined = ("kbrules/__init__.py", "kbrules/messages/__init__.py")  # it reads the pages
    inner = module.stem == "__init__" and module.path not in joined
    if inner and len(module.tree.body) > 1:
        yield f"{module.path}: more than a docstring"


Check = Callable[[Module], Iterator[str]]
LONG_FUNCTION = "def f():\n" + "    x = 1\n" * LONGEST_FUNCTION
VIOLATIONS: list[tuple[Check, str, str]] = [
    (climbs, "kbrules/lang/checker.py", "from kbrules.hex import masks"),
    (climbs, "kbrules/lang/checker.py", "def f():\n    import kbrules.game.state"),
    (climbs, "kbrules/lang/checker.py", "from ..primitives import sets"),
    (climbs, "kbrules/game/state.py", "from kbrules.lang.syntax.tree import Node"),
    (climbs, "kbrules/messages/__init__.py", "from kbrules import text"),
    (climbs, "kbrules/engine/legal.py", "from kbrules import load"),
    (climbs, "kbrules/tools/sim.py", "from cli import app"),
    (climbs, "cli/app.py", "from kbrules.__main__ import main"),
    (climbs, "kbrules/__init__.py", "import cli.app"),
    (climbs, "kbrules/tools/sim.py", "from benchmarks.games import playouts"),
    (climbs, "cli/app.py", "import benchmarks"),
    (unranked, "kbrules/attic/box.py", ""),
    (strays, "cli/check.py", "from cli.app import x"),
    (strays, "cli/check.py", "from ..kbrules import x"),
    (foreign, "kbrules/tools/sim.py", "import numpy as np"),
    (foreign, "cli/app.py", "from rich.console import Console"),
    (foreign, "kbrules/engine/legal.py", "import pytest"),
    (dynamic, "kbrules/library/cache.py", "from pickle import loads"),
    (dynamic, "kbrules/lang/fold.py", "fold = eval"),
    (dynamic, "kbrules/lang/fold.py", "__import__('os')"),
    (dynamic, "kbrules/lang/fold.py", "import importlib\nimportlib.import_module('os')"),
    (dynamic, "kbrules/lang/fold.py", "from importlib import import_module"),
    (too_long, "cli/app.py", LONG_FUNCTION),
    (too_long, "cli/app.py", "\n" * (LONGEST_FILE + 1)),
    (vague, "kbrules/lang/utils.py", ""),
    (vague, "kbrules/common/tree.py", ""),
    (undocumented, "kbrules/lang/syntax/tree.py", "x = 1"),
    (undocumented, "kbrules/lang/syntax/tree.py", '"""Doc."""\nclass Node:\n    pass'),
    (crowded_door, "kbrules/lang/__init__.py", '"""Door."""\nfrom .tree import Node'),
]
CHECKS = list(dict.fromkeys(check for check, _, _ in VIOLATIONS))

ALLOWED = [
    Module(
        "kbrules/lang/syntax/tree.py", '"""Doc."""\nimport re\nfrom . import chunk\nre.compile("a")'
    ),
    Module("kbrules/diagnostics.py", '"""Doc."""\nfrom kbrules import __version__, text, messages'),
    Module("kbrules/library/load.py", '"""Doc."""\nfrom ruamel.yaml import YAML\nimport typer'),
    Module("cli/check.py", '"""Doc."""\nfrom kbrules import load\nfrom .output import page'),
    Module("kbrules/pytest_plugin.py", '"""Doc."""\nimport pytest\nimport kbrules.scenario.run'),
]


@pytest.mark.parametrize(("check", "path", "text"), VIOLATIONS)
def test_each_check_finds_a_violation(check: Check, path: str, text: str) -> None:
    assert list(check(Module(path, text)))


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("module", ALLOWED, ids=lambda module: module.path)
def test_no_check_finds_what_is_allowed(check: Check, module: Module) -> None:
    assert list(check(module)) == []


@pytest.mark.parametrize("check", CHECKS)
def test_no_module_violates_it(check: Check) -> None:
    found = modules()
    assert len(found) > 4
    assert [violation for module in found for violation in check(module)] == []


def test_a_module_is_a_chapter() -> None:
    program = [module for module in modules() if module.path.startswith(("kbrules/", "cli/"))]
    chapters = [module for module in program if module.stem not in {"__init__", "__main__"}]
    assert {m.path for m in chapters if m.text.count("\n") < SHORTEST_FILE} == set()


def cycle(all_modules: Iterable[Module]) -> list[str]:
    """Modules that import each other in a ring, the first of them named again; none is best.

    Imports in functions count, and so do those for the types only: whoever reads a module must
    read what its types are, and may do so only if reading comes to an end.
    """
    known = {module.name: module for module in all_modules}
    graph = {
        name: {_module_of(each.name, known) for each in imports(module) if each.name != VERSION}
        - {name, ""}
        for name, module in known.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


def _module_of(name: str, known: dict[str, Module]) -> str:
    """The module in which an imported name is found; nothing if it is none of these."""
    while name and name not in known:
        name = name.rpartition(".")[0]
    return name


@pytest.mark.parametrize(
    "back",
    [
        "from kbrules.lang.b import x",
        "def f():\n    from . import b",
        "if TYPE_CHECKING:\n    from kbrules.lang.b import x",
    ],
)
def test_modules_that_import_each_other_are_seen(back: str) -> None:
    one, other = Module("kbrules/lang/a.py", back), "from kbrules.lang.a import y"
    found = cycle([one, Module("kbrules/lang/b.py", other)])
    assert set(found) == {"kbrules.lang.a", "kbrules.lang.b"}
    assert cycle([one, Module("kbrules/lang/b.py", "from kbrules import lang")]) == []


def test_no_modules_import_each_other() -> None:
    assert cycle(modules()) == []


def test_text_is_run_as_code_in_one_module_of_the_kernel_at_most() -> None:
    assert runs_text(Module("kbrules/x.py", "exec('')"))
    assert runs_text(Module("kbrules/x.py", "from builtins import exec as run"))
    assert not runs_text(Module("kbrules/x.py", "import re\nre.compile('a')"))
    found = [module.path for module in modules() if runs_text(module)]
    assert len(found) <= 1
    assert all(path == "kbrules/kernel/python.py" for path in found)


def test_functions_are_short_in_the_middle() -> None:
    lengths = [length for module in modules() for _, length in functions(module)]
    assert median(lengths) <= MEDIAN_FUNCTION


def test_grammars_are_short_too() -> None:
    grammars = text_files(frozenset({".lark"}))
    assert [path for path, text in grammars if text.count("\n") > LONGEST_FILE] == []


def test_every_room_has_a_door_sign() -> None:
    paths = {module.path for module in modules()}
    rooms = {path.rpartition("/")[0] for path in paths}
    assert {room for room in rooms if f"{room}/__init__.py" not in paths} == set()


@pytest.mark.parametrize(
    "program",
    [
        "import kbrules",
        "sys.argv[1:] = ['--version']; from kbrules.__main__ import main; main()",
    ],
)
def test_the_package_imports_without_its_dependencies(program: str) -> None:
    program = f"import sys; {program}; print(*sys.modules, file=sys.stderr)"
    seen = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = {name.partition(".")[0] for name in seen.stderr.split()}
    assert "kbrules" in loaded
    assert loaded & (RUNTIME | {"rich"}) == set()


# Spelt so that this list does not find itself.
MACHINE = [
    r"(?<![\w.])/wor[k]/",
    r"/tmp/(ven[v]|brief[s])",
    r"/opt/(whee[l]s|pyp[i])",
    r"(?<![\w.])/roo[t]/",
    r"\bpyp[i]\.org\b",
    r"pythonhoste[d]\.org",
    r"registry\.npmj[s]",
    r"artifactor[y]",
    r"--?(extra-)?inde[x]-url",
    r"find-link[s]",
]


def test_no_file_knows_the_machine_it_was_written_on() -> None:
    machine = re.compile("|".join(MACHINE), re.IGNORECASE)
    assert machine.search("see /tmp/" + "venv") and machine.search("https://" + "pypi" + ".org")
    tracked = files_of_git()
    if tracked is None:
        pytest.skip("not a git checkout")
    assert "pyproject.toml" in tracked
    assert [hit for path in tracked for hit in _hits(machine, path)] == []


def _hits(machine: re.Pattern[str], path: str) -> Iterator[str]:
    text = (ROOT / path).read_text(encoding="utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        if machine.search(line):
            yield f"{path}:{number}: {line.strip()[:80]}"
