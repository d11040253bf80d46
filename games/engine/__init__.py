"""Rules of short backgammon and long nardy: pure functions over the standard library.

Start with README.md beside this file. Nothing is re-exported here, so that importing one module
does not load the others and a child process starts fast.
"""
