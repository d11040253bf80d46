"""Records of newcomers: matches that count towards the end of their limits, and lessons."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.match import Match


class CountedMatch(models.Model):
    """A match that counts for a member (games/stakes/history.py).

    Only the first match against an `opponent` counts; every match against a bot does, and has no
    `opponent`.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="counted_matches"
    )
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="counted_for")
    opponent = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
    )
    counted_at = models.DateTimeField()

    class Meta:
        verbose_name = _("counted match")
        verbose_name_plural = _("counted matches")
        constraints = [
            models.UniqueConstraint(fields=["user", "match"], name="games_countedmatch_once"),
            models.UniqueConstraint(
                fields=["user", "opponent"],
                name="games_countedmatch_opponent_once",
                condition=Q(opponent__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.match_id}"


class LessonResult(models.Model):
    """An exercise that a member has answered; a guest's results are in the session.

    `stars`: 0 until it is solved at least in part, 3 at most.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="lesson_results"
    )
    variant = models.CharField(max_length=5)
    exercise = models.CharField(max_length=24)
    stars = models.PositiveSmallIntegerField(default=0)
    tries = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "variant", "exercise"], name="games_lessonresult_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.variant} {self.exercise}"
