"""Values are kept under what they are made of: none is out of date, and none is made twice."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

import pytest

from kbrules.library import reading, store
from kbrules.library.store import Files, Same, Store

ONE = 'define near "One": adjacent(mine)\n'
OTHER = 'define wide "One": adjacent(mine)\n'


def written(path: Path, text: str, moment: int = 10**9) -> Path:
    """Write a text of a set time, into the same file if it is there."""
    path.touch()
    with path.open("r+", encoding="utf-8") as opened:
        opened.write(text)
        opened.truncate()
    os.utime(path, ns=(moment, moment))
    return path


def names(files: Files, path: Path) -> list[str]:
    return [each.name.text for each in files.rules(path).declarations]


@pytest.fixture
def an_hour_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are old when they are read."""
    now = store.time
    monkeypatch.setattr(store, "time", lambda: now() + 3600)


@pytest.mark.usefixtures("an_hour_later")
def test_a_text_of_the_same_size_whose_time_was_set_back_is_read(tmp_path: Path) -> None:
    file, files = written(tmp_path / "a.kb", ONE), Files()
    assert names(files, file) == ["near"]
    assert names(files, written(file, OTHER)) == ["wide"]


def same_stamp(path: Path) -> store.Stamp:
    """Stand for a disk whose clock stands."""
    return 10**9, 10**9, len(ONE), 1


def test_a_young_file_is_read_even_if_the_disk_tells_of_no_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, files = written(tmp_path / "a.kb", ONE), Files()
    monkeypatch.setattr(store, "_stamp", same_stamp)
    monkeypatch.setattr(store, "time", lambda: 2.5)
    assert names(files, file) == ["near"]
    assert names(files, written(file, OTHER)) == ["wide"]


def test_an_old_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, files = written(tmp_path / "a.kb", ONE), Files()
    monkeypatch.setattr(store, "_stamp", same_stamp)
    monkeypatch.setattr(store, "time", lambda: 3.5)
    first = files.rules(file)
    monkeypatch.setattr(reading, "file_bytes", None)
    assert files.rules(file) is first


def test_the_same_text_again_is_the_same_thing(tmp_path: Path) -> None:
    file, files = tmp_path / "a.kb", Files()
    first = files.rules(written(file, ONE))
    files.rules(written(file, OTHER))
    assert files.rules(written(file, ONE)) is first
    typed = files.edited({reading.real_path(file): OTHER})
    assert names(typed, file) == ["wide"] and files.rules(file) is first


def test_a_text_in_use_is_found_again_after_many_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, files = tmp_path / "a.kb", Files()
    held = files.rules(written(file, ONE))
    for number in range(5):
        files.rules(written(file, f"{ONE}# {number}\n"))
    monkeypatch.setattr(store, "parse_with_tables", None)
    assert files.rules(written(file, ONE)) is held
    assert files.source(file)[0] is held.source


def test_what_is_not_in_use_is_forgotten(tmp_path: Path) -> None:
    file, files = tmp_path / "a.kb", Files()
    for number in range(9):
        files.rules(written(file, f"{ONE}# {number}\n"))
    gc.collect()
    held = [each for each in gc.get_objects() if isinstance(each, store.Source)]
    assert sum(each.name == file.as_posix() for each in held) == 2
    counts = set()
    for number in range(9):
        files.rules(written(file, f"{ONE}## {number}\n"))
        counts.add(files.store.count())
    assert len(counts) == 1


def test_a_file_that_cannot_be_read_makes_the_same_thing_each_time(tmp_path: Path) -> None:
    files = Files()
    first = files.rules(tmp_path / "no.kb")
    assert [each.code for each in first.findings] == ["KB001"]
    assert files.rules(tmp_path / "no.kb") is first


# Threads


class Maker:
    """Makes a value when it is told to, and says when it began."""

    def __init__(self, error: Exception | None = None) -> None:
        self.began, self.go, self.error = Event(), Event(), error

    def __call__(self) -> object:
        self.began.set()
        assert self.go.wait(30)
        if self.error is not None:
            raise self.error
        return object()


def started(work: Callable[[], object]) -> Thread:
    thread = Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_others_wait_for_a_value_and_for_no_other() -> None:
    kept, maker = Store(), Maker()
    found: list[object] = []

    def ask() -> None:
        found.append(kept.value("kind", "slot", ("key",), maker))

    threads = [started(ask), started(ask)]
    assert maker.began.wait(30)
    assert kept.value("kind", "slot", ("other",), lambda: 1) == 1
    assert not found
    maker.go.set()
    for thread in threads:
        thread.join(30)
    assert len(found) == 2 and found[0] is found[1]


def test_one_who_waits_makes_the_value_if_its_maker_is_cancelled() -> None:
    kept, cancelled = Store(), Maker(KeyboardInterrupt())  # type: ignore[arg-type]
    found: list[object] = []

    def be_cancelled() -> None:
        with pytest.raises(KeyboardInterrupt):
            kept.value("kind", "slot", ("key",), cancelled)

    first = started(be_cancelled)
    assert cancelled.began.wait(30)
    second = started(lambda: found.append(kept.value("kind", "slot", ("key",), lambda: 2)))
    cancelled.go.set()
    for thread in (first, second):
        thread.join(30)
    assert found == [2] and kept.value("kind", "slot", ("key",), lambda: 3) == 2


def test_values_that_are_equal_are_not_taken_for_each_other() -> None:
    files, makes = Files(), [0]

    def count() -> int:
        makes[0] += 1
        return makes[0]

    first, other = [1], [1]
    assert files.memoized(("kind",), [first], count) == files.memoized(("kind",), [first], count)
    assert files.memoized(("kind",), [other], count) == 2
    assert Same(first) != Same(other) and Same(first) == Same(first)
