"""Finished matches and their reviews, a row for each member, for lists and statistics."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models import Match, Review, Seat, kind
from stats.models.ratings import VARIANTS


class PlayedMatch(models.Model):
    """A finished match as one member played it, written when their seat is counted.

    `level` is that of a computer opponent, or ""; `opponent` is a member, or None. `length` is 0
    for a money session. The counts of games leave out a game that was cut short by the end of the
    match. `rolls`, `doublets` and `pips` are the member's, without opening throws; `all_rolls` are
    the rolls of both players. `net_credits` is the payout less the stake, `fee_credits` the rake on
    the win.
    """

    class Category(models.TextChoices):
        CREDITS = kind.Category.CREDITS.value, pgettext_lazy("matches", "For credits")
        TOURNAMENT = kind.Category.TOURNAMENT.value, pgettext_lazy("matches", "Tournaments")
        FRIENDLY = kind.Category.FRIENDLY.value, pgettext_lazy("matches", "Friendly")
        TRAINING = kind.Category.TRAINING.value, pgettext_lazy("matches", "Training")

    class Against(models.TextChoices):
        MEMBER = "member", pgettext_lazy("opponents", "Members")
        GUEST = "guest", pgettext_lazy("opponents", "Guests")
        COMPUTER = "computer", pgettext_lazy("opponents", "The computer")

    class Result(models.TextChoices):
        WON = "won", pgettext_lazy("matches", "Won")
        LOST = "lost", pgettext_lazy("matches", "Lost")
        DRAWN = "drawn", pgettext_lazy("matches", "Drawn")
        VOID = "void", pgettext_lazy("matches", "Not counted")

    seat = models.OneToOneField(Seat, on_delete=models.CASCADE, related_name="played")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="played", db_index=False
    )
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="played")
    finished_at = models.DateTimeField()
    variant = models.CharField(max_length=8, choices=VARIANTS)
    category = models.CharField(max_length=10, choices=Category)
    against = models.CharField(max_length=8, choices=Against)
    level = models.SlugField(max_length=32, blank=True, default="", db_index=False)
    opponent = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True, blank=True,
        db_index=False,
    )  # fmt: skip
    is_public = models.BooleanField()
    result = models.CharField(max_length=5, choices=Result)
    length = models.PositiveSmallIntegerField()
    own_score = models.PositiveSmallIntegerField()
    other_score = models.PositiveSmallIntegerField()
    games_won = models.PositiveSmallIntegerField()
    games_lost = models.PositiveSmallIntegerField()
    mars_won = models.PositiveSmallIntegerField()
    mars_lost = models.PositiveSmallIntegerField()
    rolls = models.PositiveIntegerField()
    doublets = models.PositiveIntegerField()
    pips = models.PositiveIntegerField()
    all_rolls = models.PositiveIntegerField()
    net_credits = models.BigIntegerField()
    fee_credits = models.PositiveBigIntegerField()

    class Meta:
        verbose_name = _("played match")
        verbose_name_plural = _("played matches")
        ordering = ["-finished_at", "-id"]
        indexes = [
            models.Index(fields=["user", "-finished_at", "-id"], name="stats_played_page"),
            models.Index(
                fields=["user", "opponent", "-finished_at", "-id"],
                name="stats_played_opponent",
                condition=Q(opponent__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.match_id} {self.result}"

    @property
    def is_void(self) -> bool:
        return self.result == self.Result.VOID


class ReviewedSeat(models.Model):
    """A member's errors and luck in a reviewed match, or a seat that waits for the worker.

    The row is written in the transaction that ends the review or that gives a guest's seat to the
    member; a rebuild adds missing rows. `loss` is the equity lost by the `decisions` that count.
    `luck` is the member's luck less the opponent's. Both are in points normalized to the cube.
    """

    seat = models.OneToOneField(Seat, on_delete=models.CASCADE, related_name="reviewed")
    review = models.ForeignKey(Review, on_delete=models.CASCADE, related_name="reviewed_seats")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="reviewed", db_index=False
    )
    variant = models.CharField(max_length=8, choices=VARIANTS)
    finished_at = models.DateTimeField()
    reviewed_at = models.DateTimeField()
    is_counted = models.BooleanField(default=False)
    decisions = models.PositiveIntegerField(default=0)
    loss = models.FloatField(default=0.0)
    luck = models.FloatField(default=0.0)

    class Meta:
        verbose_name = _("reviewed match")
        verbose_name_plural = _("reviewed matches")
        indexes = [
            models.Index(fields=["user", "variant", "finished_at"], name="stats_reviewed_months"),
            models.Index(
                fields=["reviewed_at", "id"],
                name="stats_reviewed_waiting",
                condition=Q(is_counted=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.review_id}"


class SharedRecap(models.Model):
    """A member's choice to show a year's recap to everyone who knows its URL."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="shared_recaps"
    )
    year = models.PositiveSmallIntegerField()
    token = models.CharField(max_length=24, unique=True)
    shows_credits = models.BooleanField(default=False)
    shared_at = models.DateTimeField()

    class Meta:
        verbose_name = _("shared recap")
        verbose_name_plural = _("shared recaps")
        constraints = [
            models.UniqueConstraint(fields=["user", "year"], name="stats_sharedrecap_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.year}"
