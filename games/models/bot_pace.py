"""The speed at which a bot seems to play, chosen for a match.

A unit, in the comments of the constants, is the setting BOT_PACE_MS.
"""

import hashlib

from django.conf import settings
from django.db import models
from django.utils.translation import pgettext_lazy


class Pace(models.TextChoices):
    AT_ONCE = "at_once", pgettext_lazy("thinking time", "Instant")
    QUICK = "quick", pgettext_lazy("thinking time", "Quick")
    PERSON = "person", pgettext_lazy("thinking time", "Like a person")


# Units of delay before each action of a bot; a pace that is not named here waits one unit.
_REACTION = {Pace.AT_ONCE: 0.2}
# Units of thinking for the easiest decision, and units that the hardest one adds; even so, a bot
# decides in time with the shortest clock.
_EASIEST, _ADDED_BY_HARDEST = 0.3, 5.0


def reaction_ms(pace: str) -> int:
    """Return the delay before each action of a bot, which keeps it apart from the action before."""
    return round(settings.BOT_PACE_MS * _REACTION.get(Pace(pace), 1.0))


def thinking_ms(pace: str, difficulty: float, seed: str) -> int:
    """Return the extra delay for a decision of a `difficulty` from 0 to 1.

    The delay varies by 30 % either way with `seed`, a text that names the decision.
    """
    if pace != Pace.PERSON:
        return 0
    varied = 0.7 + 0.6 * hashlib.sha256(seed.encode()).digest()[0] / 255
    return round(settings.BOT_PACE_MS * varied * (_EASIEST + _ADDED_BY_HARDEST * difficulty))
