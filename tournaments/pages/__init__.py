"""Data of tournaments for pages: lists, brackets and tables, texts, calendar files."""
