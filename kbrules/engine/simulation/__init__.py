"""Rank 4: games run by a kernel, as states, in place, as playouts, or side by side."""
