"""The native back end of the kernel, the extra `fast`: sets of hexes in registers, through LLVM.

`vectors` gives the words that `runtime.plain` defines as instructions, `values` and `translate` the
rest of the text; numba optimises and keeps what comes out, and is imported when it is first needed.
"""
