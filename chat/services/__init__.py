"""Services that write to chats: messages, complaints and measures of staff."""
