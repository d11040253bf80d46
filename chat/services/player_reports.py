"""Report a member to staff; close reports."""

from datetime import datetime, timedelta

from accounts.members import services as members
from accounts.models import User
from accounts.people.locks import lock_people
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from chat.models import PlayerReport
from chat.pace import need_pace

# Most reports about players by one member in a DAY.
DAILY, DAY = 20, timedelta(days=1)


def report(
    reporter: User, about: User, cause: str, text: str, room: str, now: datetime
) -> PlayerReport:
    """Store a report. While a report is open, sending it again only replaces its text.

    An empty text replaces nothing. Raises Refused: `oneself`, `not_member`, `too_fast` beyond
    DAILY in a DAY.
    """
    if reporter.pk == about.pk:
        raise Refused("oneself")
    if not reporter.is_member:
        raise Refused("not_member")
    with write_transaction():
        lock_people(reporter.pk)  # serializes counting and adding
        same = {"reporter": reporter, "about": about, "cause": cause, "room": room}
        found = PlayerReport.objects.filter(**same, closed_at__isnull=True).first()
        if found is not None:
            found.text = text or found.text
            found.save(update_fields=["text"])
            return found
        need_pace(PlayerReport.objects.filter(reporter=reporter), DAILY, now - DAY)
        return PlayerReport.objects.create(**same, text=text, created_at=now)


def close(report: PlayerReport, staff: User, now: datetime) -> bool:
    with write_transaction():
        waiting = PlayerReport.objects.filter(pk=report.pk, closed_at__isnull=True)
        return bool(waiting.update(closed_at=now, closed_by=staff))


def ban(report: PlayerReport, staff: User, now: datetime) -> bool:
    """Shut the member out of the site, and close every open report about them."""
    with write_transaction():
        done = members.ban(report.about_id)
        waiting = PlayerReport.objects.filter(about=report.about_id, closed_at__isnull=True)
        return bool(waiting.update(closed_at=now, closed_by=staff)) or done
