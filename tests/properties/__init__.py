"""What holds in every game, whatever is played."""
