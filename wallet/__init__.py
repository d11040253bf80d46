"""Credits: a double-entry ledger (accounts, transfers, entries, holds). README.md explains it.

It knows no word of the game: a stake is a hold like any other.
"""
