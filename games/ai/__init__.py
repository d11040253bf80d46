"""Computer opponents and analysis, without Django: they import the engine and nothing of the site.

They run in a child process (`python -m games.ai think`), so that their work never delays a
player's move.
"""
