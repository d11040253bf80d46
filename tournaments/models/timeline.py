"""Events of a tournament, with their times and causes."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.models.tournament import Tournament


class TimelineEntry(models.Model):
    """One event: a code, and values for its sentence (tournaments/timeline_texts.py).

    `detail` holds members as user ids, never by name. `reason` is the reason that staff gave.
    """

    class Event(models.TextChoices):
        PROPOSED = "PROPOSED", pgettext_lazy("tournament", "Proposed")
        REJECTED = "REJECTED", pgettext_lazy("tournament", "Rejected")
        ANNOUNCED = "ANNOUNCED", pgettext_lazy("tournament", "Announced")
        ENTERED = "ENTERED", pgettext_lazy("tournament", "Entered")
        WITHDREW = "WITHDREW", pgettext_lazy("tournament", "Withdrew")
        POSTPONED = "POSTPONED", pgettext_lazy("tournament", "Postponed")
        EXTENDED = "EXTENDED", pgettext_lazy("tournament", "Entry extended")
        CANCELED = "CANCELED", pgettext_lazy("tournament", "Canceled")
        DRAWN = "DRAWN", pgettext_lazy("tournament", "Draw made")
        ROUND_STARTED = "ROUND_STARTED", pgettext_lazy("tournament", "Round started")
        TABLE_OPENED = "TABLE_OPENED", pgettext_lazy("tournament", "Table opened")
        DECIDER = "DECIDER", pgettext_lazy("tournament", "Drawn match: a deciding game")
        REPLAY = "REPLAY", pgettext_lazy("tournament", "Match void: played again")
        RESULT = "RESULT", pgettext_lazy("tournament", "Result")
        LEFT_OUT = "LEFT_OUT", pgettext_lazy("tournament", "No longer takes part")
        FINISHED = "FINISHED", pgettext_lazy("tournament", "Finished")
        PAID = "PAID", pgettext_lazy("tournament", "Prize paid")
        VOID = "VOID", pgettext_lazy("tournament", "Void")

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="timeline")
    at = models.DateTimeField()
    event = models.CharField(max_length=13, choices=Event)
    detail = models.JSONField(default=dict)
    reason = models.CharField(max_length=200, blank=True, default="")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )

    class Meta:
        verbose_name = _("tournament event")
        verbose_name_plural = _("tournament events")
        ordering = ["tournament", "pk"]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.event}"
