from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.match import Match


class Review(models.Model):
    """A review of a finished match: every decision and roll judged by the computer.

    `judgments` are keyed by the `seq` of the judged action. `at` is the last action worked on: the
    next worker continues after it. `total` counts the actions that may hold a decision or a roll,
    `done` those of them that the judge was asked about. `plies` is the judge's search depth,
    `judge` names its net (games/reviews/judge_info.py).

    `holder` and `leased_until` belong to the worker that has the lease: only that worker writes.
    `turn_at` is the place in the queue: when the review was queued, or last leased, or when an idle
    review is tried again. `asker` is the key of the person who requested the review, kept while it
    is open. It is `IDLE_ASKER` for a review that nobody requested: the site makes such a review for
    the member `for_member` while it has nothing else to do (games/reviews/idle.py).
    """

    class State(models.TextChoices):
        ASKED = "ASKED", _("Requested")
        RUNNING = "RUNNING", _("In progress")
        DONE = "DONE", _("Done")
        FAILED = "FAILED", _("Failed")

    OPEN = (State.ASKED, State.RUNNING)
    # Only one such review is open at a time, by the constraint on `asker`.
    IDLE_ASKER = "idle"

    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="review")
    state = models.CharField(max_length=8, choices=State, default=State.ASKED)
    asker = models.CharField(max_length=48, blank=True, default="")
    for_member = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
        db_index=False,
    )
    plies = models.PositiveSmallIntegerField()
    judge = models.JSONField(default=dict)
    judgments = models.JSONField(default=dict)
    at = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    holder = models.UUIDField(null=True, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    turn_at = models.DateTimeField()
    asked_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("review")
        verbose_name_plural = _("reviews")
        ordering = ["-asked_at"]
        indexes = [
            models.Index(
                fields=["turn_at"],
                name="games_review_queue",
                condition=Q(state__in=["ASKED", "RUNNING"]),
            ),
            models.Index(
                fields=["for_member", "asked_at"],
                name="games_review_idle",
                condition=Q(for_member__isnull=False),
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["asker"],
                name="games_review_one_at_a_time",
                condition=Q(state__in=["ASKED", "RUNNING"]),
            ),
            models.CheckConstraint(
                name="games_review_asker_while_open",
                condition=Q(state__in=["ASKED", "RUNNING"], finished_at__isnull=True) & ~Q(asker="")
                | Q(state__in=["DONE", "FAILED"], finished_at__isnull=False, asker=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} {self.state}"

    @property
    def is_idle(self) -> bool:
        """True while the review is open and nobody has requested it."""
        return self.asker == self.IDLE_ASKER

    @property
    def is_open(self) -> bool:
        return self.state in self.OPEN

    @property
    def is_done(self) -> bool:
        return self.state == self.State.DONE

    @property
    def may_be_requested(self) -> bool:
        """True if the review failed, or is made while the site is idle: a request takes it over."""
        return self.is_idle or self.state == self.State.FAILED
