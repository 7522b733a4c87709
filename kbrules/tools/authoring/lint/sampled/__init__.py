"""What rules do at sampled positions: expressions and steps watched while games are played."""
