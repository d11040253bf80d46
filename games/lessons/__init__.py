"""Ten short lessons for each variant: a few sentences, a position, a play or answer to find."""
