"""Members who are expected elsewhere from a moment on."""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

# Time before `starts_at` during which the member may begin no match for credits; their announced
# game is canceled.
CLOSED_BEFORE = timedelta(minutes=2)
# Time after `starts_at` for which a commitment that nobody has removed still counts.
FORGOTTEN_AFTER = timedelta(minutes=5)


class Commitment(models.Model):
    """A member is expected at `starts_at`; an upper app writes the row and removes it at the start.

    `reference` is that app's name of the event, such as `tournament:<public id>`.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="commitments"
    )
    reference = models.CharField(max_length=64)
    starts_at = models.DateTimeField()

    class Meta:
        verbose_name = _("commitment")
        verbose_name_plural = _("commitments")
        constraints = [
            models.UniqueConstraint(fields=["user", "reference"], name="games_commitment_once"),
        ]
        indexes = [models.Index(fields=["reference"], name="games_commitment_reference")]

    def __str__(self) -> str:
        return f"user {self.user_id}: {self.reference}"
