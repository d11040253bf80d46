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
        # Locked, since a member may be reporting a message again, which reopens its report.
        closed = Report.objects.filter(closed_at__lt=before).select_for_update().order_by("pk")
        ids = list(closed.values_list("pk", flat=True))
        waiting = Silence.objects.exclude(over)
        reports = Report.objects.filter(pk__in=ids).exclude(silence__in=waiting)
        Silence.objects.filter(report__in=reports).delete()
        count: int = reports.delete()[0]
        players: int = PlayerReport.objects.filter(closed_at__lt=before).delete()[0]
    return count + players
