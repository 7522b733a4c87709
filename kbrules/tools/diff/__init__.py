"""What changed in behaviour between two versions of rules: on positions, and in whole games."""
