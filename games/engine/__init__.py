"""Rules of short backgammon and long nardy: pure functions over the standard library.

Start with README.md beside this file. Nothing is re-exported here: to import one module must not
load the others, since a bot's child process starts often.
"""
