"""Finding an opponent: announced games (seeks) and challenges to one person.

Empty until the lobby issue. It arranges matches and hands them to ``games``.
"""
