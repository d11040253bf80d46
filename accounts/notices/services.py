"""Notify absent members of events: ask their open pages first, then send.

A notice is written in the transaction of its event. First the member's open pages are asked
(`accounts/broadcast.py`): a page that answers in time makes the notice SEEN. Otherwise the worker
hands the notice over to the devices (`delivery.py`) and emails that the member chose. Every step is
a conditional change of one locked row, so a notice is handed over once by any number of workers.
"""

import logging
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from django.db import connection
from django.db.models import QuerySet
from django.urls import reverse

from accounts import broadcast
from accounts.models import (
    EmailWish,
    Notice,
    NoticeKind,
    PushDelivery,
    PushSubscription,
    User,
)
from accounts.notices import emails
from accounts.notices.conditions import is_still_true
from accounts.notices.delivery import PUSHES
from accounts.notices.vapid import is_push_on
from accounts.shared import deadlines
from accounts.shared.transactions import announce_after_commit, write_transaction

logger = logging.getLogger(__name__)

# The kind of the deadlines of notices, as the worker's loop knows it.
NOTICES = "notices"
# Time in which an open page answers that the member is here.
ANSWER_TIME = timedelta(seconds=3)
# Most notices of one kind that a member gets in an hour; more are dropped.
MOST_IN_AN_HOUR = 10
# Most rows settled in one call.
BATCH = 50
RETRIES = deadlines.Retries(logger, "notice not settled", "notice")
PENDING = (Notice.State.WAITING, Notice.State.ASKED)


@dataclass(frozen=True, slots=True)
class Event:
    """An event, and the page where the member acts on it.

    `page` is the name of that page's URL, `of` the public id in that URL, or "" if it has none. A
    member gets one notice of a kind for each `key`; an empty key stands for `of`. `happens_at` is
    the moment that the text names.
    """

    kind: NoticeKind
    page: str
    of: str
    expires_at: datetime
    key: str = ""
    happens_at: datetime | None = None


def tell(user_id: int, event: Event, now: datetime) -> None:
    """Notify a member of an event at once if they are away. Idempotent.

    Runs in the caller's transaction. Writes nothing if the member wants no such notice.
    """
    if not wanting([user_id], event.kind):
        return
    notice = _new(user_id, event, now, due_at=now + ANSWER_TIME)
    notice.state = Notice.State.ASKED
    Notice.objects.bulk_create([notice], ignore_conflicts=True)
    _ask(notice)


def is_told(user_id: int, event: Event) -> bool:
    """Return whether the latest notice of the event's kind and page is sent or about to be."""
    path = reverse(event.page, args=[event.of])
    rows = Notice.objects.filter(user_id=user_id, kind=event.kind, path=path).order_by("-pk")
    latest = rows.values_list("state", flat=True).first()
    return latest in {*PENDING, Notice.State.SENT}


def wanting(user_ids: Collection[int], kind: NoticeKind) -> set[int]:
    """Return those of the members who want this kind of notice on a device or by email."""
    wishes = EmailWish.objects.filter(user_id__in=user_ids, kind=kind)
    by_email = set(wishes.values_list("user_id", flat=True))
    return by_email | {each.user_id for each in _devices(user_ids, kind)}


def plan(user_id: int, event: Event, at: datetime, now: datetime) -> None:
    """Notify a member of an event at the moment `at`; do nothing if it has passed already."""
    if at <= now:
        return
    Notice.objects.bulk_create([_new(user_id, event, now, due_at=at)], ignore_conflicts=True)
    deadlines.note(NOTICES, at)


def postpone(user_ids: Collection[int], event: Event, at: datetime, now: datetime) -> None:
    """Move the notices of a planned event to `at` for these members; delete those of all others.

    A member who got the notice already gets it again; a member without a notice gets one. If `at`
    has passed, the unsent notices are withdrawn.
    """
    key = event.key or event.of
    if at <= now:
        withdraw(event.kind, key)
        return
    found = Notice.objects.filter(kind=event.kind, key=key)
    PushDelivery.objects.filter(notice__in=found).delete()
    found.exclude(user_id__in=user_ids).delete()  # a member who comes back gets a new one
    found.filter(user_id__in=user_ids).update(
        state=Notice.State.WAITING,
        due_at=at,
        sent_at=None,
        happens_at=event.happens_at,
        expires_at=event.expires_at,
    )
    new = [_new(user_id, event, now, due_at=at) for user_id in sorted(user_ids)]
    Notice.objects.bulk_create(new, ignore_conflicts=True)
    deadlines.note(NOTICES, at)


def withdraw(kind: NoticeKind, key: str, user_ids: Collection[int] | None = None) -> None:
    """Delete the unsent notices of a canceled event, of these members or of all.

    A notice that was handed over to the devices stays, but no further device gets it.
    """
    found = Notice.objects.filter(kind=kind, key=key)
    if user_ids is not None:
        found = found.filter(user_id__in=user_ids)
    on_their_way = PushDelivery.objects.filter(notice__in=found, due_at__isnull=False)
    on_their_way.update(due_at=None)
    found.filter(state__in=PENDING).delete()


