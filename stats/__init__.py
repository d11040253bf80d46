"""Ratings, records and leaderboards: derived from finished matches and rebuildable from them.

Empty until the statistics issue.
"""
