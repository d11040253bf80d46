"""Seeks, invitations and searches of Play now, which become matches of `games`."""
