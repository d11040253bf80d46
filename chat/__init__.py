"""Messages in rooms and between two members, moderation, support."""
