"""Finding an opponent: announced games (seeks) and challenges to one person.

It arranges matches and hands them to ``games``.
"""
