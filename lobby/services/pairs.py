"""Pair the people who wait: at the start of a search, and from every worker.

Lock order: both members, the searches by ascending id, then the announcements and accounts of both,
then the new match. A search is left out if it was canceled or another process has paired it.
"""

import json
import logging
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import Block, Origin, Presence, User
from accounts.selectors import ONLINE_FOR, either_blocks
from accounts.sessions.origins import KEPT_FOR
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from games import broadcast
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Match
from games.models.actor import Actor
from games.selectors import has_live_stake, running_matches
from games.services import matches
from games.stakes.history import has_history
from lobby.broadcast import lists_changed
from lobby.joinable import joinable_ids
from lobby.models import Search, Seek
from lobby.pairing import Waiting, may_meet, pair_up
from lobby.selectors import open_seeks
from lobby.services import ending, joining, notices, requirements, stopping, withdrawing
from stats.rating import START
from stats.selectors import rating_of
from wallet.limits.errors import OwnLimit

logger = logging.getLogger(__name__)

# The kind of deadline of searches, as the worker's loop knows it.
SEARCHES = "searches"
# Time until the worker tries again; the accepted rating differences widen meanwhile.
TRY_EVERY = timedelta(seconds=2)
# A search ends after this time without an open page of its owner.
LOST_AFTER = timedelta(minutes=2)
# Maximum number of announced games that are read for one person, and of attempts to join one.
MOST_READ, MOST_TRIED = 100, 5


def waiting() -> QuerySet[Search]:
    """Return the open searches, the next to be tried first."""
    return Search.objects.filter(state=Search.State.OPEN).order_by("next_try_at")


def settle_due(now: datetime) -> datetime | None:
    """End lost searches, join announced games, pair people who wait; return when to look again."""
    if _take_due(now):
        _end_lost(now)
        _join_announced_games(now)
        pair_waiting(now)
    return waiting().values_list("next_try_at", flat=True).first()


def _take_due(now: datetime) -> bool:
    """Postpone the next try of the due searches; return whether there were any.

    Leaves locked rows out: an update that waited for them could deadlock with a pairing.
    """
    with write_transaction():
        rows = Search.objects.select_for_update(no_key=True, skip_locked=True).order_by("pk")
        due = rows.filter(state=Search.State.OPEN, next_try_at__lte=now)
        ids = list(due.values_list("pk", flat=True))
        Search.objects.filter(pk__in=ids).update(next_try_at=now + TRY_EVERY)
    return bool(ids)


def pair_waiting(now: datetime, **lookups: str | int) -> None:
    """Pair all who wait, or only the searches that `lookups` match, and begin their matches."""
    people = _people(_present(now).filter(**lookups), now)
    while pairs := pair_up(people.values()):
        for one, other in pairs:
            try:
                gone = _begin(one, other, now)
            except Refused as refusal:
                # Only the services know this reason; both may still meet other people.
                logger.info("pair refused", extra={"code": refusal.code})
                gone = []
            except Exception:
                logger.exception("pair failed", extra={"search": one.key})
                gone = []
            if not gone:
                people[one.key] = _keep_apart(one, other)
                people[other.key] = _keep_apart(other, one)
            for key in gone:
                del people[key]


def join_announced(
    player: User, rules: Rules, stake: int, now: datetime, search_id: int | None = None
) -> Match | None:
    """Join an announced game on exactly these terms, the nearest rating first.

    Returns None if no game could be joined. The search `search_id` of the player ends with the
    join; if it has ended before, nothing is joined.
    """
    listed = open_seeks(player, now).filter(
        pk__in=joinable_ids(player, now),
        access=Seek.Access.OPEN,
        variant=rules.variant.value,
        stake_credits=stake,
        is_public=True,
        hides_stake=False,
        search=None,
    )
    fitting = [seek for seek in listed[:MOST_READ] if seek.match_rules == rules]
    if not fitting:
        return None
    own_rating = rating_of(player.pk, rules.variant.value)
    fitting.sort(key=lambda seek: abs(float(vars(seek)["rating"] or START) - own_rating))
    me = _as_waiting(player.pk, now)
    for seek in fitting[:MOST_TRIED]:
        if may_meet(me, _as_waiting(seek.owner_id, now)):
            try:
                return _join(seek.public_id, player, now, search_id)
            except Refused as refusal:
                logger.info("announced game not joined", extra={"code": refusal.code})
    return None


