"""Credits: a double-entry ledger (accounts, transfers, entries, holds).

Empty until the money issue. It will know no word of the game: a stake is a hold like any other.
"""
