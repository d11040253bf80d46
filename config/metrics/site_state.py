"""The state of the whole site, read from its database whenever Prometheus asks.

Every process with a worker answers alike, so take the maximum over them, not the sum.
"""

import logging
from collections.abc import Callable, Iterable
from datetime import datetime

from django.db import close_old_connections, connection
from django.db.models import Count, Min, Sum
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from accounts.mail.sender import EMAILS
from accounts.models import OutgoingEmail, PushDelivery
from accounts.notices.delivery import PUSHES
from accounts.shared.database_clock import CLOCK
from config.background import deadlines, nightly
from config.models import NightlyRun
from games.models import Heartbeat, Match, Review
from games.selectors import overdue
from games.services import heartbeat
from shop.models import LedgerCount, Payment
from shop.payments.facts import TOP_UPS
from wallet.models import Hold

logger = logging.getLogger(__name__)


class SiteState(Collector):
    """While the database does not answer, collects only `gammon_state_readable 0`."""

    def describe(self) -> Iterable[GaugeMetricFamily]:
        """Describe nothing in advance: without this the registry would read the database."""
        return ()

    def collect(self) -> Iterable[GaugeMetricFamily]:
        is_readable = GaugeMetricFamily("gammon_state_readable", "1 if the database answered")
        found: list[GaugeMetricFamily] = []
        try:
            now = CLOCK.read()
            found = [read(now) for read in READERS]
        except Exception:
            logger.exception("state of the site not read")
        finally:
            if not connection.in_atomic_block:  # in a test the connection is the test's own
                close_old_connections()
        is_readable.add_metric([], float(bool(found)))
        return [is_readable, *found]


def _gauge(name: str, text: str, label: str, values: dict[str, float]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"gammon_{name}", text, labels=[label])
    for value, figure in values.items():
        family.add_metric([value], figure)
    return family


def open_matches(now: datetime) -> GaugeMetricFamily:
    rows = Match.objects.filter(finished_at=None).order_by().values_list("kind")
    counts = dict(rows.annotate(count=Count("pk")))
    return _gauge("open_matches", "Matches that have not ended", "kind", counts)


def late_rows(now: datetime) -> GaugeMetricFamily:
    """Return how late the first row of each kind of work is; a leased row is not due yet."""
    firsts = deadlines.read() | _firsts_beside_the_loop()
    late = {kind: max(0.0, (now - at).total_seconds()) for kind, at in firsts.items()}
    return _gauge("work_late_seconds", "Lateness of the first work that is due", "kind", late)


def _firsts_beside_the_loop() -> dict[str, datetime]:
    """Return the first deadline of emails, pushes and top-ups, which have their own threads."""
    found = {
        EMAILS: OutgoingEmail.objects.aggregate(at=Min("due_at"))["at"],
        PUSHES: PushDelivery.objects.aggregate(at=Min("due_at"))["at"],
        TOP_UPS: Payment.objects.aggregate(at=Min("check_at"))["at"],
    }
    return {kind: at for kind, at in found.items() if at is not None}


def queues(now: datetime) -> GaugeMetricFamily:
    waiting = {
        "bots": Match.objects.filter(awaits_bot=True, wake_at__lte=now),
        "emails": OutgoingEmail.objects.filter(due_at__isnull=False),
        "pushes": PushDelivery.objects.filter(due_at__isnull=False),
        "reviews": Review.objects.filter(state__in=Review.OPEN),
        "overdue matches": overdue(Match.objects.all(), now),
    }
    counts: dict[str, float] = {name: rows.count() for name, rows in waiting.items()}
    return _gauge("queue", "Rows that wait for a worker", "queue", counts)


def holds(now: datetime) -> GaugeMetricFamily:
    open_holds = Hold.objects.filter(state=Hold.State.OPEN)
    sums = open_holds.aggregate(number=Count("pk"), credits=Sum("amount_credits"))
    values = {name: float(value or 0) for name, value in sums.items()}
    return _gauge("holds", "Open holds: their number, and the sum of their credits", "of", values)


def ledger(now: datetime) -> GaugeMetricFamily:
    last = LedgerCount.objects.order_by("-at").first()
    if last is None:
        return _gauge("ledger", "The last check of the ledger", "of", {})
    values = {
        "age_seconds": (now - last.at).total_seconds(),
        "differences": float(last.differences),
        "agrees": float(last.is_balanced),
    }
    return _gauge("ledger", "The last check of the ledger", "of", values)


def heartbeats(now: datetime) -> GaugeMetricFamily:
    kinds = (heartbeat.WEB, heartbeat.WORKER)
    rows = Heartbeat.objects.filter(name__in=kinds).values_list("name", "beat_at")
    ages = {name: (now - at).total_seconds() for name, at in rows}
    return _gauge("heartbeat_age_seconds", "Time since the last heartbeat", "process", ages)


def nightly_runs(now: datetime) -> GaugeMetricFamily:
    ends = NightlyRun.objects.filter(ended_at__isnull=False, is_well=True)
    ages = {run.command: (now - run.began_at).total_seconds() for run in ends}
    text = "Time since a nightly command last began, if it succeeded"
    return _gauge("nightly_age_seconds", text, "command", ages)


def troubled_commands(now: datetime) -> GaugeMetricFamily:
    count: dict[str, float] = {"troubled": nightly.troubled(now).count()}
    text = "Nightly commands that failed or did not run"
    return _gauge("nightly_commands", text, "of", count)


Reader = Callable[[datetime], GaugeMetricFamily]
READERS: tuple[Reader, ...] = (
    open_matches, late_rows, queues, holds, ledger, heartbeats, nightly_runs, troubled_commands,
)  # fmt: skip
