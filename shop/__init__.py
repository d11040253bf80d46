"""Gifts, top-ups, and the public totals of credits. Boards and checkers on sale come later."""
