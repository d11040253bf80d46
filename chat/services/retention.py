"""Delete reports long after they were closed, with the silences to which they led."""

from datetime import datetime

from django.db.models import Q

from accounts.shared.transactions import write_transaction
from chat.models import PlayerReport, Report, Silence


def forget_reports(before: datetime) -> int:
    """Delete the reports closed before a time; return their number.

    Keep a report whose silence ends, or whose appeal was answered, after that time, and one whose
    appeal has no answer yet.
    """
    over = Q(until__lt=before) & (Q(appealed_at__isnull=True) | Q(answered_at__lt=before))
    with write_transaction():
        closed = Report.objects.filter(closed_at__lt=before)
        waiting = Silence.objects.exclude(over)
        ids = closed.exclude(silence__in=waiting).values_list("pk", flat=True)
        reports = Report.objects.filter(pk__in=list(ids))
        Silence.objects.filter(report__in=reports).delete()
        count: int = reports.delete()[0]
        players: int = PlayerReport.objects.filter(closed_at__lt=before).delete()[0]
    return count + players
