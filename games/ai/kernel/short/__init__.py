"""Short backgammon: turns, single moves, inputs of the nets."""
