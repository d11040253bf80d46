"""A tournament, and the schedule that announces one again and again."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import PUBLIC_ID_LENGTH, new_public_id
from tournaments import states
from tournaments.models.terms import Terms


class Schedule(Terms):
    """Announces a tournament of these terms daily, or weekly on `weekday`, at a local time.

    OFTEN, for demonstrations, has a start every ten minutes; each is announced once the previous
    tournament has begun.

    `next_at` is the start of the next tournament, to be announced at `announce_at`; both are None
    while the schedule is stopped. `time_zone` keeps the local time the same when clocks change.
    """

    class Repeats(models.TextChoices):
        DAILY = "DAILY", _("Every day")
        WEEKLY = "WEEKLY", _("Every week")
        OFTEN = "OFTEN", _("Every ten minutes")

    class Weekday(models.IntegerChoices):
        MONDAY = 0, _("Monday")
        TUESDAY = 1, _("Tuesday")
        WEDNESDAY = 2, _("Wednesday")
        THURSDAY = 3, _("Thursday")
        FRIDAY = 4, _("Friday")
        SATURDAY = 5, _("Saturday")
        SUNDAY = 6, _("Sunday")

    repeats = models.CharField(_("repeats"), max_length=6, choices=Repeats, default=Repeats.DAILY)
    weekday = models.PositiveSmallIntegerField(
        _("day of the week"), choices=Weekday, null=True, blank=True
    )
    local_time = models.TimeField(_("starts at (local time)"))
    time_zone = models.CharField(_("time zone"), max_length=64, default="Europe/Moscow")
    announce_before = models.PositiveSmallIntegerField(
        _("announced this many hours before"), default=24
    )
    next_at = models.DateTimeField(null=True, blank=True)
    announce_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("schedule")
        verbose_name_plural = _("schedules")
        ordering = ["name", "pk"]
        constraints = [
            *Terms.constraints_of("tournaments_schedule"),
            models.CheckConstraint(
                name="tournaments_schedule_weekday",
                condition=Q(repeats="WEEKLY", weekday__range=(0, 6))
                | Q(repeats__in=["DAILY", "OFTEN"], weekday__isnull=True),
            ),
            models.CheckConstraint(
                name="tournaments_schedule_announces",
                condition=Q(announce_before__range=(1, 168)),  # hours: a week at most
            ),
            models.CheckConstraint(
                name="tournaments_schedule_next",
                condition=Q(next_at__isnull=True, announce_at__isnull=True)
                | Q(next_at__isnull=False, announce_at__lte=F("next_at")),
            ),
        ]
        indexes = [
            models.Index(
                fields=["announce_at"],
                name="tournaments_schedule_due",
                condition=Q(announce_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Tournament(Terms):
    """One tournament, from its announcement, or a member's proposal of it, to its payout.

    `state` changes only along `states.TRANSITIONS`. A start, a withdrawal and the end of a round
    are decided under this row's lock. `commitment` is the hash of the draw's secret, shown from the
    announcement on; `secret` is the secret in hex, empty until the draw. `entrant_ids` are the ids
    of the entrants who were drawn, in their order of entry.
    """

    class State(models.TextChoices):
        PROPOSED = states.PROPOSED, pgettext_lazy("tournament", "Proposed")
        REJECTED = states.REJECTED, pgettext_lazy("tournament", "Rejected")
        ANNOUNCED = states.ANNOUNCED, pgettext_lazy("tournament", "Announced")
        CANCELED = states.CANCELED, pgettext_lazy("tournament", "Canceled")
        RUNNING = states.RUNNING, pgettext_lazy("tournament", "In progress")
        FINISHED = states.FINISHED, pgettext_lazy("tournament", "Finished")
        VOID = states.VOID, pgettext_lazy("tournament", "Void")

    public_id = models.CharField(
        max_length=PUBLIC_ID_LENGTH, unique=True, default=new_public_id, editable=False
    )
    state = models.CharField(max_length=9, choices=State, default=State.ANNOUNCED)
    starts_at = models.DateTimeField(_("starts at"))
    extended_at = models.DateTimeField(null=True, blank=True)
    commitment = models.CharField(max_length=64)
    sealed_secret = models.BinaryField()
    secret = models.CharField(max_length=64, blank=True, default="")
    entrant_ids = models.JSONField(default=list)
    schedule = models.ForeignKey(
        Schedule, on_delete=models.SET_NULL, related_name="tournaments", null=True, blank=True
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        ordering = ["-starts_at", "-pk"]
        permissions = [("manage", "Can void, adjudicate, postpone and remove entrants")]
        constraints = [
            *Terms.constraints_of("tournaments_tournament"),
            models.UniqueConstraint(
                fields=["schedule", "starts_at"], name="tournaments_tournament_of_schedule"
            ),
            models.CheckConstraint(
                name="tournaments_tournament_times",
                condition=Q(
                    state__in=["PROPOSED", "ANNOUNCED"],
                    started_at__isnull=True,
                    finished_at__isnull=True,
                )
                | Q(
                    state__in=["REJECTED", "CANCELED"],
                    started_at__isnull=True,
                    finished_at__isnull=False,
                )
                | Q(state="RUNNING", started_at__isnull=False, finished_at__isnull=True)
                | Q(
                    state__in=["FINISHED", "VOID"],
                    started_at__isnull=False,
                    finished_at__gte=F("started_at"),
                ),
            ),
            models.CheckConstraint(
                name="tournaments_tournament_secret",
                condition=Q(started_at__isnull=True, secret="")
                | Q(started_at__isnull=False) & ~Q(secret=""),
            ),
        ]
        indexes = [
            models.Index(
                fields=["starts_at"],
                name="tournaments_tournament_waits",
                condition=Q(state="ANNOUNCED"),
            ),
            models.Index(fields=["state", "-starts_at"], name="tournaments_tournament_lists"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.public_id})"

    @property
    def reference(self) -> str:
        """Return the tournament's name in the ledger and in the commitments of members."""
        return f"tournament:{self.public_id}"

    @property
    def is_over(self) -> bool:
        return self.state in states.OVER
