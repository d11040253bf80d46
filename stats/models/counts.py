"""Finished matches counted for each member: dice, deeds and achievements."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models import Match, Seat
from stats.models.ratings import VARIANTS


class CountedSeat(models.Model):
    """A member's seat in a finished match, counted or waiting for that (services/counting.py).

    The row is written in the transaction that ends the match, or that gives a guest's match to a
    new member. `place` is the seat's number in the order of counting. It is given once, so that a
    rebuild follows the same order. `has_row` says that the seat's `PlayedMatch` is written; setting
    `has_row` to False makes the worker write the `PlayedMatch` again, for example when the opponent
    has become a member.
    """

    seat = models.OneToOneField(Seat, on_delete=models.CASCADE, related_name="counted")
    finished_at = models.DateTimeField()
    place = models.PositiveBigIntegerField(unique=True, null=True, blank=True)
    has_row = models.BooleanField(default=False, db_default=False)

    class Meta:
        verbose_name = _("counted seat")
        verbose_name_plural = _("counted seats")
        indexes = [
            models.Index(
                fields=["finished_at", "id"],
                name="stats_countedseat_waiting",
                condition=Q(has_row=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.place}: {self.seat_id}"


class DiceTally(models.Model):
    """The rolls of a member and of their opponents, in the order of `DiceMap`.

    A member has a row for each variant and kind of opponent: people or computers.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="dice_tallies"
    )
    variant = models.CharField(max_length=8, choices=VARIANTS)
    is_against_computer = models.BooleanField()
    own = models.JSONField()
    opponents = models.JSONField()

    class Meta:
        verbose_name = _("dice tally")
        verbose_name_plural = _("dice tallies")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "variant", "is_against_computer"], name="stats_dicetally_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.variant}"


class DiceDay(models.Model):
    """The rolls of all members, and of computer opponents, in matches that ended on a day (UTC)."""

    day = models.DateField(unique=True)
    members = models.JSONField()
    computers = models.JSONField()

    class Meta:
        verbose_name = _("daily dice count")
        verbose_name_plural = _("daily dice counts")
        ordering = ["-day"]

    def __str__(self) -> str:
        return str(self.day)


class MemberDeeds(models.Model):
    """Counts over a member's matches, as `Deeds` of stats/achievements/facts.py."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="deeds", primary_key=True
    )
    data = models.JSONField()

    class Meta:
        verbose_name = _("member’s counts")
        verbose_name_plural = _("members’ counts")

    def __str__(self) -> str:
        return str(self.user_id)


class Award(models.Model):
    """An achievement of a member, and the match in which they reached it."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="awards"
    )
    code = models.CharField(max_length=24)
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="awards")
    reached_at = models.DateTimeField()

    class Meta:
        verbose_name = _("achievement")
        verbose_name_plural = _("achievements")
        ordering = ["-reached_at", "-id"]
        constraints = [models.UniqueConstraint(fields=["user", "code"], name="stats_award_once")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.code}"
