"""Self-play training of the nets of both games: `python -m games.ai.train short|long`."""
