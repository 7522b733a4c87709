"""The resolved form of a configuration, which every engine reads: norms, what is asked, limits."""
