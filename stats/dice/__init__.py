"""Counts of the 36 rolls, of a member, of their opponents and of the whole site."""
