"""Content of a demonstration (`manage.py demo`): people, matches, tournaments, messages, orders."""
