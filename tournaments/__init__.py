"""Tournaments: entrants, rounds, fixtures, brackets and their deadlines.

Not built yet: this folder holds only the app's name. It will arrange matches and hand
them to games.
"""
