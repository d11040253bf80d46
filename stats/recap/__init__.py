"""A member's year: a page of their own, which they may share."""
