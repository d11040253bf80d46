"""A member's finished matches: the list with its filter, and the statistics over them."""
