"""Checks of the settings and of the database, before a site is public or a process starts."""
