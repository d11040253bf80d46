"""The last run of each nightly command, and its result."""

from datetime import timedelta

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

# A run that has not ended after this time counts as killed, and any worker may try again.
LEASE = timedelta(hours=1)


class NightlyRun(models.Model):
    """The last run of a command, or the moment at which a worker first found a new command.

    `said` is the last line that the command wrote, or the error that ended it.
    """

    command = models.SlugField(_("command"), primary_key=True, max_length=32)
    began_at = models.DateTimeField(_("started"))
    ended_at = models.DateTimeField(_("finished"), null=True, blank=True)
    is_well = models.BooleanField(_("succeeded"), default=True)
    said = models.CharField(_("result"), max_length=300, blank=True, default="")

    class Meta:
        verbose_name = _("nightly command")
        verbose_name_plural = _("nightly commands")
        ordering = ("command",)
        constraints = [
            models.CheckConstraint(
                name="config_nightlyrun_end",
                condition=Q(ended_at__isnull=True) | Q(ended_at__gte=models.F("began_at")),
            )
        ]

    def __str__(self) -> str:
        return self.command

    @property
    def took(self) -> timedelta | None:
        return self.ended_at - self.began_at if self.ended_at else None
