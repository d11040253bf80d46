"""What writes ratings."""
