"""Limits that members set for themselves, and breaks that they take; see README.md of the wallet.

Every path to money calls `checks.py`; only `services.py` and `exclusions.py` write.
"""
