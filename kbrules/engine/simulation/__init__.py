"""Games run by a kernel, as states, in place, as playouts, or side by side."""
