"""Matches in play: the rules (`engine`), the opponents (`ai`) and the Django app around them."""
