"""Private notes of members on other players."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class Note(models.Model):
    """A text of `owner` about a player, for the owner's eyes only."""

    LENGTH = 500  # characters

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notes"
    )
    about = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    text = models.CharField(max_length=LENGTH)
    updated_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "about"], name="accounts_note_pair"),
            models.CheckConstraint(
                name="accounts_note_not_oneself", condition=~Q(owner=F("about"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.owner_id} on {self.about_id}"
