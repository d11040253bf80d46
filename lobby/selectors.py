"""Queries of the lobby."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import (
    BooleanField,
    Case,
    Exists,
    ExpressionWrapper,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    When,
)

from accounts.models import Presence, User
from accounts.selectors import ONLINE_FOR, are_friends, blocks, by_blocks, by_friends, either_blocks
from games.conduct.back_off import REMEMBERED, has_to_wait
from games.conduct.record import suspension_of
from games.models import Match, Seat
from games.models.actor import Actor
from games.models.kind import Category, kinds_where
from games.selectors import find_staked_seat, has_live_stake
from lobby.models import AcceptedTerms, Invitation, Search, Seek, WishedGame
from lobby.terms import digest_of
from stats.models import Rating
from stats.rating import Standing
from stats.selectors import standings_of
from wallet.limits.guards import in_force

# States that end an announcement without its owner's action; pages report them for NEWS_FOR.
NEWS = (Seek.State.DECLINED, Seek.State.EXPIRED, Seek.State.REMOVED, Seek.State.BUSY)
NEWS_FOR = timedelta(minutes=2)
# Time for which pages show a game that was found for a wish, if it still waits.
TOLD_FOR = timedelta(minutes=30)
# Session key of the public id of the search that this browser shows.
SHOWN_SEARCH = "search"
# The alert leaves out older friendly matches: their players have given them up.
FRIENDLY_SHOWN_FOR = timedelta(days=1)
# Number of a member's newest matches among which the friendly one is searched: a limit, so that
# pages do not cost more for a member with thousands of matches.
NEWEST_MATCHES = 20
# Maximum number of rows of each kind of news that are read for one page.
MAX_NEWS = 20


def challenge_refusal(owner: User, person: User, now: datetime) -> str | None:
    """Return the refusal's code if the owner cannot challenge the person, else None.

    Codes: `oneself`; `not_member`, `blocked` and `paused`, which lie with the owner; `busy` for a
    match for credits of either; `unavailable` for all other reasons, which are not revealed.
    """
    if owner.pk == person.pk:
        return "oneself"
    if not owner.is_member:
        return "not_member"
    if blocks(owner.pk, person.pk):
        return "blocked"
    if suspension_of(owner.pk, now):
        return "paused"
    if not person.is_member or blocks(person.pk, owner.pk) or suspension_of(person.pk, now):
        return "unavailable"
    if in_force(now).filter(user=person).exists():
        return "unavailable"
    if _is_asking_too_soon(owner, person, now):
        return "unavailable"
    return "busy" if has_live_stake(owner.pk) or has_live_stake(person.pk) else None


def friendly_refusal(maker: User, person: User, now: datetime) -> str | None:
    """Return the refusal's code if the maker cannot challenge the person to a friendly match.

    Codes: `oneself`, `not_member`, `blocked`, `unavailable`; None if there is no reason. Unlike in
    `challenge_refusal`, matches for credits and suspensions from them do not matter.
    """
    if maker.pk == person.pk:
        return "oneself"
    if not maker.is_member:
        return "not_member"
    if blocks(maker.pk, person.pk):
        return "blocked"
    if not person.is_member or blocks(person.pk, maker.pk):
        return "unavailable"
    return "unavailable" if _is_asking_too_soon(maker, person, now) else None


def _is_asking_too_soon(owner: User, person: User, now: datetime) -> bool:
    """Return whether earlier challenges were declined so often that the owner has to wait."""
    staked = Seek.objects.filter(owner=owner, invited=person, state=Seek.State.DECLINED)
    friendly = Invitation.objects.filter(
        maker=owner, invited=person, state=Invitation.State.DECLINED
    )
    moments = [
        closed_at
        for declined in (staked, friendly)
        for closed_at in declined.filter(closed_at__gt=now - REMEMBERED).values_list(
            "closed_at", flat=True
        )
    ]
    return has_to_wait([moment for moment in moments if moment], now)


def open_seeks(viewer: User | None, now: datetime) -> QuerySet[Seek]:
    """Return the games of `visible_seeks` with their owners and the owners' ratings."""
    return with_ratings(visible_seeks(viewer, now).select_related("owner__profile"))


