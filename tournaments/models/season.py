"""Points of the season, derived from the results of finished tournaments."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.entrant import Entrant

CODE_LENGTH = 6


class SeasonPoints(models.Model):
    """Points for an entrant's place; `manage.py rebuildseasons` computes all of them again.

    `season` is the quarter in which the tournament ended, in UTC: "2026-4".
    """

    entrant = models.OneToOneField(Entrant, on_delete=models.PROTECT, related_name="season_points")
    season = models.CharField(max_length=CODE_LENGTH)
    place = models.PositiveSmallIntegerField()
    points = models.PositiveSmallIntegerField()

    class Meta:
        verbose_name = _("season points")
        verbose_name_plural = _("season points")
        indexes = [models.Index(fields=["season"], name="tournaments_season_points")]

    def __str__(self) -> str:
        return f"{self.entrant_id}: {self.points} ({self.season})"
