"""Strikes for spoiled matches for credits."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.match import Match


class Strike(models.Model):
    """A player let an opponent down. Staff can lift the strike; games/conduct adds strikes up."""

    class Kind(models.TextChoices):
        NO_START = "NO_START", _("Did not start")
        LEFT_EARLY = "LEFT_EARLY", _("Left before the first roll")
        WALKED_AWAY = "WALKED_AWAY", _("Stayed away from the match")
        STALLED = "STALLED", _("Ran out of time")

    # A loss on time weighs less: the player may not have meant it.
    WEIGHTS = {
        Kind.NO_START: 1.0,
        Kind.LEFT_EARLY: 1.0,
        Kind.WALKED_AWAY: 1.0,
        Kind.STALLED: 0.5,
    }

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="strikes"
    )
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="strikes")
    kind = models.CharField(max_length=12, choices=Kind)
    created_at = models.DateTimeField()
    lifted_at = models.DateTimeField(null=True, blank=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )

    class Meta:
        db_table = "lobby_strike"  # the table was made while the model was in lobby
        verbose_name = _("strike")
        verbose_name_plural = _("strikes")
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(fields=["user", "match"], name="lobby_strike_once"),
        ]
        indexes = [models.Index(fields=["user", "-created_at"], name="lobby_strike_user")]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_kind_display()}"
