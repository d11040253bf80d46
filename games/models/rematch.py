from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.engine.sides import Side
from games.models.match import Match


class RematchOffer(models.Model):
    """One side of a finished match offers the other a rematch on the same terms.

    An offer without an answer stays OPEN, but after the rematch time nobody can accept it.
    """

    class State(models.TextChoices):
        OPEN = "OPEN", _("Offered")
        ACCEPTED = "ACCEPTED", _("Accepted")
        REFUSED = "REFUSED", _("Refused")

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="rematch_offers")
    side = models.CharField(max_length=8, choices=[(s.value, s.value) for s in Side])
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)
    created_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("rematch offer")
        verbose_name_plural = _("rematch offers")
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["-created_at"], name="games_rematch_created_at")]
        constraints = [
            models.UniqueConstraint(
                fields=["match"], name="games_rematch_one_open", condition=Q(state="OPEN")
            ),
            models.CheckConstraint(
                name="games_rematch_answered",
                condition=Q(state="OPEN", answered_at__isnull=True)
                | ~Q(state="OPEN") & Q(answered_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.side} {self.state}"
