"""Credits of matches: terms, reservation and payout. In games only this room calls the wallet."""