def _join(public_id: str, player: User, now: datetime, search_id: int | None) -> Match:
    """Join as `joining.join` does; the search `search_id` of the player, if given, ends with it.

    Raises Refused also for a search that has ended (`gone`) and for a player who plays another
    match with a person (`at_table`).
    """
    try:
        with write_transaction():
            requirements.lock_members(player.pk)
            searches = [] if search_id is None else _waiting_of([search_id])
            if search_id is not None and not searches:
                raise Refused("gone")
            _check_free([Actor(user_id=player.pk)])
            match = joining.join_within(public_id, player, now)
            for search in searches:
                stopping.close(search, Search.State.FOUND, now, match)
            return match
    except requirements.OwnerBarred as refusal:
        withdrawing.withdraw_barred(refusal.user_id, now)
        raise


def person_key(person: Actor) -> str:
    return f"u{person.user_id}" if person.user_id is not None else f"g{person.guest}"


def _join_announced_games(now: datetime) -> None:
    for search in _present(now).filter(seek__isnull=False).select_related("user"):
        assert search.user is not None
        try:
            rules, stake = search.match_rules, search.stake_credits
            join_announced(search.user, rules, stake, now, search.pk)
        except Exception:  # one search must not keep all others from being paired
            logger.exception("announced games not tried", extra={"search": search.pk})


def _begin(one: Waiting, other: Waiting, now: datetime) -> Collection[int]:
    """Begin the match of two who wait; return the ids of the searches that no longer wait.

    If a member's own limits forbid the match, the search of this member is withdrawn. Raises
    Refused; nothing has changed then.
    """
    try:
        return _begin_within(one.key, other.key, now)
    except (OwnLimit, requirements.OwnerBarred) as refusal:
        withdrawing.withdraw_barred(refusal.user_id, now)
        barred = f"u{refusal.user_id}"
        return [each.key for each in (one, other) if each.person == barred]


def _begin_within(one_id: int, other_id: int, now: datetime) -> Collection[int]:
    """Begin the match of two searches in one transaction; return the ids that no longer wait.

    Raises Refused; nothing has changed then.
    """
    members = Search.objects.filter(pk__in=[one_id, other_id]).values_list("user_id", flat=True)
    with write_transaction():
        requirements.lock_members(*(id for id in members if id is not None))
        found = {search.pk: search for search in _waiting_of([one_id, other_id])}
        if len(found) < 2:
            return {one_id, other_id} - set(found)
        one, other = found[one_id], found[other_id]
        if one.seek_id is not None:
            match = _begin_stake(one, other, now)
        else:
            match = _begin_friendly(one, other, now)
        for search in found.values():
            stopping.close(search, Search.State.FOUND, now, match)
        notices.tell_joined([one.user_id, other.user_id], match, now)
    return [one_id, other_id]


def _begin_stake(one: Search, other: Search, now: datetime) -> Match:
    assert one.seek is not None
    assert other.user is not None
    _check_free([one.by, other.by])
    return joining.join_within(one.seek.public_id, other.user, now)


def _begin_friendly(one: Search, other: Search, now: datetime) -> Match:
    user_ids = [search.user_id for search in (one, other) if search.user_id is not None]
    if len(user_ids) == 2 and either_blocks(*user_ids):  # since the two were chosen
        raise Refused("unavailable")
    if user_ids:
        ending.withdraw(user_ids, now)
    _check_free([one.by, other.by])
    match = matches.create_friendly(
        one.match_rules,
        {Side.WHITE: one.by, Side.BLACK: other.by},
        now,
        is_public=True,
        guest_names={Side.WHITE: one.guest_name, Side.BLACK: other.guest_name},
    )
    broadcast.nudge_players(match.seats.all(), match.public_id)
    lists_changed()
    return match


def _check_free(people: Iterable[Actor]) -> None:
    """Raise Refused if one of them is at a table; the caller has locked their accounts."""
    if any(map(is_at_table, people)):
        raise Refused("at_table")


def is_at_table(person: Actor) -> bool:
    """Return whether the person plays a match with a person."""
    has_stake = person.user_id is not None and has_live_stake(person.user_id)
    return has_stake or matches_with_people(person).exists()


def matches_with_people(person: Actor) -> QuerySet[Match]:
    return running_matches(person).exclude(seats__bot__gt="")


def _waiting_of(ids: Collection[int]) -> list[Search]:
    """Lock the searches; return those that still wait, also with their announcement."""
    return [search for search in _locked(ids) if search.is_waiting]


