"""Words, steps and triggers really added: to a copy of the package, which then plays with them."""
