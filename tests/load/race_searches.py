"""Races over members with `CREDITS` who press "Play now", and over a renewed announcement."""

import secrets
from datetime import datetime

from django.utils import timezone

from accounts.closing import services as closing
from accounts.models import Presence, User
from games.engine.rules import Rules
from games.models import Match
from games.models.actor import Actor
from lobby.models import Search, Seek
from lobby.services import announcing, expiry, joining, pairs, searching, stopping
from lobby.services.searching import Choice
from tests.load.race_seeks import MS
from tests.load.race_setup import CREDITS, STAKE, Fields, attempt, funds, newcomer, pot_of, reserved
from tests.lobby.factories import announcement


def _arrange(stake: int, waiting: int, people: int = 3) -> Fields:
    """Create members; the first `waiting` of them search on the same terms, not yet paired."""
    users = [newcomer(f"s{number}") for number in range(people)]
    # Random terms, so that members of different rounds are not paired.
    rules = Rules.of("short", length=1, delay_ms=10_000 + secrets.randbelow(80_000))
    now = timezone.now()
    for user in users[:waiting]:
        searching._open(Actor(user_id=user.pk), Choice(rules, stake), now)
    seek = Seek.objects.filter(owner=users[0]).first()
    return {
        "users": [user.pk for user in users],
        "stake": stake,
        "now": now.isoformat(),
        "seek": seek.public_id if seek else "",
    }


def arrange_two_for_credits() -> Fields:
    return _arrange(STAKE, 2)


def arrange_two_friendly() -> Fields:
    return _arrange(0, 2)


def arrange_three_for_credits() -> Fields:
    return _arrange(STAKE, 3)


def arrange_three_friendly() -> Fields:
    return _arrange(0, 3)


def arrange_one_friendly() -> Fields:
    """Create three members, of whom the second searches for a friendly match."""
    fields = _arrange(0, 1)
    searcher, other, third = fields["users"]
    return {**fields, "users": [other, searcher, third]}


def arrange_renewed() -> Fields:
    owner, joiner = newcomer("owner"), newcomer("joiner")
    wanted = announcement(stake=STAKE, is_renewed=True)
    seek = announcing.announce(owner, wanted, timezone.now())
    return {
        "seek": seek.public_id,
        "expires_at": seek.expires_at.isoformat(),
        "users": [owner.pk, joiner.pk],
    }


def _now(fields: Fields) -> datetime:
    return datetime.fromisoformat(fields["now"])


def pair_first_and_second(fields: Fields) -> str:
    pairs.pair_waiting(_now(fields), user__in=fields["users"][:2])
    return ""


def pair_first_and_third(fields: Fields) -> str:
    first, _, third = fields["users"]
    pairs.pair_waiting(_now(fields), user__in=[first, third])
    return ""


def cancel(fields: Fields) -> str:
    return attempt(stopping.cancel, Actor(user_id=fields["users"][0]), _now(fields))


def close_first(fields: Fields) -> str:
    return attempt(closing.close, fields["users"][0], timezone.now())


def search_too(fields: Fields) -> str:
    """Let the first member search on the terms of the second; pair only these two."""
    second = Search.objects.get(user=fields["users"][1])
    actor, choice = Actor(user_id=fields["users"][0]), Choice(second.match_rules)
    refusal = attempt(searching._open, actor, choice, _now(fields))
    return refusal or pair_first_and_second(fields)


def join_as_third(fields: Fields) -> str:
    """Let the third member join the first member's search, which is also an announced game."""
    third = User.objects.get(pk=fields["users"][2])
    return attempt(joining.join, fields["seek"], third, _now(fields))


def join_renewed(fields: Fields) -> str:
    joiner = User.objects.get(pk=fields["users"][1])
    at = datetime.fromisoformat(fields["expires_at"]) - MS
    return attempt(joining.join, fields["seek"], joiner, at)


def renew(fields: Fields) -> str:
    at = datetime.fromisoformat(fields["expires_at"])
    owner_id = fields["users"][0]
    Presence.objects.update_or_create(user_id=owner_id, defaults={"seen_at": at})
    expiry.close_or_renew(Seek.objects.get(public_id=fields["seek"]).pk, at)
    return ""


def _checked_players(fields: Fields) -> list[int]:
    """Check that at most one match has begun and all credits add up; return its players."""
    users, stake = fields["users"], fields["stake"]
    found = list(Match.objects.filter(seats__user__in=users).distinct())
    assert len(found) <= 1, found
    players = sorted(seat.user_id or 0 for match in found for seat in match.seats.all())
    assert len(players) in (0, 2)
    assert funds(*users) == [CREDITS - stake * (id in players) for id in users]
    open_ones = set(
        Search.objects.filter(user__in=users, state=Search.State.OPEN).values_list(
            "user", flat=True
        )
    )
    # A search that is joined as an announced game stays open until the worker closes it.
    waiting = open_ones - set(players)
    assert [reserved(id) for id in users] == [stake * (id in waiting) for id in users]
    if stake and found:
        assert pot_of(found[0].public_id) == 2 * stake
    return players


def judge_cancel(fields: Fields, answers: list[str]) -> str:
    players = _checked_players(fields)
    assert answers[1] == ("found" if players else ""), answers
    first = Search.objects.get(user=fields["users"][0])
    assert first.state == (Search.State.FOUND if players else Search.State.CANCELED)
    return "one" if players else "other"


def judge_closing(fields: Fields, answers: list[str]) -> str:
    """Check that the first member was paired before they closed the account, or never."""
    players = _checked_players(fields)
    first, second, _ = fields["users"]
    assert players in ([], sorted([first, second])), players
    assert answers[0] in (("",) if players else ("", "not_member")), answers
    assert answers[1] == "", answers
    assert not User.objects.get(pk=first).is_member
    assert not Search.objects.filter(user=first, state=Search.State.OPEN).exists()
    return "one" if players else "other"


def judge_two_pairings(fields: Fields, answers: list[str]) -> str:
    players = _checked_players(fields)
    first, second, third = fields["users"]
    assert players in (sorted([first, second]), sorted([first, third])), players
    return "one" if second in players else "other"


def judge_join(fields: Fields, answers: list[str]) -> str:
    players = _checked_players(fields)
    first, second, third = fields["users"]
    assert players == sorted([first, second if answers[1] else third]), (players, answers)
    assert answers[1] in ("", "gone"), answers
    return "one" if answers[1] else "other"


def judge_renewed(fields: Fields, answers: list[str]) -> str:
    """Check that the game is joined, whether it was renewed before or not."""
    seek = Seek.objects.get(public_id=fields["seek"])
    assert answers[0] == "", answers
    assert seek.match is not None
    assert funds(*fields["users"]) == [CREDITS - STAKE] * 2
    assert reserved(*fields["users"]) == 0
    assert pot_of(seek.match.public_id) == 2 * STAKE
    return "other" if seek.expires_at > datetime.fromisoformat(fields["expires_at"]) else "one"
