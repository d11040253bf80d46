"""Announced games (seeks) and challenges to one person, which become matches of `games`."""
