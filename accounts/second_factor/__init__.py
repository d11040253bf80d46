"""Two-step sign-in: codes of an authenticator app, and recovery codes in place of them."""
