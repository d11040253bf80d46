"""A member's confirmed age and choice of reminders."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

DEFAULT_REMINDER = 60  # minutes


class PlayChoices(models.Model):
    """The time at which a member confirmed their age, and the minutes of play until a reminder.

    `reminder_minutes`: 0 for no reminder. `reminded_at`: when the member answered the last one.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="play_choices"
    )
    adult_at = models.DateTimeField(_("age confirmed at"), null=True)
    reminder_minutes = models.PositiveSmallIntegerField(
        _("reminder after minutes of play"), default=DEFAULT_REMINDER
    )
    reminded_at = models.DateTimeField(_("last reminder answered at"), null=True)

    class Meta:
        verbose_name = _("play choices of a member")
        verbose_name_plural = _("play choices of members")

    def __str__(self) -> str:
        return str(self.user_id)
