"""Tournaments: entrants, rounds, fixtures, brackets and their deadlines.

Empty until the tournaments issue. It arranges matches and hands them to ``games``.
"""
