"""The text of a kernel compiled by numba, and kept on disk for the next time."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from numba import cfunc, types
from numba.extending import intrinsic

from kbrules.compile.native.translate import Unit, translated

NUMBER, POINTER = types.int64, types.CPointer(types.int64)
Native = Callable[[int, int, int, int, int], int]
C_NUMBER, C_POINTER = ctypes.c_int64, ctypes.c_void_p
SHAPE = ctypes.CFUNCTYPE(C_NUMBER, C_POINTER, C_NUMBER, C_NUMBER, C_POINTER, C_POINTER)


def compiled(text: str) -> Native:
    """The function `kernel` of a text: memory, what, number, seeds and outcomes by address."""

    @intrinsic  # type: ignore[untyped-decorator]
    def kernel(typing: Any, M: Any, what: Any, n: Any, seeds: Any, out: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            function = translated(Unit.of(text), builder.module, "kernel")
            return builder.call(function, arguments)

        return NUMBER(POINTER, NUMBER, NUMBER, POINTER, POINTER), code

    def entry(M, what, n, seeds, out):  # type: ignore[no-untyped-def]
        return kernel(M, what, n, seeds, out)

    shape = NUMBER(POINTER, NUMBER, NUMBER, POINTER, POINTER)
    made = cfunc(shape)(entry)
    native: Any = SHAPE(made.address)
    native.kept = made
    return native  # type: ignore[no-any-return]
