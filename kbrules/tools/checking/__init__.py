"""Whether tests hold rules: coverage, mutation, comparison of two versions, sampled positions."""
