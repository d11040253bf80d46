"""Services that write to chats: messages, reports and measures of staff."""
