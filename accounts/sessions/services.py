"""Record where a user is signed in, and end sessions.

A session is Django's row, allauth's `UserSession` (which device, since when), the sockets that it
opened and the pushes to its browser; all end together.
"""

from datetime import datetime, timedelta

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef

from accounts import broadcast
from accounts.models import PushSubscription
from accounts.people.locks import lock_unclosed
from accounts.shared.transactions import write_transaction

# Least time before the last use of a session is written again.
SEEN_EVERY = timedelta(minutes=5)
LONGEST_USER_AGENT = 200  # characters
# A session that is used when this much of its life is over lives for the whole time again.
RENEWED_AFTER = timedelta(days=10)
# Life of a session that holds neither a member nor a guest with a match: as long as an activation
# link works.
BRIEF_SESSION = timedelta(days=3)
# Most sessions of one member; one more ends the session unused for longest.
MAX_SESSIONS = 50
BATCH = 500  # ended sessions whose devices, or pushes, one transaction deletes


def note(session_key: str, user_id: int, address: str, user_agent: str, now: datetime) -> None:
    """Record a session's device and time, at most every 5 minutes; nothing of a closed account."""
    mine = UserSession.objects.filter(session_key=session_key)
    seen_at = mine.values_list("last_seen_at", flat=True).first()
    # Read first: a read does not occupy SQLite's only writer.
    if seen_at is not None and now - seen_at < SEEN_EVERY:
        return
    what = {"last_seen_at": now, "ip": address, "user_agent": user_agent[:LONGEST_USER_AGENT]}
    with write_transaction():
        # Only a new row needs the member's lock: closing an account deletes a row that exists.
        if not mine.update(**what) and lock_unclosed(user_id):
            new = UserSession(session_key=session_key, user_id=user_id, created_at=now, **what)
            UserSession.objects.bulk_create([new], ignore_conflicts=True)
            _end_oldest(user_id)


def renew(session_key: str, now: datetime) -> bool:
    """Let the session live for the whole time again if `RENEWED_AFTER` of its life is over.

    Return whether it did. The content is not written: another request may be changing it.
    """
    end = now + timedelta(seconds=settings.SESSION_COOKIE_AGE)
    ageing = Session.objects.filter(session_key=session_key, expire_date__lt=end - RENEWED_AFTER)
    return ageing.exists() and ageing.update(expire_date=end) > 0


def _end_oldest(user_id: int) -> None:
    theirs = UserSession.objects.filter(user_id=user_id).order_by("-last_seen_at", "-pk")
    for key in list(theirs.values_list("session_key", flat=True)[MAX_SESSIONS:]):
        end(key)


def lock(session_key: str) -> bool:
    """Lock a session, so that it cannot be ended; return whether it still exists.

    The caller must have locked the member of the session.
    """
    row = Session.objects.select_for_update(no_key=True).filter(session_key=session_key)
    return row.values_list("pk", flat=True).first() is not None


def forget_ended() -> int:
    """Delete the devices and the push subscriptions of sessions that no longer exist.

    Return the number of devices.
    """
    # PostgreSQL runs NOT EXISTS as a join; for a long NOT IN it compares each row with each key.
    alive = Session.objects.filter(session_key=OuterRef("session_key"))
    ended = UserSession.objects.filter(~Exists(alive))
    keys = list(ended.values_list("session_key", flat=True))
    for start in range(0, len(keys), BATCH):
        with write_transaction():
            _forget(keys[start : start + BATCH])
    _forget_pushes()
    return len(keys)


def _forget_pushes() -> None:
    """Delete the push subscriptions of ended sessions, even of those without a noted device."""
    ended = set(PushSubscription.objects.values_list("session", flat=True))
    if not ended:
        return
    # Read the sessions after the subscriptions, so that a subscription made meanwhile is kept.
    # Compare them here and not in the database, since a subscription stores a hash of the key.
    for key in Session.objects.values_list("session_key", flat=True).iterator():
        ended.discard(broadcast.session_group(key))
    groups = sorted(ended)
    for start in range(0, len(groups), BATCH):
        with write_transaction():
            PushSubscription.objects.filter(session__in=groups[start : start + BATCH]).delete()


def end(session_key: str) -> None:
    """Sign one session out."""
    with write_transaction():
        _forget([session_key])
        transaction.on_commit(lambda: broadcast.close_session(session_key))


def end_all(user_id: int, except_key: str | None = None) -> None:
    """Sign a user out everywhere except in the session of `except_key`."""
    with write_transaction():
        theirs = UserSession.objects.filter(user_id=user_id).exclude(session_key=except_key or "")
        keys = list(theirs.values_list("session_key", flat=True))
        _forget(keys)
        kept = broadcast.session_group(except_key) if except_key else ""
        PushSubscription.objects.filter(user_id=user_id).exclude(session=kept).delete()
        if except_key is None:
            transaction.on_commit(lambda: broadcast.close_user(user_id))
        else:
            transaction.on_commit(lambda: _close(keys))


def _forget(keys: list[str]) -> None:
    Session.objects.filter(session_key__in=keys).delete()
    UserSession.objects.filter(session_key__in=keys).delete()
    # Another person may use the browser next: they must not get the member's notices.
    groups = [broadcast.session_group(key) for key in keys]
    PushSubscription.objects.filter(session__in=groups).delete()


def _close(keys: list[str]) -> None:
    for key in keys:
        broadcast.close_session(key)
