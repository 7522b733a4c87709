"""The native back end of the kernel, the extra `fast`: sets of hexes in registers, through LLVM.

`vectors` gives the words that `runtime.intrinsics` defines as instructions, `translate` the rest of
the text; numba optimises and caches it, and is imported when first needed.
"""
