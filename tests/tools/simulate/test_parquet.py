"""Parquet: the same games there and back, and nothing of a file that is not whole or foreign."""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from cli.app import program
from kbrules.tools.simulate import parquet as files
from kbrules.tools.simulate.parquet import (
    UnusableParquet,
    export_games,
    import_games,
    is_parquet,
)
from kbrules.tools.simulate.question import COLUMNS, ID_COLUMNS, QuestionTables
from kbrules.tools.simulate.results_file import DealSpan, OtherQuestion, Store, UnusableFile
from kbrules.tools.simulate.run import play
from tests.tools.simulate.small import fell, play_into, question, told

pyarrow = pytest.importorskip("pyarrow")

from pyarrow import parquet  # noqa: E402

DEALS = 12


def run(*words: str) -> Result:
    return CliRunner().invoke(program(["convert", "simulate"]), list(words))


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> QuestionTables:
    folder = fell(tmp_path_factory.mktemp("games") / "fell")
    return QuestionTables(question(folder, ("rowers",), ("gulls",)))


@pytest.fixture(scope="module")
def written(tables: QuestionTables, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The games as SQLite and, beside them, as Parquet."""
    folder = tmp_path_factory.mktemp("written")
    with Store(folder / "games.sqlite") as store:
        play_into(store, tables, DEALS)
        export_games(store, folder / "games.parquet")
    return folder


def everything(store: Store) -> tuple[object, ...]:
    return told(store), store.facts, store.stand_ins, [*store.rows("SELECT * FROM spans")]


@pytest.mark.parametrize("at_once", [7, 1 << 16])
def test_there_and_back_is_the_same(
    at_once: int, written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "ROWS_AT_ONCE", at_once)
    with Store(written / "games.sqlite") as store, Store(tmp_path / "back.sqlite") as back:
        count = export_games(store, tmp_path / "games.parquet")
        assert import_games(tmp_path / "games.parquet", back) == count == len(told(store))
        assert everything(back) == everything(store)
        assert export_games(back, tmp_path / "again.parquet") == count
    for name in ("games.parquet", "again.parquet"):
        found, wanted = (
            parquet.read_table(folder / each)
            for folder, each in ((tmp_path, name), (written, "games.parquet"))
        )
        assert found.schema.equals(wanted.schema, check_metadata=True)
        assert found.to_pylist() == wanted.to_pylist()


def test_gold_beyond_32_bits_comes_back(tables: QuestionTables, tmp_path: Path) -> None:
    with Store() as store, Store() as back:
        play_into(store, tables, 2)
        store._db.execute("UPDATE results SET total = player - 15999984039, gold_gulls = 1 << 40")
        export_games(store, tmp_path / "games.parquet")
        import_games(tmp_path / "games.parquet", back)
        assert told(back) == told(store)


def test_the_file_has_the_schema_that_is_printed(written: Path) -> None:
    printed = {
        line.split("|")[1].strip().strip("`"): line.split("|")[2].strip()
        for line in files.schema_text().splitlines()[2:]
    }
    schema = parquet.read_schema(written / "games.parquet")
    assert [*printed] == [column.name for column in (*COLUMNS, *ID_COLUMNS)]
    for field in schema:
        kind = field.name.partition("_")[0]
        name = field.name if field.name in printed else f"{kind}_ID"
        text = pyarrow.types.is_dictionary(field.type)
        assert printed[name] == ("string" if text else str(field.type))
        assert field.nullable == (name not in [column.name for column in COLUMNS])


def test_an_imported_file_is_played_on(
    tables: QuestionTables, written: Path, tmp_path: Path
) -> None:
    with Store(tmp_path / "back.sqlite") as back, Store() as whole:
        import_games(written / "games.parquet", back)
        play_into(back, tables, DEALS + 5)
        play_into(whole, tables, DEALS + 5)
        assert told(back) == told(whole)


def test_games_of_two_machines_are_put_together(tables: QuestionTables, tmp_path: Path) -> None:
    for number, span in enumerate((DealSpan(0, 4), DealSpan(4, 3))):
        with Store(tmp_path / f"{number}.sqlite") as part:
            part.begin(tables)
            part.add(play(tables, span))
            export_games(part, tmp_path / f"{number}.parquet")
    with Store(tmp_path / "0.sqlite") as store, Store() as whole:
        import_games(tmp_path / "1.parquet", store)
        play_into(whole, tables, 7)
        assert told(store) == told(whole) and store.done == 7
        with pytest.raises(UnusableFile, match="has some of these deals already"):
            import_games(tmp_path / "1.parquet", store)
        assert told(store) == told(whole)


def test_games_of_another_question_are_refused(
    tables: QuestionTables, written: Path, tmp_path: Path
) -> None:
    other = QuestionTables(question(Path(tables.question.sides[0].folders[0]), ("rowers",), seed=9))
    with Store() as store:
        play_into(store, other, 2)
        before = told(store)
        with pytest.raises(OtherQuestion):
            import_games(written / "games.parquet", store)
        assert told(store) == before


def test_a_file_that_was_cut_off_is_refused_wherever_it_ends(written: Path, tmp_path: Path) -> None:
    whole = (written / "games.parquet").read_bytes()
    path = tmp_path / "cut.parquet"
    for size in (4, 8, 100, len(whole) // 2, len(whole) - 9, len(whole) - 1):
        path.write_bytes(whole[:size])
        with Store() as store, pytest.raises(UnusableParquet):
            import_games(path, store)


def test_a_changed_bit_is_noticed(written: Path, tmp_path: Path) -> None:
    """In a page or in the footer: either the file is refused, or nothing that counts changed."""
    whole, path = (written / "games.parquet").read_bytes(), tmp_path / "changed.parquet"
    with Store(written / "games.sqlite") as store:
        games = told(store)
    for at in range(4, len(whole), 7):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :])
        with Store() as store, suppress(UnusableParquet):
            import_games(path, store)
            assert told(store) == games


def foreign(written: Path) -> list[Any]:
    """Tables that are not what was written."""
    said = parquet.read_metadata(written / "games.parquet").metadata
    metadata = {key: said[key] for key in (b"kbrules", b"kbrules digest")}
    table = parquet.read_table(written / "games.parquet").replace_schema_metadata(metadata)
    total = table.column_names.index("total")
    return [
        pyarrow.table({"a": [1, 2]}),
        table.replace_schema_metadata({}),
        table.replace_schema_metadata({b"kbrules": b"{}"}),
        table.replace_schema_metadata({b"kbrules": b"\xff"}),
        table.drop_columns(["total"]),
        table.set_column(total, "total", table["total"].cast("string")),
        table.append_column("other", table["total"]),
        table.rename_columns(
            [re.sub("^gold_.*", r"\g<0>_too", name) for name in table.column_names]
        ).replace_schema_metadata(metadata),
        table.slice(1),
        pyarrow.concat_tables([table, table.slice(0, 1)]),
        table.replace_schema_metadata(
            {**metadata, b"kbrules": metadata[b"kbrules"].replace(b'"format": 3', b'"format": 4')}
        ),
        changed(table, format=1),
        changed(table, spans=[]),
        changed(table, spans=[]).slice(0, 0),
        changed(table, spans=[[0, DEALS, "long"]]),
        changed(table, spans=[[0, 2 * DEALS, 1.0], [DEALS, -DEALS, 1.0]]),
        changed(table, spans=[[0, 2**62, 1.0], [2**62, 2**62, 1.0]]),
        changed(table, stand_ins=["nowhere"]),
        table.replace_schema_metadata({b"kbrules": metadata[b"kbrules"]}),
        table.set_column(
            total, "total", pyarrow.array([0] * len(table), table.schema.field("total").type)
        ),
    ]


def changed(table: Any, **words: object) -> Any:
    """The table with metadata in which something else is said, and no new checksum."""
    metadata = table.schema.metadata
    said = {**json.loads(metadata[b"kbrules"]), **words}
    return table.replace_schema_metadata({**metadata, b"kbrules": json.dumps(said).encode()})


@pytest.mark.parametrize("number", range(20))
def test_a_foreign_file_is_refused_and_nothing_is_taken(
    number: int, written: Path, tmp_path: Path
) -> None:
    parquet.write_table(foreign(written)[number], tmp_path / "foreign.parquet")
    found = run("convert", str(tmp_path / "foreign.parquet"), str(tmp_path / "new.sqlite"))
    assert found.exit_code == 2 and "error[KB060]: `" in found.stderr
    assert "foreign.parquet" in found.stderr.splitlines()[0]
    assert [path.name for path in tmp_path.iterdir()] == ["foreign.parquet"]


@pytest.mark.parametrize("spans", [[], [[0, 1, 1.0]], [[0, 2 * DEALS, 1.0]]])
def test_spans_are_held_against_the_rows(
    spans: list[object], written: Path, tmp_path: Path
) -> None:
    """Also where the checksum is one that a stranger worked out again."""
    table = changed(parquet.read_table(written / "games.parquet"), spans=spans)
    digest = files._Digest(table.schema.metadata[b"kbrules"], table.column_names)
    digest.add(tuple(row.values()) for row in table.to_pylist())
    table = table.replace_schema_metadata(
        {**table.schema.metadata, b"kbrules digest": digest.text.encode()}
    )
    parquet.write_table(table, tmp_path / "foreign.parquet")
    with Store() as store, pytest.raises(UnusableParquet, match="does not hold the games"):
        import_games(tmp_path / "foreign.parquet", store)


def test_want_of_memory_is_not_damage(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise pyarrow.ArrowMemoryError("malloc of size 9 failed")

    monkeypatch.setattr(files._Digest, "add", fail)
    found = run("convert", str(written / "games.parquet"), str(tmp_path / "new.sqlite"))
    assert found.exit_code == 2 and "error[KB061]: " in found.stderr
    assert not [*tmp_path.iterdir()]


def test_the_command_there_and_back(written: Path, tmp_path: Path) -> None:
    there, back = str(tmp_path / "g.parquet"), str(tmp_path / "g.sqlite")
    assert run("convert", str(written / "games.sqlite"), there).exit_code == 0
    assert run("convert", there, back).exit_code == 0
    reports = [
        run("simulate", "--report", path, "--output-format", "json").stdout
        for path in (back, str(written / "games.sqlite"))
    ]
    assert reports[0] == reports[1] and reports[0]
    assert run("convert", "--schema").stdout.strip() == files.schema_text()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((), "KB009"),
        (("nothing.sqlite", "games.parquet"), "KB001"),
        (("notes.txt", "games.parquet"), "KB056"),
        (("games.sqlite", "."), "KB008"),
        (("games.sqlite", "games.sqlite"), "KB008"),
        (("games.sqlite", "nowhere/games.parquet"), "KB008"),
        (("games.parquet", "notes.txt"), "KB056"),
        (("games.parquet", "games.sqlite"), "KB056"),
        (("games.sqlite", "notes.txt"), "KB008"),
        (("games.sqlite", "more.sqlite"), "KB008"),
        (("empty.sqlite", "new.parquet"), "holds no game yet"),
    ],
)
def test_what_cannot_be_converted_is_told(
    words: tuple[str, ...], code: str, written: Path, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("games.sqlite", "games.parquet"):
        Path(name).write_bytes((written / name).read_bytes())
    Path("notes.txt").write_text("The heath is dull.\n")
    Path("more.sqlite").write_bytes((written / "games.sqlite").read_bytes())
    Path("empty.sqlite").touch()
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    found = run("convert", *words)
    assert found.exit_code == 2 and code in found.stderr, found.stderr
    assert "--into" not in found.stderr
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_what_cannot_be_written_to_its_end_leaves_nothing(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "games.parquet").write_text("old")

    def full(*_paths: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with Store(written / "games.sqlite") as store, pytest.raises(UnusableFile):
        export_games(store, tmp_path / "games.parquet")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]


def test_links_stay_links_and_pipes_stay_pipes(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games.sqlite").write_bytes((written / "games.sqlite").read_bytes())
    Path("far").mkdir()
    Path("link.parquet").symlink_to("far/games.parquet")
    assert run("convert", "games.sqlite", "link.parquet").exit_code == 0
    assert Path("link.parquet").is_symlink() and is_parquet(Path("far/games.parquet"))
    os.mkfifo("pipe")
    found = run("convert", "games.sqlite", "pipe")
    assert found.exit_code == 2 and "KB008" in found.stderr and Path("pipe").is_fifo()
    Path("dangling").symlink_to("nothing.sqlite")
    Path("bad.parquet").write_bytes(b"PAR1 and nothing")
    assert run("convert", "bad.parquet", "dangling").exit_code == 2
    assert Path("dangling").is_symlink()
