"""Ratings and their changes, rebuildable from the stored order of the matches."""

from decimal import Decimal

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.engine.rules import Variant
from games.models import Match
from stats.rating import SETTLED_EXPERIENCE, START

VARIANTS = [(variant.value, variant.value) for variant in Variant]


class Ladder(models.Model):
    """A single row with the last `RatedMatch.place` given; lock it to rate or count matches."""

    last_place = models.PositiveBigIntegerField(default=0)

    class Meta:
        verbose_name = _("ladder")
        verbose_name_plural = _("ladders")

    def __str__(self) -> str:
        return f"up to {self.last_place}"


class RatedMatch(models.Model):
    """A finished match that counts. `place` is its number in the order of rating, given once.

    The row is written in the transaction that ends the match. The worker rates rows without a
    place, so a match is rated once, whatever the number of workers. A rebuild follows the stored
    order.
    """

    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="rated")
    finished_at = models.DateTimeField()
    place = models.PositiveBigIntegerField(unique=True, null=True, blank=True)
    rated_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("rated match")
        verbose_name_plural = _("rated matches")
        indexes = [
            models.Index(
                fields=["finished_at", "id"],
                name="stats_ratedmatch_waiting",
                condition=Q(place__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.place}: {self.match_id}"


class Rating(models.Model):
    """A member's rating in one variant, with the counts of matches won, lost and drawn."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="ratings"
    )
    variant = models.CharField(max_length=8, choices=VARIANTS)
    rating = models.DecimalField(max_digits=9, decimal_places=4, default=START)
    experience = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)
    lost = models.PositiveIntegerField(default=0)
    drawn = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = [
            models.UniqueConstraint(fields=["user", "variant"], name="stats_rating_once"),
        ]
        indexes = [
            models.Index(
                fields=["variant", "-rating"],
                name="stats_rating_board",
                condition=Q(experience__gte=SETTLED_EXPERIENCE),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.variant}: {self.rating}"


class OneWayFlow(Match):
    """A proxy without rows of its own, for the admin's list of one-way flows (stats/integrity/).

    The proxy gives the list a place and a permission in the admin.
    """

    class Meta:
        proxy = True
        default_permissions = ("view",)
        verbose_name = _("one-way flow")
        verbose_name_plural = _("one-way flows of credits")


class RatingChange(models.Model):
    """The change of one player's rating by one match, with every term of the formula.

    `weight` is the product of two weights (stats/rating.py): that of the match's number among the
    pair's matches of the day, and `played_weight`, by the turns played. `net_credits` is the payout
    less the stake.
    """

    rated = models.ForeignKey(RatedMatch, on_delete=models.PROTECT, related_name="changes")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="rating_changes"
    )
    variant = models.CharField(max_length=8, choices=VARIANTS)
    length = models.PositiveSmallIntegerField()
    result = models.DecimalField(max_digits=2, decimal_places=1)
    before = models.DecimalField(max_digits=9, decimal_places=4)
    opponent_before = models.DecimalField(max_digits=9, decimal_places=4)
    experience_before = models.PositiveIntegerField()
    chance = models.DecimalField(max_digits=5, decimal_places=4)
    weight = models.DecimalField(max_digits=8, decimal_places=6)
    played_weight = models.DecimalField(max_digits=3, decimal_places=2, default=1, db_default=1)
    change = models.DecimalField(max_digits=9, decimal_places=4)
    net_credits = models.BigIntegerField(default=0)

    class Meta:
        verbose_name = _("rating change")
        verbose_name_plural = _("rating changes")
        ordering = ["-rated__place"]
        constraints = [
            models.UniqueConstraint(fields=["rated", "user"], name="stats_ratingchange_once"),
        ]
        indexes = [models.Index(fields=["user", "variant", "-id"], name="stats_ratingchange_page")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.change:+}"

    @property
    def after(self) -> Decimal:
        return self.before + self.change
