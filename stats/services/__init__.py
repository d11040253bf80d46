"""Services that write ratings, counts and shared recaps."""
