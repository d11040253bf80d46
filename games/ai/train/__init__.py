"""Self-play training of the nets of both variants: `python -m games.ai.train short|long`."""
