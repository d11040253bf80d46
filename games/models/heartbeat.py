from django.db import models
from django.utils.translation import gettext_lazy as _


class Heartbeat(models.Model):
    """The last heartbeat of one kind of process; a long gap before the next is an outage."""

    name = models.SlugField(primary_key=True, max_length=32)
    beat_at = models.DateTimeField()

    class Meta:
        verbose_name = _("heartbeat")
        verbose_name_plural = _("heartbeats")

    def __str__(self) -> str:
        return self.name
