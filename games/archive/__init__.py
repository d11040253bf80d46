"""Finished matches in the forms that pages and files need, computed once from the log."""
