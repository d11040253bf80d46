"""Functions for a `Racer`: people press "Play now" while processes of the site are killed."""

import os
import time
from collections import Counter
from uuid import UUID, uuid4

from django.db import connection, connections
from django.utils import timezone

from games.engine.rules import Rules
from games.models import Match
from games.models.actor import Actor
from lobby.models import Search
from lobby.services import searching
from lobby.services.searching import Choice
from tests.load.farm import fork, kill
from tests.load.race_setup import CREDITS, STAKE, Fields, attempt, funds, newcomer, reserved
from tests.load.rounds import faults_of_books

RULES = Rules.of("short", length=1, delay_ms=30_000)


def create_people(guests: int, members: int) -> list[Fields]:
    """Create people: guests and half of the members want friendly matches, the others a stake."""
    people: list[Fields] = [{"guest": str(uuid4()), "stake": 0} for _ in range(guests)]
    for number in range(members):
        people.append({"user": newcomer("waits").pk, "stake": STAKE * (number % 2)})
    return people


def press(person: Fields) -> str:
    """Press "Play now"; return the code of a refusal, or ""."""
    name = "Guest" if "guest" in person else ""
    choice = Choice(RULES, person["stake"], guest_name=name)
    return attempt(searching.start, _actor(person), choice, timezone.now())


def press_in_a_process(person: Fields, killed_after_s: float) -> float | None:
    """Press in a new process; kill the process if it takes longer than `killed_after_s`.

    Return the seconds taken, or None after the kill. Raise AssertionError if the process failed
    before it was killed.
    """
    connections.close_all()
    if "pool" in connection.settings_dict["OPTIONS"]:
        connection.close_pool()  # type: ignore[attr-defined]
    begun = time.monotonic()
    pid = fork(lambda: press(person))
    while (took := time.monotonic() - begun) < killed_after_s:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            assert status == 0, "the process failed; its traceback is in stderr"
            return took
        time.sleep(0.001)
    kill(pid)
    return None


def touch_searches() -> int:
    """Touch each open search, as its page does; return the number that must still be paired.

    The worker pairs any two searches for the same stake, so one search of each stake may be left
    over and does not count.
    """
    now = timezone.now()
    waiting = list(Search.objects.filter(state=Search.State.OPEN))
    for search in waiting:
        searching.touch(search, now)
    return sum(count - 1 for count in Counter(each.stake_credits for each in waiting).values())


def faults(people: list[Fields]) -> list[str]:
    """Describe people without exactly one match or search, wrong credits and faults of books."""
    return [*filter(None, map(_fault_of, people)), *faults_of_books()]


def _fault_of(person: Fields) -> str:
    actor = _actor(person)
    own = {"user_id": actor.user_id} if actor.user_id else {"guest": actor.guest}
    seats = {f"seats__{name}": value for name, value in own.items()}
    matches = list(Match.objects.filter(**seats))
    waits = Search.objects.filter(**own, state=Search.State.OPEN).count()
    if len(matches) + waits != 1:
        return f"{person}: {len(matches)} matches, {waits} searches"
    if actor.user_id:
        found = (funds(actor.user_id), reserved(actor.user_id))
        stake = person["stake"]
        # Nobody comes to the tables, so after a while the matches are void and stakes are returned.
        is_playing = any(not match.is_finished for match in matches)
        if found != ([CREDITS - stake * is_playing], stake * waits):
            return f"{person}: {found} credits"
    return ""


def _actor(person: Fields) -> Actor:
    return Actor(
        user_id=person.get("user"), guest=UUID(person["guest"]) if "guest" in person else None
    )