def visible_seeks(viewer: User | None, now: datetime) -> QuerySet[Seek]:
    """Return the announced games that the viewer may see, the newest first.

    Includes the viewer's own games, challenges to the viewer and games for friends. Leaves out
    games whose owner has blocked the viewer or is blocked by the viewer, and games for everyone or
    for friends whose owner is offline: those still wait, and are listed again once the owner is
    back.
    """
    waiting = Seek.objects.filter(state=Seek.State.OPEN, expires_at__gt=now)
    listed = Q(access=Seek.Access.OPEN)
    if viewer is None:
        return waiting.filter(listed, _by_present(now))
    listed |= Q(access=Seek.Access.FRIENDS) & by_friends(viewer.pk, "owner")
    seen = listed & _by_present(now) | Q(owner=viewer) | Q(invited=viewer)
    return waiting.filter(seen).exclude(by_blocks(viewer.pk, "owner"))


def may_see(seek: Seek, viewer: User | None) -> bool:
    """Return whether the viewer may see the game, apart from blocks; its two players always may.

    Only its two people may see a challenge, only friends of the owner a game for friends.
    """
    if seek.access in (Seek.Access.OPEN, Seek.Access.LINK):
        return True
    if viewer is None:
        return False
    if viewer.pk in (seek.owner_id, seek.invited_id):
        return True
    if seek.access == Seek.Access.PERSON:
        return False
    if seek.match is not None and seek.match.seats.filter(user=viewer).exists():
        return True
    return are_friends(seek.owner_id, viewer.pk)


def _by_present(now: datetime) -> Q:
    """Return the condition that a seek's owner is online; announcing just now counts as online."""
    since = now - ONLINE_FOR
    here = Presence.objects.filter(user=OuterRef("owner"), seen_at__gt=since)
    return Q(created_at__gt=since) | Q(Exists(here))


def members_here(viewer: User | None, now: datetime) -> QuerySet[User]:
    """Return the other members who have a page open and show that they are online.

    Leaves out members who block the viewer or whom the viewer blocks.
    """
    found = User.objects.filter(
        presence__seen_at__gt=now - ONLINE_FOR, profile__shows_online=True, closed_at=None
    )
    if viewer is not None:
        found = found.exclude(Q(pk=viewer.pk) | by_blocks(viewer.pk))
    return found.select_related("profile").order_by("username")


def with_ratings(seeks: QuerySet[Seek]) -> QuerySet[Seek]:
    """Annotate the owner's `rating` and `experience` in the seek's variant; None if unrated."""
    owners = Rating.objects.filter(user=OuterRef("owner"), variant=OuterRef("variant"))
    return seeks.annotate(
        rating=Subquery(owners.values("rating")), experience=Subquery(owners.values("experience"))
    )


def known_terms(viewer: User, seeks: Iterable[Seek]) -> set[int]:
    """Return the ids of the games that the member may join by one press.

    Empty unless the member has switched the page of terms off; then these are the games whose terms
    are those of a match that the member has begun before.
    """
    if not viewer.preferences.skips_known_terms:
        return set()
    digests = {seek.pk: digest_of(seek) for seek in seeks}
    accepted = AcceptedTerms.objects.filter(user=viewer, digest__in=set(digests.values()))
    known = set(accepted.values_list("digest", flat=True))
    return {pk for pk, digest in digests.items() if digest in known}


def open_seek_of(user: User) -> Seek | None:
    return Seek.objects.filter(owner=user, state=Seek.State.OPEN).first()


