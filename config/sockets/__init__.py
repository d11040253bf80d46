"""Limits of one socket: checks on arrival, limits on frames, the channel layer."""
