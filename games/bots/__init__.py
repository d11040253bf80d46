"""The bots: who they are, the process that decides for them, the driver of their turns."""
