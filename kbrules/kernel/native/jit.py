"""The text of a kernel compiled by numba, once: what comes out is cached on disk for the next time.

A kernel is cached in a folder of its own in the user's cache (`$XDG_CACHE_HOME/kbrules`, or where
platformdirs says that this system keeps caches), named after the digest of all that it is made
of, so that two programs that compile at the same time write the same. Where nothing can be
written, or others may write, it is compiled anew each time.
"""

from __future__ import annotations

import inspect
import os
import shutil
import sys
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numba
from numba import cfunc, types
from numba.extending import intrinsic

from kbrules.kernel import passes, python
from kbrules.kernel.native import cached_files, memory, translate, vectors

NUMBER, POINTER = types.int64, types.CPointer(types.int64)
SHAPE = NUMBER(POINTER, POINTER)
ENTRY = "def {0}(order, out):\n    return kernel('{1}', order, out)\n"
FILE = "kernel.py"
MAX_CACHED = 24

_texts: dict[str, str] = {}
_compiled: list[Any] = []


@intrinsic(prefer_literal=True)
def kernel(typing: Any, digest: Any, order: Any, out: Any) -> Any:
    """The kernel of a digest, written into the program of whoever calls it."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        *_, features = context.codegen().magic_tuple()
        _, order, out = arguments
        code = translate.Translation(
            _texts[digest.literal_value], builder.module, features
        ).function("kernel")
        kinds = code.function_type.args[:-1]
        given = [_part(builder, order, at, kind) for at, kind in enumerate(kinds)]
        return builder.call(code, [*given, out])

    if not isinstance(digest, types.StringLiteral):
        return None
    return NUMBER(digest, POINTER, POINTER), code


def _part(builder: Any, arguments: Any, at: int, kind: Any) -> Any:
    """A number of an order, or the address that it is; see `ORDER`."""
    found = builder.load(builder.gep(arguments, [vectors.number(at)]))
    return builder.inttoptr(found, kind) if kind == vectors.MEMORY else found


def compile_kernel(text: str) -> memory.NativeKernel:
    """The native function `kernel` of a text.

    It takes memory, what to do, how many, seeds and outcomes: addresses and numbers.
    """
    digest = _digest(text)
    _texts[digest] = text
    entry = ENTRY.format(python.NAME, digest)
    function: Any = python.Module({"kernel": kernel}).run(entry)
    file = _cache_file(digest, entry)
    # numba asks for both: where to cache what it made, and whose it is when it reads that again.
    function.__code__ = function.__code__.replace(co_filename=str(file or ""))
    function.__module__ = __name__
    made: Any = _compile_cached(function, file) or cfunc(SHAPE)(function)
    _compiled.append(made)  # it lives as long as somebody may call it
    return memory.NativeKernel(int(made.address))


def _compile_cached(function: Any, file: Path | None) -> Any:
    """Compile a function or read it from the cache; None if it cannot be cached."""
    if file is None:
        return None
    try:
        made = cfunc(SHAPE, cache=True)(function)
        cached_files.write_checksum(file)
        return made
    except Exception:
        # Whatever is wrong there, a pickle says it in its own way.
        shutil.rmtree(file.parent, ignore_errors=True)
        return None


def _digest(text: str) -> str:
    """What the native code depends on: the rules' text, our tools, numba, LLVM, the processor."""
    # What makes other machine code must change the key: old code that is found would be run unseen.
    # The text has all that is of rules and boards, for it begins with the numbers of the layout.
    modules = passes, translate, vectors, sys.modules[__name__]
    tools = [inspect.getsource(each) for each in modules]
    versions = [numba.__version__, *vectors.target()]
    parts = "\0".join([*versions, ENTRY, *tools, text])
    return blake2b(parts.encode(), digest_size=16).hexdigest()


def _cache_file(digest: str, entry: str) -> Path | None:
    """The file by which numba caches a kernel; None where nothing can be written."""
    root = cached_files.cache_root()
    file = root / digest / FILE
    try:
        if not file.exists():
            _evict_oldest(root)
        if not cached_files.is_trusted(root, file):
            return None
        if not file.exists():
            cached_files.write_whole(file, entry)
        os.utime(file.parent)
    except OSError:
        return None
    return file


def _evict_oldest(root: Path) -> None:
    """Make room, so that the folder does not grow for ever."""
    folders = sorted(cached_files.kernel_folders(root), key=lambda folder: folder.stat().st_mtime)
    for folder in folders[: max(0, len(folders) - MAX_CACHED + 1)]:
        shutil.rmtree(folder, ignore_errors=True)
