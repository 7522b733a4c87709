"""Parts of `kbrules test`: coverage and mutation."""
