"""Ten short lessons for each game: a few sentences, a position, something to play or answer."""
