"""Roles of the staff, and admin pages about all apps: overview, case files, steps of a match."""
