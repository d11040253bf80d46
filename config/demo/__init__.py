"""Content of a demonstration (`manage.py demo`): people, matches, tournaments, talk, orders."""
