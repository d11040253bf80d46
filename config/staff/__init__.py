"""Roles of the staff, and their pages over all apps: the overview, case files, who did what."""
