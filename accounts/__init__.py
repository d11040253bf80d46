"""Who you are and how to reach you: users, what they chose, whom they avoid, sign-up."""
