"""Blocks between members."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Block(models.Model):
    """`owner` and `blocked` do not meet in chats; at tables they meet only in tournaments.

    `blocked` is not notified.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocks"
    )
    blocked = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocked_by"
    )
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = _("block")
        verbose_name_plural = _("blocks")
        constraints = [
            models.UniqueConstraint(fields=["owner", "blocked"], name="accounts_block_pair"),
            models.CheckConstraint(
                name="accounts_block_not_oneself", condition=~Q(owner=F("blocked"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.owner_id} blocks {self.blocked_id}"
