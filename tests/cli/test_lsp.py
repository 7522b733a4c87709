"""`kbrules lsp` before there is anybody to serve."""

from __future__ import annotations

import subprocess
import sys

import pytest

WITHOUT = (
    "import sys; sys.modules['{}'] = None; sys.argv = ['kbrules', 'lsp']; "
    "from kbrules.__main__ import main; main()"
)


@pytest.mark.parametrize("library", ["pygls", "lsprotocol"])
def test_without_the_extra_it_says_what_to_install(library: str) -> None:
    words = [sys.executable, "-c", WITHOUT.format(library)]
    run = subprocess.run(words, input="", capture_output=True, text=True, timeout=60)
    assert run.returncode == 2 and run.stdout == ""
    assert "KB045" in run.stderr and "pip install 'kbrules[lsp]'" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_log_that_cannot_be_written_is_told() -> None:
    words = [sys.executable, "-m", "kbrules", "lsp", "--log-file", "/no/such/folder/log"]
    run = subprocess.run(words, input="", capture_output=True, text=True, timeout=60)
    assert run.returncode == 2 and "KB008" in run.stderr and run.stdout == ""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_too_few_files_are_told_and_nothing_else() -> None:
    code = (
        "import resource, sys; sys.argv = ['kbrules', 'lsp']; "
        "resource.setrlimit(resource.RLIMIT_NOFILE, (6, 6)); "
        "from kbrules.__main__ import main; main()"
    )
    words = [sys.executable, "-c", code]
    run = subprocess.run(words, input="", capture_output=True, text=True, timeout=60)
    assert run.returncode == 2 and "error[KB062]" in run.stderr
    assert "Exception ignored" not in run.stderr and "Warning" not in run.stderr
