"""Content of `manage.py demo`: people, matches, tournaments, messages, purchases, staff."""
