"""Sockets: checks on arrival, limits on frames, their end with the process, the channel layer."""
