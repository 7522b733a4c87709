"""Kernels are kept on disk, and what is kept there badly is made anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytest.importorskip("numba")

from kbrules.kernel.native import jit
from kbrules.kernel.native.cached_files import cached_kernels, clear_cache

TEXT = """
W = 1
FULL = STATE = 0

def kernel(M: Memory, what: int, n: int, seeds: Memory, out: Memory) -> int:
    return what + {0} * n
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "kbrules" / "native"


def _kept(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.nbc"))


def test_a_kernel_is_compiled_once_and_read_again(folder: Path) -> None:
    assert jit.compile_kernel(TEXT.format(3))(1, 2, 4, 1, 1) == 14
    (kept,) = _kept(folder)
    stamp = kept.stat().st_mtime_ns
    assert jit.compile_kernel(TEXT.format(3))(1, 2, 4, 1, 1) == 14
    assert _kept(folder) == [kept] and kept.stat().st_mtime_ns == stamp
    assert jit.compile_kernel(TEXT.format(5))(1, 2, 4, 1, 1) == 22
    assert len(_kept(folder)) == 2


def test_what_cannot_be_read_is_made_anew(folder: Path) -> None:
    jit.compile_kernel(TEXT.format(3))
    for file in (*folder.rglob("*.nbc"), *folder.rglob("*.nbi")):
        file.write_bytes(b"no such thing")
    with pytest.warns(RuntimeWarning, match="made anew"):
        assert jit.compile_kernel(TEXT.format(3))(1, 2, 4, 1, 1) == 14


def test_what_is_no_kernel_is_never_removed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("notes", "0" * 31, "0" * 33, "A" * 32):
        (folder / name).mkdir(parents=True)
        (folder / name / "mine.txt").write_text("mine")
        os.utime(folder / name, (1, 1))
    monkeypatch.setattr(jit, "MAX_CACHED", 1)
    for times in (3, 5):
        jit.compile_kernel(TEXT.format(times))
    assert len(_kept(folder)) == 1
    assert (len(cached_kernels()), clear_cache()) == (1, 1)
    assert len([*folder.rglob("mine.txt")]) == 4 and not _kept(folder)


def test_one_flipped_byte_is_seen(folder: Path) -> None:
    jit.compile_kernel(TEXT.format(3))
    (kept,) = _kept(folder)
    data = bytearray(kept.read_bytes())
    data[len(data) // 2] ^= 1
    kept.write_bytes(data)
    with pytest.warns(RuntimeWarning, match="is not as it was written and is made anew"):
        assert jit.compile_kernel(TEXT.format(3))(1, 2, 4, 1, 1) == 14
    assert jit.compile_kernel(TEXT.format(3))(1, 2, 4, 1, 1) == 14


@pytest.mark.skipif(os.name != "posix", reason="there are no such rights")
def test_a_folder_that_others_can_write_is_not_used(folder: Path) -> None:
    jit.compile_kernel(TEXT.format(3))
    before = _kept(folder)
    folder.chmod(0o777)
    with pytest.warns(RuntimeWarning, match="'native' can be written by others"):
        assert jit.compile_kernel(TEXT.format(5))(1, 2, 4, 1, 1) == 22
    assert _kept(folder) == before


def test_where_nothing_can_be_kept_it_is_compiled_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert jit.compile_kernel(TEXT.format(7))(1, 2, 4, 1, 1) == 30


def test_the_oldest_make_room(folder: Path) -> None:
    for number in range(jit.MAX_CACHED + 5):
        (folder / f"{number:032x}").mkdir(parents=True)
        os.utime(folder / f"{number:032x}", (number, number))
    jit.compile_kernel(TEXT.format(9))
    assert len(list(folder.iterdir())) == jit.MAX_CACHED
