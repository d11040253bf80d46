"""Amounts of whole credits, and the house's accounts."""

from enum import StrEnum

from wallet.errors import WrongAmount

# Credits; far above any real total, so that a larger amount is treated as a mistake.
MAX_CREDITS = 10**12


class House(StrEnum):
    """The house's accounts, where credits come from and go to. All accounts sum to zero."""

    RAKE = "rake"
    GIFTS = "gifts"
    BOUGHT = "bought"
    GOODS = "goods"
    CORRECTION = "correction"
    TOURNAMENTS = "tournaments"


def check_credits(credits: int) -> None:
    """Raise WrongAmount for anything but an int in range: a fraction would be silently cut off."""
    if type(credits) is not int or not 1 <= credits <= MAX_CREDITS:
        raise WrongAmount(f"{credits!r} is not an amount of credits")
