"""The judge: losses, luck and reasons of decisions.

Nothing is imported here: the site's pages read `reason_codes` and must not load numba.
"""
