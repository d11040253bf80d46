"""Limits that members set for themselves, and breaks that they take; see README.md of the wallet.

`checks.py` is asked by every path to money; only `services.py` and `exclusions.py` write.
"""
