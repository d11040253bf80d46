"""Games that members wish for, and the queue of new games to compare with them."""

from datetime import datetime, tzinfo

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import PUBLIC_ID_LENGTH, new_public_id
from games.engine.rules import Variant


class WishedGame(models.Model):
    """A game that a member wishes for; they are notified when such a game appears.

    An empty `variant` means both variants. Equal hours mean any time; otherwise the member is
    notified from `from_hour` on and before `until_hour`, in their zone. `found_seek` or
    `found_search` is the game of which they were last notified, at `told_at`.
    """

    public_id = models.CharField(
        max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="wished_games"
    )
    variant = models.CharField(
        max_length=8, choices=[(v.value, v.value) for v in Variant], blank=True
    )
    is_friendly = models.BooleanField(default=False)
    least_stake = models.PositiveIntegerField(null=True, blank=True)
    most_stake = models.PositiveIntegerField(null=True, blank=True)
    from_hour = models.PositiveSmallIntegerField(default=0)
    until_hour = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    told_at = models.DateTimeField(null=True, blank=True)
    found_seek = models.ForeignKey(
        "lobby.Seek", on_delete=models.SET_NULL, related_name="+", null=True, blank=True
    )
    found_search = models.ForeignKey(
        "lobby.Search", on_delete=models.SET_NULL, related_name="+", null=True, blank=True
    )

    class Meta:
        verbose_name = _("requested game")
        verbose_name_plural = _("requested games")
        ordering = ["created_at", "pk"]
        indexes = [models.Index(fields=["expires_at"], name="lobby_wish_expires_at")]
        constraints = [
            models.CheckConstraint(
                name="lobby_wish_hours", condition=Q(from_hour__lt=24, until_hour__lt=24)
            ),
            models.CheckConstraint(
                name="lobby_wish_stake",
                condition=Q(is_friendly=False) | Q(least_stake=None, most_stake=None),
            ),
        ]

    def __str__(self) -> str:
        return self.public_id

    def is_at(self, now: datetime, zone: tzinfo) -> bool:
        """Return whether the member wants to be notified at this time of day."""
        hour = now.astimezone(zone).hour
        if self.from_hour <= self.until_hour:
            is_all_day = self.from_hour == self.until_hour
            return is_all_day or self.from_hour <= hour < self.until_hour
        return hour >= self.from_hour or hour < self.until_hour


class NewGame(models.Model):
    """A new game to compare with the wishes; the worker deletes the row afterwards."""

    seek = models.OneToOneField(
        "lobby.Seek", on_delete=models.CASCADE, related_name="+", null=True, blank=True
    )
    search = models.OneToOneField(
        "lobby.Search", on_delete=models.CASCADE, related_name="+", null=True, blank=True
    )
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="lobby_newgame_one",
                condition=Q(seek__isnull=False, search__isnull=True)
                | Q(seek__isnull=True, search__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return str(self.pk)
