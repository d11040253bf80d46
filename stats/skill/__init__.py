"""A member's error rate and luck by month, from the reviews of their matches."""
