"""How fast a bot seems to play: chosen with a match, in units of BOT_PACE_MS."""

import hashlib

from django.conf import settings
from django.db import models
from django.utils.translation import pgettext_lazy


class Pace(models.TextChoices):
    AT_ONCE = "at_once", pgettext_lazy("thinking time", "At once")
    QUICK = "quick", pgettext_lazy("thinking time", "Quick")
    PERSON = "person", pgettext_lazy("thinking time", "Like a person")


_BEFORE = {Pace.AT_ONCE: 0.2}
# Units for the hardest decision; in time even with the shortest clock.
_LONGEST = 5.0


def reaction_ms(pace: str) -> int:
    """Return the delay before a bot starts its turn, which keeps two moves apart."""
    return round(settings.BOT_PACE_MS * _BEFORE.get(Pace(pace), 1.0))


def thinking_ms(pace: str, hard: float, moment: str) -> int:
    """Return the extra delay for a decision, varied by `moment`.

    `hard` is the difficulty, from 0 to 1.
    """
    if pace != Pace.PERSON:
        return 0
    varied = 0.7 + 0.6 * hashlib.sha256(moment.encode()).digest()[0] / 255
    return round(settings.BOT_PACE_MS * varied * (0.3 + _LONGEST * hard))