def _locked(ids: Collection[int]) -> list[Search]:
    rows = Search.objects.select_for_update(no_key=True, of=("self",))
    rows = rows.select_related("seek", "user").order_by("pk")
    return list(rows.filter(pk__in=ids, state=Search.State.OPEN))


def _present(now: datetime) -> QuerySet[Search]:
    """Return the open searches whose owner is online; a new search's owner counts as online.

    Leaves out searches for credits whose announcement is over.
    """
    since = now - ONLINE_FOR
    here = Presence.objects.filter(user=OuterRef("user"), seen_at__gt=since)
    announced = Q(seek=None) | Q(seek__state=Seek.State.OPEN, seek__expires_at__gt=now)
    return waiting().filter(Q(seen_at__gt=since) | Q(Exists(here))).filter(announced)


def _people(searches: QuerySet[Search], now: datetime) -> dict[int, Waiting]:
    """Return the data for pairing by search id, with few queries for all of them."""
    found = list(searches)
    user_ids = [search.user_id for search in found if search.user_id is not None]
    apart = _blocks(user_ids)
    staked = [search.user_id for search in found if search.seek_id and search.user_id]
    devices, networks = _origins(staked, now)
    return {
        search.pk: Waiting(
            key=search.pk,
            person=person_key(search.by),
            terms=json.dumps([search.rules, search.stake_credits], sort_keys=True),
            waited_s=(now - search.created_at).total_seconds(),
            rating=search.rating,
            is_staked=search.seek_id is not None,
            apart_from=frozenset(apart[search.user_id or 0]),
            last_met=tuple(search.last_met),
            devices=frozenset(devices[search.user_id or 0]),
            networks=frozenset(networks[search.user_id or 0]),
            has_history=search.has_history,
        )
        for search in found
    }


def _as_waiting(user_id: int, now: datetime) -> Waiting:
    """Return the member's origins and history for `may_meet`; blocks are checked elsewhere."""
    devices, networks = _origins([user_id], now)
    return Waiting(
        key=user_id,
        person=f"u{user_id}",
        terms="",
        waited_s=0,
        is_staked=True,
        devices=frozenset(devices[user_id]),
        networks=frozenset(networks[user_id]),
        has_history=has_history(user_id),
    )


def _blocks(user_ids: Collection[int]) -> defaultdict[int, set[str]]:
    apart: defaultdict[int, set[str]] = defaultdict(set)
    for owner, blocked in Block.objects.filter(owner__in=user_ids).values_list("owner", "blocked"):
        apart[owner].add(f"u{blocked}")
    return apart


def _origins(
    user_ids: Collection[int], now: datetime
) -> tuple[defaultdict[int, set[str]], defaultdict[int, set[str]]]:
    """Return digests of the members' devices and networks; none in a demonstration."""
    devices: defaultdict[int, set[str]] = defaultdict(set)
    networks: defaultdict[int, set[str]] = defaultdict(set)
    if settings.DEMO:
        return devices, networks
    rows = Origin.objects.filter(user__in=user_ids, seen_at__gt=now - KEPT_FOR)
    for user_id, kind, digest in rows.values_list("user", "kind", "digest"):
        (devices if kind == Origin.Kind.DEVICE else networks)[user_id].add(digest)
    return devices, networks


def _keep_apart(one: Waiting, other: Waiting) -> Waiting:
    return replace(one, apart_from=one.apart_from | {other.person})


def _lost(now: datetime) -> QuerySet[Search]:
    """Return the open searches whose owner is gone or whose announcement is over."""
    here = Presence.objects.filter(user=OuterRef("user"), seen_at__gt=now - LOST_AFTER)
    gone = Q(seen_at__lte=now - LOST_AFTER) & ~Q(Exists(here))
    over = Q(seek__isnull=False) & ~Q(seek__state=Seek.State.OPEN)
    return waiting().filter(gone | over)


def _end_lost(now: datetime) -> None:
    for search_id in list(_lost(now).values_list("pk", flat=True)):
        try:
            with write_transaction():
                for search in _locked([search_id]):
                    # The owner may have come back meanwhile.
                    if _lost(now).filter(pk=search.pk).exists():
                        stopping.stop(search, Search.State.ENDED, now)
        except Exception:  # one search must not keep all others from being paired
            logger.exception("lost search not ended", extra={"search": search_id})