def arrive(user_id: int, page: str, of: str) -> None:
    """Cancel the notices and pushes that link to the page on which the member is now."""
    path = reverse(page, args=[of])
    found = Notice.objects.filter(user_id=user_id, path=path)
    if not found.exists():  # usually; a read costs less than the updates
        return
    found.filter(state__in=PENDING).update(state=Notice.State.SEEN, due_at=None)
    on_their_way = PushDelivery.objects.filter(notice__user_id=user_id, notice__path=path)
    on_their_way.filter(due_at__isnull=False).update(due_at=None)


def note_here(user_id: int, public_id: str) -> None:
    """Note that a page of the member answered, so that the notice is not sent."""
    asked = Notice.objects.filter(user_id=user_id, public_id=public_id, state=Notice.State.ASKED)
    # Read first: several pages answer, and a read does not occupy SQLite's only writer.
    if asked.exists():
        with write_transaction():
            asked.update(state=Notice.State.SEEN, due_at=None)


def waiting() -> QuerySet[Notice]:
    """Return the notices that are WAITING or ASKED, the first due first."""
    return Notice.objects.filter(due_at__isnull=False).order_by("due_at")


def settle_due(now: datetime) -> datetime | None:
    """Ask the pages about due notices, or send them; return when the next is due, or None."""
    due = waiting().filter(due_at__lte=now).exclude(pk__in=RETRIES.resting(now))
    ids = list(due.values_list("pk", flat=True)[:BATCH])
    RETRIES.settle(ids, partial(_settle, now=now), now)
    if len(ids) == BATCH:
        return now
    following = waiting().filter(due_at__gt=now).values_list("due_at", flat=True).first()
    return RETRIES.next_at(following, now)


def forget(before: datetime) -> int:
    """Delete settled notices written before a time; return their number."""
    with write_transaction():
        old = Notice.objects.filter(created_at__lt=before, due_at__isnull=True)
        ids = list(old.values_list("pk", flat=True))
        old.filter(pk__in=ids).delete()
    return len(ids)


def _settle(notice_id: int, now: datetime) -> None:
    """Ask the pages or send; lock first the member, as closing an account does, then the notice."""
    with write_transaction():
        members = User.objects.filter(notices__pk=notice_id)
        if members.select_for_update(no_key=True, of=("self",)).first() is None:
            return
        rows = waiting().filter(due_at__lte=now)
        if connection.features.has_select_for_update_skip_locked:
            rows = rows.select_for_update(skip_locked=True, of=("self",))
        notice = rows.filter(pk=notice_id).first()
        if notice is None:
            return
        if notice.expires_at <= now:
            _end(notice, Notice.State.DROPPED)
        elif notice.state == Notice.State.WAITING:
            notice.state, notice.due_at = Notice.State.ASKED, now + ANSWER_TIME
            notice.save(update_fields=["state", "due_at"])
            _ask(notice)
        else:
            _send(notice, now)


def _send(notice: Notice, now: datetime) -> None:
    user = User.objects.select_related("preferences").get(pk=notice.user_id)
    devices = _devices([user.pk], notice.kind)
    by_email = bool(user.email) and _wishes_email(user.pk, notice.kind)
    is_wanted = user.is_member and (devices or by_email) and is_still_true(notice, user, now)
    if not is_wanted or _is_too_much(notice, now):
        _end(notice, Notice.State.DROPPED)
        return
    rows = [PushDelivery(notice=notice, subscription=each, due_at=now) for each in devices]
    PushDelivery.objects.bulk_create(rows, ignore_conflicts=True)
    if rows:
        deadlines.note(PUSHES, now)
    if by_email:
        emails.write(user, notice)
    notice.sent_at = now
    _end(notice, Notice.State.SENT)


def _is_too_much(notice: Notice, now: datetime) -> bool:
    since = now - timedelta(hours=1)
    sent = Notice.objects.filter(user_id=notice.user_id, kind=notice.kind, sent_at__gt=since)
    return sent.count() >= MOST_IN_AN_HOUR


def _devices(user_ids: Collection[int], kind: str) -> list[PushSubscription]:
    """Return the devices on which these members want this kind of notice."""
    if not is_push_on():
        return []
    # SQLite cannot search a list in JSON; a member has few devices.
    found = PushSubscription.objects.filter(user_id__in=user_ids)
    return [each for each in found if kind in each.kinds]


def _wishes_email(user_id: int, kind: str) -> bool:
    return EmailWish.objects.filter(user_id=user_id, kind=kind).exists()


def _new(user_id: int, event: Event, now: datetime, due_at: datetime) -> Notice:
    return Notice(
        user_id=user_id,
        kind=event.kind,
        key=event.key or event.of,
        path=reverse(event.page, args=[event.of] if event.of else []),
        created_at=now,
        happens_at=event.happens_at,
        expires_at=event.expires_at,
        due_at=due_at,
    )


def _ask(notice: Notice) -> None:
    """Ask the member's open pages, after the commit, whether the member is here."""
    ask = partial(broadcast.nudge, notice.user_id, "notice", notice.public_id)
    announce_after_commit(ask)
    deadlines.note(NOTICES, notice.due_at)


def _end(notice: Notice, state: Notice.State) -> None:
    notice.state, notice.due_at = state, None
    notice.save(update_fields=["state", "due_at", "sent_at"])
