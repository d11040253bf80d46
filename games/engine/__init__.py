"""The rules of short backgammon and long nardy: pure, standard library only, no Django.

Start with README.md beside this file. Nothing is re-exported here: importing one module of
the engine must not load the others (a bot's child process starts often).
"""
