"""Pages of tournaments and of members' proposals."""
