"""Queries for members: profile, preferences, blocks, notes, friends, presence."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from accounts.models import Block, Friendship, Note, Preferences, Presence, Profile, User

# Longer than the time between two stored pings. A page in sight sends one every 20 seconds, a page
# hidden for some minutes only one a minute, since browsers slow its timers.
ONLINE_FOR = timedelta(seconds=90)
# Time for which a new friend request, and an accepted one, appears as an alert on every page.
ASKED_FOR = timedelta(minutes=10)
ACCEPTED_FOR = timedelta(minutes=2)
# Most requests that the alert counts; the page of friends shows at most twice as many.
MOST_REQUESTS = 100


def find_member(public_id: str) -> User | None:
    """Return a user who was ever activated, with the profile, even if banned or closed."""
    members = User.objects.filter(public_id=public_id, activated_at__isnull=False)
    return members.select_related("profile").first()


def preferences_of(user: User) -> Preferences:
    return Preferences.objects.get(user_id=user.pk)


def is_online(user: User, now: datetime) -> bool:
    """Return whether a page of the user was open within ONLINE_FOR.

    Others may see it only if the profile's `shows_online` is set.
    """
    return Presence.objects.filter(user_id=user.pk, seen_at__gt=now - ONLINE_FOR).exists()


def shows_online_to(viewer: User | None, profile: Profile, *, is_apart: bool = False) -> bool:
    """Return whether the viewer may see that the member is online.

    Staff always may; others if the member shows it and a block does not keep the two apart.
    """
    if viewer is not None and viewer.is_staff:
        return True
    return profile.shows_online and not is_apart


def blocks(owner_id: int, blocked_id: int) -> bool:
    return Block.objects.filter(owner_id=owner_id, blocked_id=blocked_id).exists()


def either_blocks(user_id: int, other_id: int) -> bool:
    return bool(blockers_between(user_id, other_id))


def blockers_between(user_id: int, other_id: int) -> set[int]:
    """Return the ids of those of the two who block the other."""
    either = Q(owner_id=user_id, blocked_id=other_id) | Q(owner_id=other_id, blocked_id=user_id)
    return set(Block.objects.filter(either).values_list("owner_id", flat=True))


def by_blocks(user_id: int, field: str = "pk") -> Q:
    """Return the condition that the row's `field` blocks the user or is blocked by the user."""
    blocked = Block.objects.filter(owner_id=user_id).values("blocked")
    blockers = Block.objects.filter(blocked_id=user_id).values("owner")
    return Q(**{f"{field}__in": blocked}) | Q(**{f"{field}__in": blockers})


def blocked_by(owner_id: int) -> QuerySet[User]:
    """Return the users that a member blocks, newest first."""
    members = User.objects.filter(blocked_by__owner_id=owner_id)
    return members.select_related("profile").order_by("-blocked_by__created_at")


def profile_of(user_id: int) -> Profile:
    return Profile.objects.select_related("user").get(user_id=user_id)


def note_on(owner_id: int, about_id: int) -> str:
    """Return the owner's note on a player; "" if there is none."""
    notes = Note.objects.filter(owner_id=owner_id, about_id=about_id)
    return notes.values_list("text", flat=True).first() or ""


def notes_of(owner: User) -> QuerySet[Note]:
    """Return the owner's notes and their players, the last written first."""
    return Note.objects.filter(owner=owner).select_related("about").order_by("-updated_at", "-pk")


def find_friendship(user_id: int, other_id: int) -> Friendship | None:
    """Return the row of the two, in any state."""
    first, second = sorted((user_id, other_id))
    return Friendship.objects.filter(first_id=first, second_id=second).first()


def by_friends(user_id: int, field: str = "pk") -> Q:
    """Return the condition that the row's `field` is a friend of the user."""
    friends = Friendship.objects.filter(state=Friendship.State.FRIENDS)
    seconds = friends.filter(first_id=user_id).values("second")
    firsts = friends.filter(second_id=user_id).values("first")
    return Q(**{f"{field}__in": seconds}) | Q(**{f"{field}__in": firsts})


def friends_of(user: User) -> QuerySet[User]:
    """Return the user's friends with their profiles, by login; banned and closed ones left out."""
    found = User.objects.filter(by_friends(user.pk), is_active=True, closed_at=None)
    return found.select_related("profile").order_by("username")


def friends_here(user: User, now: datetime) -> list[User]:
    """Return the user's friends who have a page open and let others see it."""
    found = friends_of(user).filter(profile__shows_online=True)
    return list(found.filter(presence__seen_at__gt=now - ONLINE_FOR))


def are_friends(one_id: int, other_id: int) -> bool:
    row = find_friendship(one_id, other_id)
    return row is not None and row.state == Friendship.State.FRIENDS


def friendship_with(user_id: int, other_id: int) -> str:
    """Return `friends`, `asked` if the user asked, `asks` if the other did, or ""."""
    row = find_friendship(user_id, other_id)
    if row is None or row.state == Friendship.State.CLOSED:
        return ""
    if row.state == Friendship.State.FRIENDS:
        return "friends"
    return "asked" if row.asker_id == user_id else "asks"


def friendships_of(user: User) -> QuerySet[Friendship]:
    """Return the user's friendships and requests in any state, the oldest first."""
    rows = Friendship.objects.filter(Q(first=user) | Q(second=user))
    return rows.select_related("first", "second").order_by("asked_at", "pk")


@dataclass(frozen=True, slots=True)
class FriendNews:
    """News for a member about friends.

    `waiting`: the number of requests to answer. `asking`: the members whose request is new enough
    for an alert. `accepted`: the members with whom a friendship has just begun, whichever of the
    two asked.
    """

    waiting: int
    asking: list[User]
    accepted: list[User]


def friend_news_of(user_id: int, now: datetime) -> FriendNews:
    asks = Q(state=Friendship.State.ASKED) & ~Q(asker_id=user_id)
    accepted = Q(state=Friendship.State.FRIENDS, accepted_at__gt=now - ACCEPTED_FOR)
    own = Q(first_id=user_id) | Q(second_id=user_id)
    if not Friendship.objects.filter(own, asks | accepted).exists():
        return FriendNews(0, [], [])
    waiting, asking, agreed = 0, [], []
    for row in _shown_friendships(user_id).filter(asks | accepted).order_by("-pk")[:MOST_REQUESTS]:
        other = _other_of(row, user_id)
        if row.state == Friendship.State.FRIENDS:
            agreed.append(other)
            continue
        waiting += 1
        if row.told_at > now - ASKED_FOR:
            asking.append(other)
    return FriendNews(waiting, asking, agreed)


def requests_of(user_id: int) -> tuple[list[User], list[User]]:
    """Return the members who ask the user, and those whom the user asks, the newest first."""
    rows = _shown_friendships(user_id).filter(state=Friendship.State.ASKED)
    found = list(rows.order_by("-asked_at", "-pk")[: 2 * MOST_REQUESTS])
    received = [_other_of(row, user_id) for row in found if row.asker_id != user_id]
    return received, [_other_of(row, user_id) for row in found if row.asker_id == user_id]


def _shown_friendships(user_id: int) -> QuerySet[Friendship]:
    """Return the user's rows with both profiles, except rows with a banned or closed account."""
    rows = Friendship.objects.filter(Q(first_id=user_id) | Q(second_id=user_id))
    rows = rows.filter(
        first__is_active=True, first__closed_at=None, second__is_active=True, second__closed_at=None
    )
    return rows.select_related("first__profile", "second__profile")


def _other_of(row: Friendship, user_id: int) -> User:
    return row.second if row.first_id == user_id else row.first
