"""Uploaded avatars, and what staff decided about each."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Picture(models.Model):
    """An upload that waits for staff, or that staff have kept or taken away.

    `file` is the file's name in the storage; the row is deleted when the member replaces or removes
    the picture. If staff take it away, the file is deleted and the row stays with an empty `file`;
    the member is shown `reason` until they acknowledge it, at `seen_at`.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="pictures"
    )
    file = models.CharField(max_length=64, blank=True)
    uploaded_at = models.DateTimeField(_("uploaded"))
    checked_at = models.DateTimeField(_("checked"), null=True, blank=True)
    checked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
        verbose_name=_("checked by"),
    )
    # When staff took the picture away; None while it waits or is kept.
    taken_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("member’s picture")
        verbose_name_plural = _("members’ pictures")
        constraints = [
            models.UniqueConstraint(
                fields=["user"], name="accounts_picture_shown", condition=Q(taken_at__isnull=True)
            ),
        ]
        indexes = [
            models.Index(
                fields=["uploaded_at"],
                name="accounts_picture_waiting",
                condition=Q(checked_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return str(self.user)
