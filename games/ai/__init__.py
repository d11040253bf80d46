"""Computer opponents: plays, cube answers and resignations, without Django.

They import the engine and nothing of the site, and think in a child process of their own
(`python -m games.ai think`), so that no thought of theirs delays a move of somebody else.
"""
