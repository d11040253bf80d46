"""Credits: a double-entry ledger (accounts, transfers, entries, holds); see README.md.

The wallet contains no game terms: a stake is a hold like any other.
"""