def shown_search(person: Actor, shown: str | None = None) -> Search | None:
    """Return the person's open search, else the one `shown` (a public id) that led to a match.

    The latter is returned only while that match goes on.
    """
    if person.user_id is not None:
        own = Search.objects.filter(user_id=person.user_id)
    elif person.guest is not None:
        own = Search.objects.filter(guest=person.guest)
    else:
        return None
    asked = own.filter(Q(state=Search.State.OPEN) | Q(public_id=shown or ""))
    if not asked.exists():
        return None
    is_open = Case(When(state=Search.State.OPEN, then=0), default=1)
    search = asked.select_related("seek__match", "match").order_by(is_open).first()
    if search is None or (search.is_waiting or search.found is not None):
        return search
    return None


def waiting_count(now: datetime) -> int:
    """Count the people who pressed "Play now" and wait."""
    waiting = Search.objects.filter(state=Search.State.OPEN, seen_at__gt=now - ONLINE_FOR)
    return waiting.count()


def bar_of(search: Search, now: datetime) -> dict[str, Any]:
    """Return the data of an open search for the bar over every page."""
    waited_s = max(0, int((now - search.created_at).total_seconds()))
    return {"search": search, "waited_s": waited_s, "others": max(0, waiting_count(now) - 1)}


def open_invitation_of(maker: Actor, now: datetime) -> Invitation | None:
    waiting = Invitation.objects.filter(state=Invitation.State.OPEN, expires_at__gt=now)
    if maker.user_id is not None:
        return waiting.filter(maker_id=maker.user_id).first()
    return waiting.filter(guest=maker.guest).first() if maker.guest else None


def is_blocked(invitation: Invitation, visitor: Actor) -> bool:
    """Return whether one of two members blocks the other; a guest blocks nobody."""
    if invitation.maker_id is None or visitor.user_id is None:
        return False
    return either_blocks(invitation.maker_id, visitor.user_id)


@dataclass(frozen=True, slots=True)
class FriendlyNews:
    """News of friendly challenges for one member.

    `challenges` wait for the member's answer. The other fields are about challenges that the member
    made: `made` is open, `ended` was declined or lapsed less than NEWS_FOR ago, `begun` is the
    match of one that was just accepted.
    """

    challenges: list[Invitation]
    made: Invitation | None = None
    ended: Invitation | None = None
    begun: Match | None = None


def friendly_news_of(user: User, now: datetime) -> FriendlyNews:
    recent = now - NEWS_FOR
    states = Invitation.State
    own = Q(state=states.OPEN, expires_at__gt=recent)
    own |= Q(state__in=[states.DECLINED, states.ACCEPTED], closed_at__gt=recent)
    theirs = Q(invited=user, state=states.OPEN, expires_at__gt=now)
    rows = Invitation.objects.filter(Q(maker=user, invited__isnull=False) & own | theirs)
    if not rows.exists():
        return FriendlyNews([])
    rows = rows.exclude(theirs & by_blocks(user.pk, "maker"))
    is_own = ExpressionWrapper(Q(maker=user), BooleanField())
    ordered = rows.order_by(is_own.desc(), "-created_at")  # the member's own come first
    found = list(ordered.select_related("maker__profile", "invited", "match")[:MAX_NEWS])
    challenges = [each for each in found if each.invited_id == user.pk]
    last = next((each for each in found if each.maker_id == user.pk), None)
    if last is None:
        return FriendlyNews(challenges)
    if last.match is not None:
        is_new = last.match.started_at is None and not last.match.is_finished
        return FriendlyNews(challenges, begun=last.match if is_new else None)
    if last.state == states.OPEN and last.expires_at > now:
        return FriendlyNews(challenges, made=last)
    return FriendlyNews(challenges, ended=last)


