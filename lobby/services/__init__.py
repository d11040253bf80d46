"""Writes to announced games and searches for an opponent.

Every service first locks the rows of the searches, then of the seeks concerned, each by ascending
id; the wallet comes last (`escrow.reserve` has the whole order).
"""
