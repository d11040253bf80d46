"""The rules in words and diagrams."""
