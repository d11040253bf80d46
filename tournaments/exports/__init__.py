"""The file of a tournament's draw, and the picture beside a link to a tournament."""
