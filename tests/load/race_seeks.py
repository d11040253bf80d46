"""Races over one announced game: its owner, a joiner and a rival, each with `CREDITS`."""

from datetime import datetime, timedelta

from django.utils import timezone

from accounts.closing import services as closing
from accounts.models import User
from games.models import Match
from lobby.models import Seek
from lobby.services import announcing, ending, expiry, joining
from tests.load.race_setup import CREDITS, STAKE, Fields, attempt, funds, newcomer, pot_of, reserved
from tests.lobby.factories import announcement

MS = timedelta(milliseconds=1)


def arrange() -> Fields:
    owner, joiner, rival = (newcomer(role) for role in ("owner", "joiner", "rival"))
    seek = announcing.announce(owner, announcement(stake=STAKE), timezone.now())
    return {
        "seek": seek.public_id,
        "expires_at": seek.expires_at.isoformat(),
        "users": [owner.pk, joiner.pk, rival.pk],
    }


def _join(fields: Fields, number: int, now: datetime) -> str:
    user = User.objects.get(pk=fields["users"][number])
    return attempt(joining.join, fields["seek"], user, now)


def join(fields: Fields) -> str:
    return _join(fields, 1, timezone.now())


def join_as_rival(fields: Fields) -> str:
    return _join(fields, 2, timezone.now())


def join_in_the_last_millisecond(fields: Fields) -> str:
    return _join(fields, 1, datetime.fromisoformat(fields["expires_at"]) - MS)


def cancel(fields: Fields) -> str:
    owner = User.objects.get(pk=fields["users"][0])
    return attempt(ending.cancel, fields["seek"], owner, timezone.now())


def announce_as_rival(fields: Fields) -> str:
    rival = User.objects.get(pk=fields["users"][2])
    return attempt(announcing.announce, rival, announcement(stake=STAKE), timezone.now())


def close_joiner(fields: Fields) -> str:
    return attempt(closing.close, fields["users"][1], timezone.now())


def close_rival(fields: Fields) -> str:
    return attempt(closing.close, fields["users"][2], timezone.now())


def expire(fields: Fields) -> str:
    expiry.settle_due(datetime.fromisoformat(fields["expires_at"]))
    return ""


def _check(fields: Fields) -> Seek:
    """Check that the seek is closed and the credits of its three people add up."""
    seek = Seek.objects.get(public_id=fields["seek"])
    users = fields["users"]
    joined = seek.match is not None
    assert Match.objects.filter(seats__user__in=users).distinct().count() == int(joined)
    assert seek.state != Seek.State.OPEN
    assert reserved(*users) == 0
    assert sum(funds(*users)) == 3 * CREDITS - 2 * STAKE * joined
    if seek.match is not None:
        assert pot_of(seek.match.public_id) == 2 * STAKE
    return seek


def judge_joiners(fields: Fields, answers: list[str]) -> str:
    """Check that one joiner paid and the other was refused; return "one" or "other"."""
    _check(fields)
    assert sorted(answers) == ["", "gone"], answers
    paid = CREDITS - STAKE
    one_won = answers[0] == ""
    assert funds(*fields["users"]) == ([paid, paid, CREDITS] if one_won else [paid, CREDITS, paid])
    return "one" if one_won else "other"


def judge_cancel(fields: Fields, answers: list[str]) -> str:
    seek = _check(fields)
    assert sorted(answers) == ["", "gone"], answers
    assert (seek.match is not None) == (answers[0] == "")
    return "one" if seek.match else "other"


def judge_expiry(fields: Fields, answers: list[str]) -> str:
    if Seek.objects.get(public_id=fields["seek"]).state == Seek.State.OPEN:
        # The worker skips a row that the joiner has locked, and tries again later.
        assert answers[0] != "", "joined and open"
        expire(fields)
    seek = _check(fields)
    assert answers[0] == ("" if seek.match else "gone"), answers
    assert seek.state in (Seek.State.JOINED, Seek.State.EXPIRED)
    return "one" if seek.match else "other"


def judge_closing_joiner(fields: Fields, answers: list[str]) -> str:
    """Check that the joiner plays and keeps the account, or has closed it and did not join."""
    seek = Seek.objects.get(public_id=fields["seek"])
    is_joined = seek.match is not None
    assert answers == (["", "playing"] if is_joined else ["not_member", ""]), answers
    assert User.objects.get(pk=fields["users"][1]).is_member is is_joined
    return "one" if is_joined else "other"


def judge_closing_rival(fields: Fields, answers: list[str]) -> str:
    """Check that the rival announced a game and keeps the account, or closed it before."""
    rival = fields["users"][2]
    is_announced = Seek.objects.filter(owner=rival, state=Seek.State.OPEN).exists()
    assert answers == (["", "reserved"] if is_announced else ["not_member", ""]), answers
    assert User.objects.get(pk=rival).is_member is is_announced
    return "one" if is_announced else "other"