def wished_games_of(user: User, now: datetime) -> list[WishedGame]:
    """Return the wishes for which a game that still waits was found within TOLD_FOR."""
    told = WishedGame.objects.filter(owner=user, told_at__gt=now - TOLD_FOR)
    if not told.exists():
        return []
    seek = Q(found_seek__state=Seek.State.OPEN, found_seek__expires_at__gt=now)
    search = Q(found_search__state=Search.State.OPEN)
    rows = told.filter(seek | search)
    rows = rows.exclude(by_blocks(user.pk, "found_seek__owner"))
    rows = rows.exclude(by_blocks(user.pk, "found_search__user"))
    for_friends = Q(found_seek__access=Seek.Access.FRIENDS)
    rows = rows.exclude(for_friends & ~by_friends(user.pk, "found_seek__owner"))
    return list(rows.select_related("found_seek__owner", "found_search__user")[:MAX_NEWS])


def news_of(user: User, now: datetime) -> tuple[list[Seek], Seek | None]:
    """Return the challenges that wait for the member's answer, and the member's own seek.

    The member's seek is the open one, else one that ended less than `NEWS_FOR` ago in a state of
    `NEWS`.
    """
    waiting = Q(state=Seek.State.OPEN)
    own = waiting | Q(state__in=NEWS, closed_at__gt=now - NEWS_FOR)
    concerned = Q(owner=user) & own | Q(invited=user) & waiting & Q(expires_at__gt=now)
    found = Seek.objects.filter(concerned)
    if not found.exists():
        return [], None
    found = found.select_related("owner__profile", "invited", "search")
    is_own = ExpressionWrapper(Q(owner=user), BooleanField())
    ordered = found.exclude(by_blocks(user.pk, "owner")).order_by(is_own.desc(), "-created_at")
    newest = list(ordered[:MAX_NEWS])  # the owner's seek comes first
    challenges = [seek for seek in newest if seek.owner_id != user.pk]
    return challenges, next((seek for seek in newest if seek.owner_id == user.pk), None)


def live_match_of(user: User) -> Match | None:
    seat = find_staked_seat(user.pk)
    return seat.match if seat else None


def find_friendly_match(user: User, now: datetime) -> Match | None:
    """Return the member's newest friendly match in play; it does not keep them from others."""
    friendly = kinds_where(lambda kind: kind.category is Category.FRIENDLY)
    newest = Seat.objects.filter(user=user).order_by("-id").values("match")[:NEWEST_MATCHES]
    matches = Match.objects.filter(
        pk__in=newest,
        kind__in=friendly,
        finished_at__isnull=True,
        created_at__gt=now - FRIENDLY_SHOWN_FOR,
    )
    return matches.order_by("-id").first()


def visible_match(public_id: str, viewer: User | None) -> Match | None:
    """Return a watchable match that the viewer may see, with its seats and their standings."""
    return next(iter(with_standings(_watchable(viewer).filter(public_id=public_id))), None)


def _watchable(viewer: User | None) -> QuerySet[Match]:
    """Return the public matches of watchable kinds and the viewer's own, with their seats."""
    seen = Q(is_public=True)
    if viewer is not None:
        seen |= Q(seats__user=viewer)
    kinds = kinds_where(lambda kind: kind.is_watchable)
    matches = Match.objects.filter(seen, kind__in=kinds).distinct()
    return matches.prefetch_related("seats__user__profile")


def with_standings(matches: QuerySet[Match]) -> list[Match]:
    """Set the player's `standing` in the match's variant on every seat of the matches."""
    found = list(matches)
    seats = [(match.variant, seat) for match in found for seat in match.seats.all()]
    standings = standings_of({seat.user_id for _, seat in seats if seat.user_id})
    for variant, seat in seats:
        key = (seat.user_id or 0, variant)
        seat.standing = standings.get(key, Standing())  # type: ignore[attr-defined]
    return found


def running_matches(viewer: User | None) -> QuerySet[Match]:
    """Return the watchable matches in play: the public ones and the viewer's own."""
    return _watchable(viewer).filter(finished_at__isnull=True)
