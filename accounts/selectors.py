"""Reads of members: profile, preferences, blocks, presence."""

from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from accounts.models import Block, Preferences, Presence, Profile, User

# Sockets ping every 20 seconds, so two lost pings are tolerated.
ONLINE_FOR = timedelta(seconds=60)


def find_member(public_id: str) -> User | None:
    """Return a user that was ever activated, with the profile; banned and closed ones too."""
    members = User.objects.filter(public_id=public_id, activated_at__isnull=False)
    return members.select_related("profile").first()


def preferences_of(user: User) -> Preferences:
    return Preferences.objects.get(user_id=user.pk)


def is_online(user: User, now: datetime) -> bool:
    """Return whether a page of the user was open within ONLINE_FOR.

    Others may see it only if the profile's `shows_online` is set.
    """
    return Presence.objects.filter(user_id=user.pk, seen_at__gt=now - ONLINE_FOR).exists()


def blocks(owner_id: int, blocked_id: int) -> bool:
    return Block.objects.filter(owner_id=owner_id, blocked_id=blocked_id).exists()


def either_blocks(user_id: int, other_id: int) -> bool:
    either = Q(owner_id=user_id, blocked_id=other_id) | Q(owner_id=other_id, blocked_id=user_id)
    return Block.objects.filter(either).exists()


def blocked_by(owner_id: int) -> QuerySet[User]:
    """Return the users that a member blocks, newest first."""
    members = User.objects.filter(blocked_by__owner_id=owner_id)
    return members.select_related("profile").order_by("-blocked_by__created_at")


def profile_of(user_id: int) -> Profile:
    return Profile.objects.select_related("user").get(user_id=user_id)
