"""What is done to members and their letters: each service writes in one transaction."""
