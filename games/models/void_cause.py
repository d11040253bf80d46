from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class VoidCause(StrEnum):
    """The reason why a match is void: `cause` of the action `void` in its log."""

    NO_START = "no_start"  # a player gave no entropy in time
    LEFT = "left"  # a player gave up before the first roll
    OUTAGE = "outage"
    STAFF = "staff"
    NO_DICE = "no_dice"  # the secret of the match's dice cannot be decrypted


# Sentences for pages; the table's script has its own for the same codes.
REASONS: dict[str, str | Promise] = {
    VoidCause.NO_START: _("A player did not come to the table in time."),
    VoidCause.LEFT: _("%(name)s gave up before the first roll."),
    VoidCause.OUTAGE: _("The site was unavailable for too long."),
    VoidCause.STAFF: _("Our team called this match off."),
    VoidCause.NO_DICE: _("The site can no longer roll the dice of this match."),
}


def reason_text(cause: str, name: str) -> str:
    """Return the sentence for a cause; `name` is the name of the player in it, if any."""
    return str(REASONS.get(cause, "")) % {"name": name}
