"""Content of `manage.py demo`: people, matches, tournaments, messages, top-ups and purchases."""
