"""The bots: levels and their decisions."""
