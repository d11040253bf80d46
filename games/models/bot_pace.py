"""How much time a bot seems to take: chosen with a match, in units of BOT_PACE_MS."""

import hashlib

from django.conf import settings
from django.db import models
from django.utils.translation import pgettext_lazy


class Pace(models.TextChoices):
    AT_ONCE = "at_once", pgettext_lazy("thinking time", "At once")
    QUICK = "quick", pgettext_lazy("thinking time", "Quick")
    PERSON = "person", pgettext_lazy("thinking time", "Like a person")


_BEFORE = {Pace.AT_ONCE: 0.2}
# The hardest decision keeps a person so long; with the clock at its tightest it is still in time.
_LONGEST = 5.0


def reaction_ms(pace: str) -> int:
    """From what happened before to a bot's turn to act: so much keeps two moves apart."""
    return round(settings.BOT_PACE_MS * _BEFORE.get(Pace(pace), 1.0))


def thinking_ms(pace: str, hard: float, moment: str) -> int:
    """What comes on top for a decision (0 plain to 1 hard); not the same at every moment."""
    if pace != Pace.PERSON:
        return 0
    varied = 0.7 + 0.6 * hashlib.sha256(moment.encode()).digest()[0] / 255
    return round(settings.BOT_PACE_MS * varied * (0.3 + _LONGEST * hard))
