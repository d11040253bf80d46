"""Writing to support: questions first, then a request; a queue for staff."""
