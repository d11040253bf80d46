"""Strikes of players who let opponents down, and the suspensions that follow."""
