"""Writes to announced games, invitations, searches for an opponent, presets and wishes.

Every service first locks the members for whom a match, a seek or a search begins, then the
searches, then the seeks, each by ascending id; the wallet comes last
(accounts/shared/transactions.py has the whole order).
"""
