"""Friendships between members, and requests for them."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class Friendship(models.Model):
    """One row for a pair of members, in either direction; `first` has the lower id.

    ASKED: `asker` waits for the other's answer. CLOSED: declined, canceled, removed or ended by a
    block; `closed_by` is the member who did so, None if the asker canceled. The row stays, because
    it limits how soon and how often the two may ask again. `told_at` is when a request last
    appeared as an alert.
    """

    class State(models.TextChoices):
        ASKED = "ASKED", "asked"
        FRIENDS = "FRIENDS", "friends"
        CLOSED = "CLOSED", "closed"

    first = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    asker = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    state = models.CharField(max_length=8, choices=State, default=State.ASKED)
    asked_at = models.DateTimeField()
    told_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", null=True, blank=True
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["first", "second"], name="accounts_friendship_pair"),
            models.CheckConstraint(
                name="accounts_friendship_order", condition=Q(first__lt=F("second"))
            ),
            models.CheckConstraint(
                name="accounts_friendship_asker",
                condition=Q(asker=F("first")) | Q(asker=F("second")),
            ),
            models.CheckConstraint(
                name="accounts_friendship_state",
                condition=Q(state="ASKED", accepted_at__isnull=True, closed_at__isnull=True)
                | Q(state="FRIENDS", accepted_at__isnull=False, closed_at__isnull=True)
                | Q(state="CLOSED", closed_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first_id} and {self.second_id}: {self.state}"
