"""Rank 1: guarded YAML with places, validated by models; `reader.read_yaml` is the entry."""
