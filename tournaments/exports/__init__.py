"""Files of tournaments for download."""
