"""Everything that writes to chats: messages, and measures of staff."""
