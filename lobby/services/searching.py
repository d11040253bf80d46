"""Start a search for an opponent ("Play now"), and note that its owner is still online."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from django.db import IntegrityError, transaction

from accounts.broadcast import nudge
from accounts.models import User
from accounts.people import presence
from accounts.shared import deadlines
from accounts.shared.refusals import Refused
from accounts.shared.transactions import announce_after_commit, write_transaction
from games.engine.rules import Rules
from games.models import Match, Seat
from games.models.actor import Actor
from games.stakes.history import has_history
from lobby.models import Search, Seek
from lobby.pairing import MOST_IN_A_ROW
from lobby.services import announcing, pairs, requirements, stopping, wishing
from stats.rating import START
from stats.selectors import rating_of

# Least time between two updates of a search's `seen_at`.
SEEN_EVERY = timedelta(seconds=10)
# Time in which a second press of the button leads to the match that the first one began.
PRESSED_TWICE_WITHIN = timedelta(seconds=10)


@dataclass(frozen=True, slots=True)
class Choice:
    """A person's choices: a stake of 0 means a friendly match; only guests have a `guest_name`."""

    rules: Rules
    stake_credits: int = 0
    guest_name: str = ""


def is_same(search: Search, choice: Choice) -> bool:
    """Return whether the search was started with these rules and this stake."""
    wanted = choice.rules.to_dict(), choice.stake_credits
    return (search.rules, search.stake_credits) == wanted


def start(person: Actor, choice: Choice, now: datetime) -> Match | Search:
    """Begin a match with somebody who waits, or open a search; return the match or the search.

    Raises Refused: `searching` during another search; `at_table` during another match with a
    person; `announced` while a game of the member waits. A search for credits first tries to join
    an announced game on exactly the chosen terms; it may also raise the codes of
    `announcing.announce`.
    """
    _need_free(person)
    if choice.stake_credits:
        found = pairs.join_announced(_member(person), choice.rules, choice.stake_credits, now)
        if found is not None:
            return found
    search = _open(person, choice, now)
    pairs.pair_waiting(now, variant=search.variant, stake_credits=search.stake_credits)
    search.refresh_from_db()
    return search.match or search


def touch(search: Search, now: datetime) -> None:
    """Note that the owner of the search has a page of the site open."""
    if search.user_id is not None:
        presence.touch(search.user_id, now)
    if now - search.seen_at >= SEEN_EVERY:
        waiting = Search.objects.filter(pk=search.pk, state=Search.State.OPEN)
        waiting.filter(seen_at__lt=now).update(seen_at=now)


def forget(before: datetime) -> int:
    """Delete the searches without a match that closed before a time; return how many."""
    return Search.objects.filter(match__isnull=True, closed_at__lt=before).delete()[0]


def _open(person: Actor, choice: Choice, now: datetime) -> Search:
    with write_transaction():
        if person.user_id is not None:
            requirements.lock_members(person.user_id)
        for old in stopping.open_of(person).select_for_update(no_key=True, of=("self",)):
            if not _is_waiting(old):
                stopping.stop(old, Search.State.ENDED, now)
        _need_free(person)
        seek = None
        if choice.stake_credits:
            wanted = announcing.Announcement(choice.rules, choice.stake_credits, is_renewed=True)
            seek = announcing.announce(_member(person), wanted, now)
        user_id, variant = person.user_id, choice.rules.variant.value
        try:
            with transaction.atomic():
                search = Search.objects.create(
                    user_id=user_id,
                    guest=person.guest,
                    guest_name=choice.guest_name,
                    seek=seek,
                    variant=variant,
                    rules=choice.rules.to_dict(),
                    stake_credits=choice.stake_credits,
                    rating=rating_of(user_id, variant) if user_id else float(START),
                    has_history=user_id is not None and has_history(user_id),
                    last_met=last_met(person),
                    created_at=now,
                    seen_at=now,
                    next_try_at=now,
                )
        except IntegrityError as error:
            raise Refused("searching") from error
        if seek is None:
            wishing.game_appeared(search, now)
        if user_id is not None:
            presence.touch(user_id, now)
            announce_after_commit(partial(nudge, user_id, "search"))
        deadlines.note(pairs.SEARCHES, now)
    return search


def just_begun(person: Actor, choice: Choice, now: datetime) -> Match | None:
    """Return the match that the same choice of the person has just begun, None if there is none."""
    recent = pairs.matches_with_people(person).filter(
        stake_credits=choice.stake_credits, created_at__gt=now - PRESSED_TWICE_WITHIN
    )
    return next((match for match in recent if match.match_rules == choice.rules), None)


def _need_free(person: Actor) -> None:
    """Raise Refused if the person searches, plays with a person, or has announced a game."""
    if any(map(_is_waiting, stopping.open_of(person).select_related("seek"))):
        raise Refused("searching")
    if person != Actor() and pairs.is_at_table(person):
        raise Refused("at_table")
    announced = Seek.objects.filter(owner=person.user_id, state=Seek.State.OPEN)
    if person.user_id is not None and announced.exists():
        raise Refused("announced")


def _is_waiting(search: Search) -> bool:
    """Return whether an open search goes on: not if its announcement is over."""
    return search.seek is None or search.seek.state == Seek.State.OPEN


def _member(person: Actor) -> User:
    if person.user_id is None:
        raise Refused("not_member")
    return User.objects.get(pk=person.user_id)


def last_met(person: Actor) -> list[str]:
    """Return the keys of the opponents of the last matches with people, the newest first."""
    own = {"user_id": person.user_id} if person.user_id else {"guest": person.guest}
    if person == Actor():
        return []
    mine = Seat.objects.filter(**own).values("match")
    others = Seat.objects.filter(match__in=mine, bot="").exclude(**own).order_by("-match_id")
    rows = others.values_list("user_id", "guest")[:MOST_IN_A_ROW]
    return [pairs.person_key(Actor(user_id=user_id, guest=guest)) for user_id, guest in rows]
