"""Tournaments: entrants, draws, rounds, fixtures, prizes and their deadlines."""
