"""Strikes and suspensions, commitments, and the share of matches that a member completed."""
