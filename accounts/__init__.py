"""Users, their choices and blocks, sign-up and sign-in, and how to reach them."""
