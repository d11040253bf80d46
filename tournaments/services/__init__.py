"""Writes to tournaments.

Order of locks: the member who enters or loses the account, the tournament, then a match and its
seats, then the fixture, then as everywhere (accounts/shared/transactions.py). The receiver of a
finished match holds the match and locks its fixture alone.
"""
