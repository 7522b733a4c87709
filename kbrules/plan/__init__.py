"""The resolved form of a configuration, which every engine reads: norms, linked steps, limits."""
