"""Guests' matches: given to the member whom a guest becomes, or deleted when long unused."""

from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.contrib.auth import SESSION_KEY as SIGNED_IN
from django.contrib.sessions.models import Session
from django.db import DEFAULT_DB_ALIAS
from django.db.models import Exists, Max, OuterRef, Q

from accounts.members.guests import KEY
from accounts.models import User
from accounts.sessions.services import BRIEF_SESSION
from accounts.shared.transactions import announce_after_commit, write_transaction
from chat.services import messages
from games import broadcast
from games.models import (
    Action,
    Game,
    Interruption,
    Match,
    RematchOffer,
    Review,
    Seat,
    StoredForm,
)
from games.services import chat
from games.signals import seats_adopted

# Matches that one query looks at, and that one transaction deletes.
BATCH = 200
# Sessions read at once.
SESSIONS_BATCH = 1000


def adopt(guest: UUID, user_id: int) -> int:
    """Give a guest's seats to a member and return how many; a guest becomes one member only.

    No log names a guest, so running matches continue: the player, now signed in, has the same seat.
    A seat opposite the member stays the guest's: nobody plays against themselves. The guest's open
    tables close after the commit, and release the seats that they hold.
    """
    with write_transaction():
        if _is_of_another(guest, user_id):
            return 0
        # Lock order: matches by ascending id, then their seats.
        of_guest = Match.objects.filter(seats__guest=guest).order_by("pk")
        own = Seat.objects.filter(user=user_id).values("match")
        adoptable = of_guest.exclude(pk__in=own)
        matches = list(adoptable.select_for_update(no_key=True, of=("self",)))
        messages.adopt(guest, user_id)
        seats = Seat.objects.filter(match__in=matches, guest=guest)
        adopted = seats.update(user_id=user_id, guest=None, guest_name="")
        seats_adopted.send(Seat, match_ids=[match.pk for match in matches])
        public_ids = [match.public_id for match in matches]
        announce_after_commit(lambda: broadcast.seats_adopted(public_ids))
        return adopted


def forget_guests(before: datetime, unplayed_before: datetime) -> int:
    """Delete guests' matches with no member, untouched since `before`; return how many.

    A match without a play is deleted if it was not touched since `unplayed_before`.

    No other code deletes from a log, and this function deletes only whole matches. Its queries and
    transactions are small, so that players do not wait and no query exceeds the database's time
    limit. A match that another transaction has locked is in use and stays.
    """
    guests = Seat.objects.filter(guest__isnull=False).order_by("match_id")
    ids = list(guests.values_list("match_id", flat=True).distinct())
    count = 0
    for start in range(0, len(ids), BATCH):
        batch = _forgettable(ids[start : start + BATCH], before, unplayed_before)
        if batch:
            count += _delete(batch, before, unplayed_before)
    return count


def _delete(found: list[int], before: datetime, unplayed_before: datetime) -> int:
    """Delete those of the matches found that are still forgettable under their row locks."""
    with write_transaction():
        rows = Match.objects.select_for_update(skip_locked=True).filter(pk__in=found)
        locked = list(rows.order_by("pk").values_list("pk", flat=True))
        match_ids = _forgettable(locked, before, unplayed_before)
        public_ids = Match.objects.filter(pk__in=match_ids).values_list("public_id", flat=True)
        chat.forget(list(public_ids))
        Action.objects.filter(match__in=match_ids)._raw_delete(DEFAULT_DB_ALIAS)
        Review.objects.filter(match__in=match_ids).delete()
        StoredForm.objects.filter(match__in=match_ids).delete()
        Interruption.objects.filter(match__in=match_ids).delete()
        RematchOffer.objects.filter(match__in=match_ids).delete()
        Match.objects.filter(rematch_of__in=match_ids).update(rematch_of=None)
        Game.objects.filter(match__in=match_ids).delete()
        Seat.objects.filter(match__in=match_ids).delete()
        Match.objects.filter(pk__in=match_ids).delete()
    return len(match_ids)


def _is_of_another(guest: UUID, user_id: int) -> bool:
    """Return whether the guest belongs to another member: two people may sign up in one browser."""
    members = User.objects.filter(guest=guest, activated_at__isnull=False)
    first = members.order_by("activated_at", "pk").values_list("pk", flat=True).first()
    return first is not None and first != user_id


def forget_idle_sessions(now: datetime) -> int:
    """Delete sessions of guests without a match, unwritten for `BRIEF_SESSION`; return how many."""
    # Each write moves the end of a session to SESSION_COOKIE_AGE later.
    expire_before = now + timedelta(seconds=settings.SESSION_COOKIE_AGE) - BRIEF_SESSION
    count, last = 0, ""
    while True:
        unwritten = Session.objects.filter(expire_date__lt=expire_before, session_key__gt=last)
        batch = list(unwritten.order_by("session_key")[:SESSIONS_BATCH])
        if not batch:
            return count
        last = batch[-1].session_key
        # A session written after this reading is in use again: its guest may have begun a match.
        idle = unwritten.filter(session_key__in=_idle_of(batch))
        count += idle.delete()[0]


def _idle_of(sessions: list[Session]) -> list[str]:
    """Return the keys of the sessions of guests without a match."""
    found = {each.session_key: each.get_decoded() for each in sessions}
    of_guests = {
        key: UUID(data[KEY]) for key, data in found.items() if KEY in data and SIGNED_IN not in data
    }
    seats = Seat.objects.filter(guest__in=set(of_guests.values()))
    playing = set(seats.values_list("guest", flat=True))
    return [key for key, guest in of_guests.items() if guest not in playing]


def _forgettable(match_ids: list[int], before: datetime, unplayed_before: datetime) -> list[int]:
    """Return those of the guests' matches that `forget_guests` deletes."""
    of_guests = Match.objects.filter(pk__in=match_ids)
    of_guests = of_guests.exclude(seats__user__isnull=False)  # a member's record stays
    # A subquery, since a join would multiply the rows from which `last_at` is computed.
    plays = Action.objects.filter(match=OuterRef("pk"), verb="play")
    untouched = of_guests.annotate(last_at=Max("actions__created_at")).filter(
        Q(last_at__lt=before) | Q(~Exists(plays), last_at__lt=unplayed_before)
    )
    return list(untouched.order_by("pk").values_list("pk", flat=True))
