"""The last time a member was seen."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Presence(models.Model):
    """The last ping of any of a member's sockets.

    A counter of open sockets would be wrong after a crash.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="presence"
    )
    seen_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("presence")
        verbose_name_plural = _("presences")

    def __str__(self) -> str:
        return f"{self.user_id} at {self.seen_at}"
