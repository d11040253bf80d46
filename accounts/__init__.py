"""Who you are and how to reach you: users, and later preferences, blocks and sign-up."""
