"""Members in a tournament, and the prizes due to them."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.models.tournament import Tournament
from wallet.models import Hold


class Entrant(models.Model):
    """A member who entered a tournament; entering again after a withdrawal makes a new row.

    If `bot` names a level, the computer plays for the entrant; `user` is then an account that
    nobody can sign in to.

    WITHDRAWN: the entrant left, or was removed or banned, before the start, and got the fee back.
    OUT: the entrant takes no further part in the running tournament, after two absences in a row
    (in formats without elimination), a removal by staff, a decision of staff that both lose the
    final, or a ban. The loser of a knock-out match stays ENTERED.

    `has_news`: the tournament was called off or moved, and the member has not opened its page.
    """

    class State(models.TextChoices):
        ENTERED = "ENTERED", pgettext_lazy("entrant", "Entered")
        WITHDRAWN = "WITHDRAWN", pgettext_lazy("entrant", "Withdrawn")
        OUT = "OUT", pgettext_lazy("entrant", "Out")

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="entrants")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="tournament_entries"
    )
    bot = models.SlugField(max_length=32, blank=True, default="", db_default="")
    state = models.CharField(max_length=9, choices=State, default=State.ENTERED)
    hold = models.OneToOneField(
        Hold, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )
    entered_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True, blank=True)
    has_news = models.BooleanField(default=False, db_default=False)

    class Meta:
        verbose_name = _("entrant")
        verbose_name_plural = _("entrants")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "user"],
                name="tournaments_entrant_once",
                condition=~Q(state="WITHDRAWN"),
            ),
            models.CheckConstraint(
                name="tournaments_entrant_left",
                condition=Q(state="ENTERED", left_at__isnull=True)
                | Q(state__in=["WITHDRAWN", "OUT"], left_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.tournament_id})"


class Prize(models.Model):
    """Credits that an entrant has won; the worker pays a tournament's prizes in one transfer."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="prizes")
    entrant = models.OneToOneField(Entrant, on_delete=models.PROTECT, related_name="prize")
    credits = models.PositiveIntegerField()
    due_at = models.DateTimeField()
    paid_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("prize")
        verbose_name_plural = _("prizes")
        constraints = [
            models.CheckConstraint(name="tournaments_prize_credits", condition=Q(credits__gt=0)),
        ]
        indexes = [
            models.Index(
                fields=["due_at"], name="tournaments_prize_due", condition=Q(paid_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}: {self.credits}"
