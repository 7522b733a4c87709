"""How what is loaded differs from what was locked, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kbrules.diagnostics import quoted
from kbrules.library.locks.contents import SHARED, LockedBox, LockedFile

_LISTED = 12
_EMPTY = LockedBox("", 1, {})


def differences(then: Mapping[str, LockedBox], now: Mapping[str, LockedBox]) -> list[str]:
    """A line for each difference, box by box; no more than a dozen, and how many more."""
    found = [line for id in sorted({*then, *now}) for line in _box(id, then.get(id), now.get(id))]
    more = len(found) - _LISTED
    return [*found[:_LISTED], f"and {more} more"] if more > 1 else found


def _box(id: str, then: LockedBox | None, now: LockedBox | None) -> Iterator[str]:
    if id == SHARED:
        yield from _files("(of no box)", then or _EMPTY, now or _EMPTY)
    elif now is None or then is None:
        there = now or then
        what = "was not there" if then is None else "is missing"
        yield f"{_name(id, there.version if there else '')} {what}"
    else:
        yield from _heads(id, then, now)
        yield from _files(f"of {_name(id, now.version)}", then, now)


def _heads(id: str, then: LockedBox, now: LockedBox) -> Iterator[str]:
    if then.version != now.version:
        yield f"{_name(id)} was {_version(then.version)}, now it is {_version(now.version)}"
    if then.language != now.language:
        yield f"{_name(id)} was of language {then.language}, now it is of {now.language}"


def _name(id: str, version: str = "") -> str:
    return f"the box {quoted(id)} {version}".rstrip()


def _version(version: str) -> str:
    return f"version {version}" if version else "without a version"


def _files(whose: str, then: LockedBox, now: LockedBox) -> Iterator[str]:
    for file in sorted({*then.files, *now.files}):
        yield from _file(f"{quoted(file)} {whose}", then.files.get(file), now.files.get(file))


def _file(where: str, then: LockedFile | None, now: LockedFile | None) -> Iterator[str]:
    if then is None or now is None:
        yield f"{where} {'is new' if then is None else 'is gone'}"
    elif then.digest[: len(now.digest)] != now.digest[: len(then.digest)]:
        changed = list(_parts(then, now))
        if then.parts and not changed:
            changed = ["only comments or blanks have changed"]
        yield f"{where}: {'; '.join(changed)}" if changed else f"{where} has changed"


def _parts(then: LockedFile, now: LockedFile) -> Iterator[str]:
    if not then.parts:
        return
    for name in sorted({*then.parts, *now.parts}):
        before, after = then.parts.get(name), now.parts.get(name)
        what = "is new" if before is None else "is gone" if after is None else "has changed"
        if before != after:
            yield f"{quoted(name)} {what}"
