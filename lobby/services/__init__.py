"""Writes to announced games.

Every service first locks the rows of the seeks concerned, by ascending id; the wallet
comes last (`escrow.reserve` has the whole order).
"""
