"""A member's record against each other member they have played."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models import Match


class OpponentRecord(models.Model):
    """Counts of a member's matches against another, and the match that finished last.

    Void matches, and matches of kinds that do not count head to head, are left out. The row is
    written when the member's seat is counted.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="opponent_records",
        db_index=False,
    )  # fmt: skip
    opponent = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    won = models.PositiveIntegerField(default=0)
    lost = models.PositiveIntegerField(default=0)
    drawn = models.PositiveIntegerField(default=0)
    last_match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="+")
    last_at = models.DateTimeField()

    class Meta:
        verbose_name = _("record against an opponent")
        verbose_name_plural = _("records against opponents")
        ordering = ["-last_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["user", "opponent"], name="stats_opponentrecord_once"),
        ]
        indexes = [models.Index(fields=["user", "-last_at", "-id"], name="stats_opponent_page")]

    def __str__(self) -> str:
        return f"{self.user_id} against {self.opponent_id}: {self.won} : {self.lost}"

    @property
    def met(self) -> int:
        return self.won + self.lost + self.drawn
