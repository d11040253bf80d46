"""Gifts, top-ups, boards and checkers on sale, and the goods that members own.

Not built yet: this folder holds the app's name only. Payment providers will get one interface here.
"""
