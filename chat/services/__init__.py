"""What writes chats."""
