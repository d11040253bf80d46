"""Live tables of one process: seats, spectators, chat, checks."""
