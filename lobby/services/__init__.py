"""Writes to announced games and searches for an opponent.

Every service first locks the members for whom a match, a seek or a search begins, then the
searches, then the seeks, each by ascending id; the wallet comes last
(accounts/shared/transactions.py has the whole order).
"""
