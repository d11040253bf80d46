"""Reports about messages, and silences."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.times.texts import text_of
from chat.models.messages import Message


class Report(models.Model):
    """A report about a message, for staff."""

    message = models.ForeignKey(Message, on_delete=models.PROTECT, related_name="reports")
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="reports"
    )
    created_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(fields=["message", "reporter"], name="chat_report_once"),
        ]

    def __str__(self) -> str:
        return f"{self.reporter} about {self.author}"

    @property
    def author(self) -> User:
        """Return the message's author, a member: messages of guests cannot be reported."""
        assert self.message.author is not None
        return self.message.author


class Silence(models.Model):
    """Staff have forbidden a player to write in any room before `until`.

    A message has at most one running silence, kept with one of its reports. While the silence runs,
    silencing again can only lengthen it; after its end a new one begins, once an open appeal is
    answered. The player reads `reason`, may appeal once, and reads the `answer`. If the silence is
    lengthened after the answer, the player may appeal again.
    """

    report = models.OneToOneField(Report, on_delete=models.PROTECT, related_name="silence")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="silences"
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    until = models.DateTimeField()
    reason = models.CharField(_("reason"), max_length=200, blank=True, db_default="")
    appeal = models.CharField(_("appeal"), max_length=500, blank=True, db_default="")
    appealed_at = models.DateTimeField(null=True, blank=True)
    answer = models.CharField(_("answer"), max_length=200, blank=True, db_default="")
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("silence")
        verbose_name_plural = _("silences")
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["user", "-until"], name="chat_silence_user")]

    def __str__(self) -> str:
        return f"{self.user} until {text_of(self.until, 'moment')}"

    @property
    def has_open_appeal(self) -> bool:
        return self.appealed_at is not None and self.answered_at is None
