"""The games of a simulation as a Parquet file, for tools that read columns, and back again."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from kbrules.hooks import OnProgress, silent
from kbrules.tools.processes import MissingExtra
from kbrules.tools.simulate.question import COLUMNS, FIXED, ID_COLUMNS, Row, column
from kbrules.tools.simulate.results_file import REQUIRED_FACTS, DamagedFile, Store, UnusableFile

if TYPE_CHECKING:
    import pyarrow


KEY, DIGEST_KEY = b"kbrules", b"kbrules digest"
FORMAT = 3
ROWS_AT_ONCE = 1 << 16
"""So many rows are in memory at a time; each row group has as many."""
_MAGIC = b"PAR1"
_ROWS = "rows"
_ORDER = "SELECT * FROM results ORDER BY deal, side, lineup, rotation, player"
_REWRITE = "write it again from the file of games: `kbrules convert GAMES.sqlite GAMES.parquet`"


class UnusableParquet(UnusableFile):
    """A Parquet file that is not whole, or of other things. Code KB060; help: what to do."""

    code = "KB060"

    def __init__(self, path: str | Path, why: str) -> None:
        super().__init__(f"`{path}` {why}", _REWRITE)


@dataclass(frozen=True, slots=True)
class _Metadata:
    """What the metadata say."""

    format: int
    facts: dict[str, str]
    spans: list[tuple[int, int, float]]
    stand_ins: list[str]


def schema_text() -> str:
    """The columns of the file, their types and what they hold, as a table in Markdown."""
    rows = [
        f"| `{each.name}` | {_type_name(each.bits)} | {each.meaning} |"
        for each in (*COLUMNS, *ID_COLUMNS)
    ]
    return "\n".join(["| column | type | contents |", "| --- | --- | --- |", *rows])


def is_parquet(path: Path) -> bool:
    """Whether a file begins as a Parquet file does."""
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


def export_games(store: Store, path: Path, on_progress: OnProgress = silent) -> int:
    """Write the games of a store to a file; how many rows it has. Only a whole file is put there.

    on_progress: told how many rows are done. MissingExtra without the extra `parquet`,
    UnusableFile if the store is damaged.
    """
    pyarrow = _pyarrow()
    from pyarrow import parquet

    store.check()
    metadata = json.dumps(asdict(_metadata(store))).encode()
    schema = _schema(pyarrow, store.columns).with_metadata({KEY: metadata})
    digest = _Digest(metadata, store.columns)
    count, wanted = 0, next(store.rows("SELECT count(*) FROM results"))[0]
    with (
        _replaced_when_whole(path) as temporary,
        parquet.ParquetWriter(
            temporary, schema, compression="zstd", write_page_checksum=True
        ) as writer,
    ):
        on_progress(0, wanted, _ROWS)
        cursor: Any = store.rows(_ORDER)
        for rows in iter(lambda: cursor.fetchmany(ROWS_AT_ONCE), []):
            writer.write_batch(_batch(pyarrow, store, schema, rows))
            digest.add(rows)
            count += len(rows)
            on_progress(count, wanted, _ROWS)
        writer.add_key_value_metadata({DIGEST_KEY: digest.text})
    return count


def import_games(path: Path, store: Store, on_progress: OnProgress = silent) -> int:
    """Put the games of a file into a store, all of them or none; how many rows they have.

    on_progress: told how many rows are done. The store is new, or about the same question
    with other deals. MissingExtra, OtherQuestion, UnusableFile.
    """
    pyarrow = _pyarrow()
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path, page_checksum_verification=True) as file:
            metadata, names = _read_metadata(path, file), file.schema_arrow.names
            if not file.schema_arrow.equals(_schema(pyarrow, names)):
                raise UnusableParquet(path, "has other types of columns than games have")
            count: int = file.metadata.num_rows
            batches = file.iter_batches(ROWS_AT_ONCE)
            digest = _Digest(file.metadata.metadata[KEY], names)
            written = file.metadata.metadata.get(DIGEST_KEY)
            rows = _read(batches, digest, written, lambda n: on_progress(n, count, _ROWS))
            store.adopt(metadata.facts, names, metadata.spans, metadata.stand_ins, rows)
            return count
    except MemoryError:  # of Arrow, too, whose error is one of its own as well
        raise
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = str(error).splitlines()[0]
        raise UnusableParquet(path, f"is no whole Parquet file: {reason}") from None
    except (DamagedFile, _OtherContents):
        raise UnusableParquet(path, "does not hold the games that it says") from None


class _OtherContents(Exception):
    """The rows or the metadata of a file are not those of its checksum."""


class _Digest:
    """A checksum of the metadata of a file, the names of its columns and its rows, in order."""

    def __init__(self, metadata: bytes, names: Iterable[str]) -> None:
        self._hash = blake2b(metadata, digest_size=16)
        self._hash.update(json.dumps([*names]).encode())

    def add(self, rows: Iterable[Row]) -> None:
        """Take in the next rows."""
        for row in rows:
            self._hash.update(repr(row).encode())

    @property
    def text(self) -> str:
        """The checksum in hexadecimal digits."""
        return self._hash.hexdigest()


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtra("parquet", str(error)) from None
    return pyarrow


def _type_name(bits: int) -> str:
    return f"int{bits}" if bits else "string"


def _schema(pyarrow: Any, names: Sequence[str]) -> pyarrow.Schema:
    text = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    bits = [(name, column(name).bits) for name in names]
    kinds = ((name, pyarrow.type_for_alias(_type_name(n)) if n else text) for name, n in bits)
    return pyarrow.schema([pyarrow.field(*each, nullable=each[0] not in FIXED) for each in kinds])


def _metadata(store: Store) -> _Metadata:
    facts = {name: value for name, value in store.facts.items() if name != "format"}
    spans = [*store.rows("SELECT first, deals, seconds FROM spans ORDER BY first")]
    return _Metadata(FORMAT, facts, spans, list(store.stand_ins))


def _read_metadata(path: Path, file: Any) -> _Metadata:
    """The metadata; UnusableParquet if they are not those of games."""
    from pydantic import TypeAdapter

    written = (file.metadata.metadata or {}).get(KEY)
    if written is None:
        raise UnusableParquet(path, "holds something else than games of `kbrules simulate`")
    try:
        metadata = TypeAdapter(_Metadata).validate_json(written)
        names = file.schema_arrow.names
        is_known = metadata.format == FORMAT and tuple(names[: len(FIXED)]) == FIXED
        if not is_known or not metadata.facts.keys() >= REQUIRED_FACTS:
            raise ValueError
        for name in names:
            column(name)
    except ValueError:
        raise UnusableParquet(path, "says of itself what this kbrules does not know") from None
    return metadata


def _batch(pyarrow: Any, store: Store, schema: Any, rows: Sequence[Row]) -> Any:
    columns = zip(*rows, strict=True)
    try:
        arrays = [pyarrow.array(c, f.type) for c, f in zip(columns, schema, strict=True)]
    except (pyarrow.ArrowException, TypeError, OverflowError):
        raise store.damaged("what its games came to") from None
    return pyarrow.record_batch(arrays, schema=schema)


def _read(
    batches: Iterable[Any],
    digest: _Digest,
    written: bytes | None,
    on_progress: Callable[[int], object],
) -> Iterator[Row]:
    """Yield the rows of a file; _OtherContents at the end if they are not those of its checksum."""
    on_progress(done := 0)
    for batch in batches:
        rows = [*zip(*(each.to_pylist() for each in batch.columns), strict=True)]
        digest.add(rows)
        yield from rows
        done += len(batch)
        on_progress(done)
    if digest.text.encode() != written:
        raise _OtherContents


@contextmanager
def _replaced_when_whole(path: Path) -> Iterator[Path]:
    """A file beside, which takes the name of the path once it is whole; else it is gone."""
    place = Path(os.path.realpath(path))  # a link stays one
    temporary = place.with_name(f".{place.name}.{uuid4().hex[:8]}")
    try:
        yield temporary
        os.replace(temporary, place)
    except OSError as error:
        message = f"`{path}` cannot be written: {error.strerror or error}"
        raise UnusableFile(message, "make room, or name another file") from None
    finally:
        temporary.unlink(missing_ok=True)
