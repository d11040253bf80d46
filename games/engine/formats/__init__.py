"""Texts that other backgammon programs read and write, and the like for long nardy.

`xgid` and `gnuid` name one moment of a short game, `mat` holds a short match, `longtext` a
long one. None of them is what this project stores: that is the action log.
"""
