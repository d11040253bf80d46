"""The public pages of the terms, and the middleware that asks members to accept them."""
