"""Limits that members set for themselves, and breaks that they take; see README.md of the wallet.

Every service by which a member stakes, spends, buys or takes credits calls `checks.py`. Only
`services.py` and `exclusions.py` write.
"""
