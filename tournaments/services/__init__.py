"""Services that write tournaments.

Lock order: the member who enters, or whose account is closed or banned; the tournament; a match and
its seats; the fixture; then as everywhere (accounts/shared/transactions.py). The receiver of a
finished match holds the match's lock and locks only its fixture.
"""
