"""Networks and devices of members, kept for a month."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models.user import User


class Origin(models.Model):
    """A network or device (a browser) from which a member visited, as a keyed hash.

    The hash only shows whether two members share a network or device
    (accounts/sessions/origins.py). The row stays after a sign-out.
    """

    class Kind(models.TextChoices):
        NETWORK = "NETWORK", _("Network")
        DEVICE = "DEVICE", _("Device")

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="origins")
    kind = models.CharField(max_length=7, choices=Kind)
    digest = models.CharField(max_length=64)
    seen_at = models.DateTimeField()

    class Meta:
        verbose_name = _("origin")
        verbose_name_plural = _("origins")
        constraints = [
            models.UniqueConstraint(fields=["user", "kind", "digest"], name="accounts_origin_once"),
        ]
        indexes = [models.Index(fields=["seen_at"], name="accounts_origin_seen_at")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.kind}"
