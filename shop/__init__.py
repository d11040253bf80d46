"""Gifts, top-ups, boards and checkers on sale, and who owns what.

Empty until the shop issue. Payment providers will sit behind a small port in here.
"""
