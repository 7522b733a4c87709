"""Reading files: limits, encodings, and staying inside a folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kbrules.diagnostics import Diagnostic, render_full
from kbrules.library.reading import LIMIT, read_source, within
from tests.pace import in_time


def refused(path: Path) -> Diagnostic:
    source, found = read_source(path)
    assert source is None and len(found) == 1
    assert render_full(found[0])
    return found[0]


def written(folder: Path, data: bytes) -> Path:
    path = folder / "x.kb"
    path.write_bytes(data)
    return path


def test_a_good_file_is_its_text(tmp_path: Path) -> None:
    source, found = read_source(written(tmp_path, "é 界\n".encode()))
    assert found == [] and source is not None
    assert source.text == "é 界\n" and source.name == (tmp_path / "x.kb").as_posix()


def test_names_are_relative_to_where_we_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules").mkdir()
    path = written(tmp_path / "rules", b"")
    for each in (path, Path("rules/x.kb")):
        source, _ = read_source(each)
        assert source is not None and source.name == "rules/x.kb"


def test_line_ends_and_byte_order_marks_are_evened_out(tmp_path: Path) -> None:
    source, found = read_source(written(tmp_path, b"\xef\xbb\xbfa\r\nb\rc\n"))
    assert found == [] and source is not None and source.text == "a\nb\nc\n"


def test_what_is_not_there_or_not_a_file(tmp_path: Path) -> None:
    assert refused(tmp_path / "lost.kb").code == "KB001"
    assert refused(tmp_path / "lost.kb").message.endswith("does not exist")
    assert refused(tmp_path).message.endswith("is a folder, not a file")
    assert refused(tmp_path / "a\0b").code == "KB001"


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("no pipes on this system")
    os.mkfifo(tmp_path / "x.kb")
    assert refused(tmp_path / "x.kb").message.endswith("is not a plain file")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc on this system")
def test_a_file_that_tells_no_size_is_limited_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kbrules.library.reading.LIMIT", 10)
    assert Path("/proc/self/status").stat().st_size == 0
    assert refused(Path("/proc/self/status")).code == "KB003"


def test_the_limit_is_where_it_is_said_to_be(tmp_path: Path) -> None:
    assert read_source(written(tmp_path, b"#" * LIMIT))[1] == []
    assert refused(written(tmp_path, b"#" * (LIMIT + 1))).code == "KB003"


def test_a_huge_file_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, b"")
    os.truncate(path, 20_000_000)
    # A file that is opened but not read gives no bytes; reading would find the zeros (KB004).
    monkeypatch.setattr("kbrules.library.reading._lines", lambda *_: pytest.fail("was read"))
    assert in_time(2, lambda: refused(path)).code == "KB003"


@pytest.mark.parametrize(
    ("data", "place"),
    [(b"ab\xff", (1, 3)), (b"\xc3\xa9\r\nx\xc3", (2, 2)), (b"\xff\xfea\0", (1, 1))],
)
def test_other_encodings_are_refused_at_their_first_byte(
    tmp_path: Path, data: bytes, place: tuple[int, int]
) -> None:
    found = refused(written(tmp_path, data))
    assert (found.code, found.span.line, found.span.column) == ("KB002", *place)
    assert found.span.text == "\ufffd"


def test_unseen_characters_are_each_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "a\x1bb\nc\u202e\n".encode())
    source, found = read_source(path)
    assert source is None
    assert [(d.code, d.span.line, d.span.column) for d in found] == [
        ("KB004", 1, 2),
        ("KB004", 2, 2),
    ]
    assert "right-to-left override" in found[1].message
    assert len(read_source(written(tmp_path, b"\0" * 1_000))[1]) == 10


def test_paths_inside_are_inside(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    for inside in (tmp_path, tmp_path / "rules" / "x.kb", tmp_path / "rules" / ".." / "y.kb"):
        assert within(tmp_path, inside) == []


def test_paths_that_leave_are_refused(tmp_path: Path) -> None:
    root = tmp_path / "dale"
    root.mkdir()
    (tmp_path / "dalesecret").mkdir()
    (root / "link").symlink_to(tmp_path)
    (root / "ring").symlink_to(root / "ring")
    outside = [root / ".." / "x", tmp_path / "dalesecret", root / "link" / "x", Path("/"), tmp_path]
    for path in [*outside, root / "a\0b"]:
        assert [each.code for each in within(root, path)] == ["KB005"]
    assert read_source(root / "ring")[1][0].code == "KB001"
    (root / "home").symlink_to(root / "rules")
    assert within(root, root / "home" / "x.kb") == []


@pytest.mark.parametrize("name", ["expansions.yaml", "Expansion.yaml", "expansion.yml"])
def test_a_data_file_of_another_name_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("format: 1\n")
    help = refused(tmp_path / "expansion.yaml").help
    assert help == f"there is `{name}`: call it `expansion.yaml`"
    assert "slip" in refused(tmp_path / "rules.yaml").help


def test_a_folder_that_goes_while_it_is_read_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editor asks for the data file of a box whose folder somebody deletes just then."""

    def gone(path: Path) -> None:
        raise FileNotFoundError(2, "No such file or directory", str(path))

    monkeypatch.setattr(Path, "iterdir", gone)
    finding = refused(tmp_path / "expansion.yaml")
    assert (finding.code, finding.help) == ("KB001", "look for a slip in the path")
