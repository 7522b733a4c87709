"""The structure of a small tree is measured as counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import structure
from benchmarks.structure import figures, loaded_by, source_files

LONG = "def long():\n" + '    """Help.\n\n    More."""\n' + "    x = 1\n" * 40
TREE = {
    "kbrules/__init__.py": '"""Door."""\n',
    "kbrules/lang/__init__.py": '"""Door."""\n\nfrom .tree import Node\n\n__all__ = ["Node"]\n',
    "kbrules/lang/tree.py": "# why\nfrom kbrules.text import (\n    a,\n    b,\n)\n\nNode = a\n",
    "kbrules/text.py": "import sys\n\na = b = '# text'  # a note\n",
    "kbrules/late.py": "def f():\n    from kbrules import text\n",
    "kbrules/types.py": "if TYPE_CHECKING:\n    from kbrules import text\nx = 1\n",
    "cli/app.py": "from . import other\nfrom kbrules.lang import Node\n\n" + LONG,
    "cli/other.py": LONG.replace("long", "command") + "\n" * 900,
    "tests/test_text.py": "import kbrules\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in TREE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_figures_are_those_counted_by_hand(tree: Path) -> None:
    found = {row.what: (row.value, list(row.names)) for row in figures(source_files(tree))}
    lines = 1 + 5 + 7 + 3 + 2 + 3 + 47 + 944
    assert found == {
        "lines": (lines, []),
        "modules: more than a docstring and re-exports": (6, []),
        "files": (8, []),
        "folders": (3, []),
        "comment lines": (1, []),
        "lines that import, %": (100 * (1 + 4 + 1 + 1 + 1 + 2) / lines, []),
        "lists `__all__`": (1, ["kbrules/lang/__init__.py"]),
        "files that a median module loads": (1, []),  # of 0, 1, 1, 1, 3 and 5
        "functions over 40 lines": (1, ["cli/app.py:4: long: 41"]),
        "modules over 900 lines": (1, ["cli/other.py: 944"]),
        "modules under 60 lines, doors aside": (
            5,
            [
                "kbrules/lang/tree.py: 7",
                "kbrules/late.py: 2",
                "kbrules/text.py: 3",
                "kbrules/types.py: 3",
                "cli/app.py: 47",
            ],
        ),
    }


def test_a_module_loads_the_packages_on_the_way_and_nothing_for_types_or_later(tree: Path) -> None:
    loaded = loaded_by(source_files(tree))
    assert loaded["kbrules.types"] == loaded["kbrules.late"] == {"kbrules"}
    assert loaded["kbrules.lang.tree"] == {"kbrules", "kbrules.lang", "kbrules.text"}
    assert loaded["cli.app"] == loaded["kbrules.lang.tree"] | {"cli.other", "kbrules.lang.tree"}


def test_the_table_has_a_row_for_each_figure_and_names_follow(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["structure", str(tree), "--names"])
    structure.main()
    head, first, *lines = capsys.readouterr().out.splitlines()
    assert head.split() == ["now", "floor", "aim"]
    assert first.split() == ["lines", "1,012", "83,000", "80,000"]
    assert "  cli/app.py:4: long: 41" in lines and max(map(len, [first, *lines])) < 80
