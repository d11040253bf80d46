"""Matches that count for a newcomer: each brings credits, and several end the limits."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.match import Match


class CountedMatch(models.Model):
    """A match that counts for a member (games/stakes/history.py).

    A match against the same `opponent` counts once; against the computer, where `opponent` is
    empty, every time.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="counted_matches"
    )
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="counted_for")
    opponent = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
    )
    counted_at = models.DateTimeField()

    class Meta:
        verbose_name = _("counted match")
        verbose_name_plural = _("counted matches")
        constraints = [
            models.UniqueConstraint(fields=["user", "match"], name="games_countedmatch_once"),
            models.UniqueConstraint(
                fields=["user", "opponent"],
                name="games_countedmatch_opponent_once",
                condition=Q(opponent__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.match_id}"
