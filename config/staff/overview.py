"""The numbers on the admin's first page: work that waits for staff, and the state of the site."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import Picture, User
from chat import rooms
from chat.models import PlayerReport, Report, Silence, Ticket
from config.background import nightly
from config.health import worker_beats
from games.models import Interruption, Match
from games.selectors import overdue
from shop.models import LedgerCount, Payment
from stats.integrity.selectors import cases_with
from stats.models import Case, RatedMatch
from tournaments import states
from tournaments.models import Tournament
from wallet.models import Freeze, WaitingPayment


@dataclass(frozen=True, slots=True)
class Figure:
    """A number and a link to the list of what it counts, for staff with `permission`.

    Both the number and the list leave out rows about the reader that the reader may not see.
    """

    title: str | Promise
    permission: str
    path: str
    count: Callable[[User, datetime], int]


@dataclass(frozen=True, slots=True)
class Shown:
    title: str | Promise
    path: str
    number: int


WAITING = (
    Figure(
        _("Support requests without an answer"), "chat.view_ticket",
        "chat/ticket/?state__exact=WAITING",
        lambda reader, now: Ticket.objects.filter(state=Ticket.State.WAITING).count(),
    ),
    Figure(
        _("Reports about messages"), "chat.view_report", "chat/report/?state=open",
        lambda reader, now: (
            Report.objects.filter(closed_at=None)
            .exclude(message__author=reader)
            .exclude(message__room__in=rooms.closed_to(reader.pk))
            .count()
        ),
    ),
    Figure(
        _("Reports about players"), "chat.view_playerreport", "chat/playerreport/?state=open",
        lambda reader, now: (
            PlayerReport.objects.filter(closed_at=None).exclude(about=reader).count()
        ),
    ),
    Figure(
        _("Appeals"), "chat.view_silence", "chat/silence/?appeal=open",
        lambda reader, now: (
            Silence.objects.filter(appealed_at__isnull=False, answered_at=None).count()
        ),
    ),
    Figure(
        _("Open fair play cases"), "stats.view_case", "stats/case/?closed_at__isempty=1",
        lambda reader, now: (
            Case.objects.filter(closed_at=None).exclude(pk__in=cases_with(reader.pk)).count()
        ),
    ),
    Figure(
        _("Pictures to check"), "accounts.view_picture", "accounts/picture/?state=waiting",
        lambda reader, now: Picture.objects.filter(checked_at=None).count(),
    ),
    Figure(
        _("Matches interrupted by an outage"), "games.view_interruption",
        "games/interruption/?match__finished_at__isempty=1",
        lambda reader, now: Interruption.objects.filter(match__finished_at=None).count(),
    ),
    Figure(
        _("Proposed tournaments"), "tournaments.view_tournament",
        "tournaments/tournament/?state__exact=PROPOSED",
        lambda reader, now: Tournament.objects.filter(state=states.PROPOSED).count(),
    ),
    Figure(
        _("Payments in dispute"), "shop.view_payment", "shop/payment/?dispute__exact=OPEN",
        lambda reader, now: Payment.objects.filter(dispute=Payment.Dispute.OPEN).count(),
    ),
    Figure(
        _("Refunds that failed"), "shop.view_payment", "shop/payment/?refund_error__isempty=0",
        lambda reader, now: Payment.objects.exclude(refund_error="").count(),
    ),
)  # fmt: skip
AT_PLAY = (
    Figure(
        _("Matches in progress"), "games.view_match", "games/match/?finished_at__isempty=1",
        lambda reader, now: Match.objects.filter(finished_at=None).count(),
    ),
    Figure(
        _("Tournaments in progress"), "tournaments.view_tournament",
        "tournaments/tournament/?state__exact=RUNNING",
        lambda reader, now: Tournament.objects.filter(state=states.RUNNING).count(),
    ),
)  # fmt: skip
STUCK = (
    Figure(
        _("Matches the worker has not moved on"), "games.view_match", "games/match/?overdue=yes",
        lambda reader, now: overdue(Match.objects.all(), now).count(),
    ),
    Figure(
        _("Matches without a rating"), "stats.view_ratedmatch",
        "stats/ratedmatch/?place__isempty=1",
        lambda reader, now: RatedMatch.objects.filter(place=None).count(),
    ),
    Figure(
        _("Payments held back by a freeze"), "wallet.view_waitingpayment",
        "wallet/waitingpayment/?paid_at__isempty=1",
        lambda reader, now: WaitingPayment.objects.filter(paid_at=None).count(),
    ),
    Figure(
        _("Nightly commands that failed or did not run"), "config.view_nightlyrun",
        "config/nightlyrun/?troubled=yes", lambda reader, now: nightly.troubled(now).count(),
    ),
    Figure(
        _("Credit freezes in force"), "wallet.view_freeze",
        "wallet/freeze/?lifted_at__isempty=1",
        lambda reader, now: Freeze.objects.filter(lifted_at=None).count(),
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Overview:
    """The first page for a member of the staff.

    `count` is the last count of the ledger; None if they may not see it, or if there is none.
    """

    waiting: list[Shown]
    at_play: list[Shown]
    stuck: list[Shown]
    count: LedgerCount | None
    has_worker: bool


def overview_of(reader: User, now: datetime) -> Overview:
    may = reader.has_perm
    totals = LedgerCount.objects.order_by("-at").first() if may("shop.view_ledgercount") else None
    return Overview(
        waiting=_shown(WAITING, reader, now),
        at_play=_shown(AT_PLAY, reader, now),
        stuck=_shown(STUCK, reader, now),
        count=totals,
        has_worker=worker_beats(),
    )


def _shown(figures: tuple[Figure, ...], reader: User, now: datetime) -> list[Shown]:
    return [
        Shown(each.title, each.path, each.count(reader, now))
        for each in figures
        if reader.has_perm(each.permission)
    ]
