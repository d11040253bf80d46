"""Lines of the log that a member of the staff may not see, since they are about themselves."""

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import CharField, QuerySet
from django.db.models.functions import Cast

from accounts.models import User
from chat.models import PlayerReport, Report
from stats.integrity.selectors import cases_with
from stats.models import CasePerson


def without_own(lines: QuerySet[LogEntry], reader: User) -> QuerySet[LogEntry]:
    """Leave out lines about reports on the reader and about cases that the reader is in.

    The lines of a deleted report still name the reader and the reporter, so they stay hidden. The
    lines of a deleted case are shown, since they do not say whom they are about.
    """
    for report in (Report, PlayerReport):
        kind = ContentType.objects.get_for_model(report)
        named = f" about {reader.username}"  # the end of `__str__` of both
        lines = lines.exclude(content_type=kind, object_repr__endswith=named)
    cases = cases_with(reader.pk)
    for rows in (
        Report.objects.filter(message__author=reader),
        PlayerReport.objects.filter(about=reader),
        cases,
        CasePerson.objects.filter(case__in=cases),
    ):
        kind = ContentType.objects.get_for_model(rows.model)
        ids = rows.order_by().annotate(written=Cast("pk", CharField())).values("written")
        lines = lines.exclude(content_type=kind, object_id__in=ids)
    return lines
