"""The worked-out grammar beside `kb.lark`, so that no start of the program works it out again.

`python -m kbrules.tools.editors.grammar` writes it anew; with `--check` it only says whether
it drifted.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.resources import as_file, files

from kbrules.lang.syntax.grammar import WORKED_OUT, serialized


def main(arguments: Sequence[str]) -> int:
    """Run the tool; 1 if it has drifted and was only to be checked, 2 if misused."""
    if [each for each in arguments if each != "--check"]:
        print("usage: python -m kbrules.tools.editors.grammar [--check]", file=sys.stderr)
        return 2
    with as_file(files("kbrules.lang.syntax").joinpath(WORKED_OUT)) as path:
        text = serialized()
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            return 0
        if "--check" in arguments:
            print(f"{path} is not what the grammar says", file=sys.stderr)
            return 1
        path.write_text(text, encoding="utf-8", newline="\n")
        print(f"written: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
