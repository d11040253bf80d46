"""Use of the nets: weights files, search, chances, rollouts."""
