"""Outages of the site: heartbeats, which reveal them, and matches on which staff have to decide."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.match import Match


class Heartbeat(models.Model):
    """The last heartbeat of a kind of process, or another moment of an outage.

    The names of the rows are in games/services/outages.py.
    """

    name = models.SlugField(primary_key=True, max_length=32)
    beat_at = models.DateTimeField()

    class Meta:
        verbose_name = _("heartbeat")
        verbose_name_plural = _("heartbeats")

    def __str__(self) -> str:
        return self.name


class Interruption(models.Model):
    """Outages after which staff decide whether a match is void.

    The row is written after a long outage in which some process was alive. It is also written after
    an outage whose time the match does not get back: a match gets back the time of MOST_GIVEN
    outages only (games/services/outages.py). Later outages move `ended_at`.
    """

    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="interruption")
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    voided_at = models.DateTimeField(null=True, blank=True)
    voided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )

    class Meta:
        verbose_name = _("interruption")
        verbose_name_plural = _("interruptions")
        ordering = ["-ended_at"]

    def __str__(self) -> str:
        return self.match.public_id
