"""Reports about a member that are not about a message."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class PlayerReport(models.Model):
    """A report about a member, for staff.

    `room` is `match:` and the public id of the match from which the reporter came, or empty. The
    reporter could see that match, and the reported member played or wrote in it.
    """

    class Cause(models.TextChoices):
        PROFILE = "PROFILE", _("Name or picture")
        HELP = "HELP", _("Plays with the help of a program or another person")
        THROWN = "THROWN", _("Loses on purpose, or agrees on the result beforehand")
        CONDUCT = "CONDUCT", _("Behavior at the table")
        OTHER = "OTHER", _("Something else")

    about = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="reports_about"
    )
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="player_reports"
    )
    cause = models.CharField(_("reason"), max_length=8, choices=Cause)
    text = models.CharField(_("details"), max_length=500, blank=True)
    room = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )

    class Meta:
        verbose_name = _("report about a player")
        verbose_name_plural = _("reports about players")
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["reporter", "about", "cause", "room"],
                name="chat_playerreport_open",
                condition=Q(closed_at__isnull=True),
            ),
        ]
        indexes = [
            models.Index(fields=["reporter", "created_at"], name="chat_playerreport_daily"),
        ]

    def __str__(self) -> str:
        return f"{self.reporter} about {self.about}"
