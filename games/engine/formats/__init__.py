"""Texts that other backgammon programs read and write, and the counterpart for long nardy.

`xgid` and `gnu_id` identify one position of a short game, `mat` holds a short match, `long_text` a
long one. The project itself stores the action log, none of these.
"""
