"""A net at the board: weights files, search, chances, rollouts."""
