"""Texts that other backgammon programs read and write, and the counterpart for long nardy.

`xgid` and `gnu_id` identify one position of short backgammon, `mat` holds a match of it, and
`long_text` holds a match of long nardy. All are made from the log of actions, which alone is
authoritative.
"""
