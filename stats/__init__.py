"""Ratings, records and leaderboards: derived from finished matches and rebuildable from them."""
