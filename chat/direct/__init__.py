"""Messages of one member to another."""
