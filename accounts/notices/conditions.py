"""Conditions for sending a planned notice, added by the apps that plan it.

Each app adds its own from `ready()`, since accounts imports none of the apps above it.
"""

from collections.abc import Callable
from datetime import datetime

from accounts.models import Notice, NoticeKind, User

Condition = Callable[[User, datetime], bool]

_conditions: dict[str, Condition] = {}


def add(kind: NoticeKind, condition: Condition) -> None:
    """Send notices of this kind only to members for whom the condition is true when sending."""
    _conditions[kind] = condition


def is_still_true(notice: Notice, user: User, now: datetime) -> bool:
    condition = _conditions.get(notice.kind)
    return condition is None or condition(user, now)
