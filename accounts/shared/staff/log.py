"""Lines of the admin's log that services write; the admin writes those of its own pages."""

from datetime import datetime

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model

_LONGEST_NAME = 200  # characters: max_length of LogEntry.object_repr


def log_change(row: Model, by_id: int, message: str, now: datetime) -> None:
    LogEntry.objects.create(
        action_time=now,
        user_id=by_id,
        content_type=ContentType.objects.get_for_model(row),
        object_id=str(row.pk),
        object_repr=str(row)[:_LONGEST_NAME],
        action_flag=CHANGE,
        change_message=message,
    )
