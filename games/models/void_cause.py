from enum import StrEnum


class VoidCause(StrEnum):
    """Why a match is void, as its log says."""

    NO_START = "no_start"  # a player added nothing to the dice in time
    LEFT = "left"  # a player gave up before the first roll
    OUTAGE = "outage"
    STAFF = "staff"
    NO_DICE = "no_dice"  # the secret of its dice cannot be opened
