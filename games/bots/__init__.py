"""The bots: names and levels, the process that decides for them, the driver of their turns."""
