"""Achievements of members: for skill and effort, never for spending or luck alone."""
