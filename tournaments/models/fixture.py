"""Rounds of a tournament and their fixtures."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models import Match
from tournaments.models.entrant import Entrant
from tournaments.models.tournament import Tournament


class Round(models.Model):
    """A round; `advanced_at` is empty until its results have led to the next one or to the end."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    started_at = models.DateTimeField()
    advanced_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "number"], name="tournaments_round_number"
            ),
        ]
        indexes = [
            models.Index(
                fields=["started_at"],
                name="tournaments_round_runs",
                condition=Q(advanced_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}/{self.number}"


class Fixture(models.Model):
    """Two entrants of a round, or one with a free place.

    An open fixture without a match waits for its table. `match` is the match at the table;
    `drawn_match` is an earlier one that ended in a draw. The players must have come by `join_by`.
    `winner` is empty if neither won. The receiver of a finished match writes the result under
    the match's lock; the worker begins the next round later.
    """

    class Cause(models.TextChoices):
        PLAYED = "PLAYED", pgettext_lazy("tournament", "Played")
        FREE = "FREE", _("Bye")
        ABSENT = "ABSENT", _("Forfeit: did not come")
        GAVE_UP = "GAVE_UP", _("Forfeit: gave up before the first roll")
        BOTH_ABSENT = "BOTH_ABSENT", _("Nobody came")
        WITHDRAWN = "WITHDRAWN", _("Forfeit: no longer takes part")
        STAFF = "STAFF", _("Decided by our team")

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="fixtures")
    number = models.PositiveSmallIntegerField()
    first = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="as_first")
    second = models.ForeignKey(
        Entrant, on_delete=models.PROTECT, related_name="as_second", null=True, blank=True
    )
    match = models.OneToOneField(
        Match, on_delete=models.PROTECT, related_name="fixture", null=True, blank=True
    )
    drawn_match = models.OneToOneField(
        Match, on_delete=models.PROTECT, related_name="drawn_fixture", null=True, blank=True
    )
    join_by = models.DateTimeField(null=True, blank=True)
    winner = models.ForeignKey(
        Entrant, on_delete=models.PROTECT, related_name="won_fixtures", null=True, blank=True
    )
    first_points = models.PositiveSmallIntegerField(default=0)
    second_points = models.PositiveSmallIntegerField(default=0)
    cause = models.CharField(max_length=11, choices=Cause, blank=True, default="")
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("fixture")
        verbose_name_plural = _("fixtures")
        ordering = ["round", "number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="tournaments_fixture_number"),
            models.CheckConstraint(
                name="tournaments_fixture_finished",
                condition=Q(finished_at__isnull=True, cause="", winner__isnull=True)
                | Q(finished_at__isnull=False) & ~Q(cause=""),
            ),
            models.CheckConstraint(
                name="tournaments_fixture_winner",
                condition=Q(winner__isnull=True)
                | Q(winner=models.F("first"))
                | Q(winner=models.F("second")),
            ),
            models.CheckConstraint(
                name="tournaments_fixture_free",
                condition=Q(second__isnull=False)
                | Q(match__isnull=True, drawn_match__isnull=True, finished_at__isnull=False),
            ),
        ]
        indexes = [
            models.Index(
                fields=["round"],
                name="tournaments_fixture_open",
                condition=Q(finished_at__isnull=True),
            ),
            models.Index(
                fields=["id"],
                name="tournaments_fixture_waits",
                condition=Q(finished_at__isnull=True, match__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round_id}/{self.number}"

    @property
    def is_technical(self) -> bool:
        """Return whether the fixture was decided without a game or by staff; byes do not count."""
        return self.cause not in ("", self.Cause.PLAYED, self.Cause.FREE)
