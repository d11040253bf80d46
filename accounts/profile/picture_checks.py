"""Keep uploaded avatars, or take them away and tell the member why."""

from datetime import datetime
from functools import partial

from django.db import transaction

from accounts import broadcast
from accounts.mail import member_emails
from accounts.models import Picture, Profile, User
from accounts.people.locks import lock_unclosed
from accounts.profile import avatars
from accounts.shared.transactions import write_transaction


def keep(picture: Picture, staff: User, now: datetime) -> bool:
    """Take a picture out of the queue; return False if it was checked already or is deleted."""
    with write_transaction():
        waiting = Picture.objects.filter(pk=picture.pk, checked_at__isnull=True)
        return bool(waiting.update(checked_at=now, checked_by=staff))


def take_away(picture: Picture, staff: User, reason: str, now: datetime) -> bool:
    """Delete the picture's file, show the ready-made avatar, write the reason to the member.

    Return False for a picture that the member no longer shows.
    """
    with write_transaction():
        lock_unclosed(picture.user_id)  # first, as closing an account does
        profile = Profile.objects.select_for_update().get(user_id=picture.user_id)
        shown = Picture.objects.filter(pk=picture.pk, taken_at__isnull=True)
        if not shown.update(
            checked_at=now, checked_by=staff, taken_at=now, reason=reason, file="", seen_at=None
        ):
            return False
        avatars.forget_upload(profile)
        Profile.objects.filter(pk=profile.pk).update(avatar_file="")
        member_emails.write(profile.user_id, "picture_taken", {"reason": reason})
        transaction.on_commit(partial(broadcast.nudge, profile.user_id, "profile"))
        return True


def find_unseen(user_id: int) -> Picture | None:
    """Return the last picture whose removal the member has not acknowledged."""
    taken = Picture.objects.filter(user_id=user_id, taken_at__isnull=False, seen_at__isnull=True)
    return taken.order_by("-taken_at").first()


def note_seen(user_id: int, now: datetime) -> None:
    with write_transaction():
        Picture.objects.filter(user_id=user_id, taken_at__isnull=False).update(seen_at=now)
