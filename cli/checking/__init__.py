"""Parts of `kbrules check`: the warnings that are wanted, and fixes."""
