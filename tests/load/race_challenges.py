"""Races over one friendly challenge: answers, expiry, a block, other games, a closed account."""

from datetime import datetime, timedelta

from django.utils import timezone

from accounts.closing import services as closing
from accounts.models import User
from accounts.people import blocks
from games.engine.rules import Rules
from games.models import Match
from games.models.actor import Actor
from lobby.models import Invitation, Seek
from lobby.services import announcing, challenging, inviting, joining
from tests.load.race_setup import CREDITS, STAKE, Fields, attempt, funds, newcomer, reserved
from tests.lobby.factories import announcement

MS = timedelta(milliseconds=1)
OFFER = inviting.Offer(Rules.of("short", length=1, delay_ms=30_000))


def arrange() -> Fields:
    """Challenge a member to a friendly match; `users` are the maker and the challenged member."""
    maker, person = newcomer("maker"), newcomer("asked")
    made = challenging.challenge(maker, person, OFFER, timezone.now())
    ends_at = made.expires_at.isoformat()
    return {"invitation": made.public_id, "users": [maker.pk, person.pk], "expires_at": ends_at}


def arrange_own_game() -> Fields:
    """Challenge a member who has announced a game for credits, which a third member may join."""
    return _with_seek(arrange(), owner=1)


def arrange_other_game() -> Fields:
    """Challenge a member who may join the game that a third member has announced."""
    return _with_seek(arrange(), owner=2)


def _with_seek(fields: Fields, owner: int) -> Fields:
    users = [*fields["users"], newcomer("third").pk]
    by = User.objects.get(pk=users[owner])
    seek = announcing.announce(by, announcement(stake=STAKE), timezone.now())
    return {**fields, "users": users, "seek": seek.public_id}


def _actor(fields: Fields, number: int) -> Actor:
    return Actor(user_id=fields["users"][number])


def accept(fields: Fields) -> str:
    return attempt(inviting.accept, fields["invitation"], _actor(fields, 1), "", timezone.now())


def accept_in_a_tab(fields: Fields) -> str:
    """Accept; return the time, which is the challenge's `closed_at` if this call counted."""
    now = timezone.now()
    inviting.accept(fields["invitation"], _actor(fields, 1), "", now)
    return now.isoformat()


def accept_in_the_last_millisecond(fields: Fields) -> str:
    now = datetime.fromisoformat(fields["expires_at"]) - MS
    return attempt(inviting.accept, fields["invitation"], _actor(fields, 1), "", now)


def invite_after_its_end(fields: Fields) -> str:
    """Create an invitation link, which closes the maker's expired challenge."""
    now = datetime.fromisoformat(fields["expires_at"])
    return attempt(inviting.invite, _actor(fields, 0), OFFER, now)


def block_the_maker(fields: Fields) -> str:
    maker, person = fields["users"]
    return attempt(blocks.block, person, maker, timezone.now())


def join_as_third(fields: Fields) -> str:
    return _join(fields, 2)


def join_the_thirds_game(fields: Fields) -> str:
    return _join(fields, 1)


def _join(fields: Fields, number: int) -> str:
    joiner = User.objects.get(pk=fields["users"][number])
    return attempt(joining.join, fields["seek"], joiner, timezone.now())


def decline(fields: Fields) -> str:
    person = User.objects.get(pk=fields["users"][1])
    return attempt(inviting.decline, fields["invitation"], person, timezone.now())


def cancel(fields: Fields) -> str:
    return attempt(inviting.cancel, fields["invitation"], _actor(fields, 0), timezone.now())


def close_maker(fields: Fields) -> str:
    return attempt(closing.close, fields["users"][0], timezone.now())


def close_challenged(fields: Fields) -> str:
    return attempt(closing.close, fields["users"][1], timezone.now())


def _outcome(fields: Fields) -> tuple[Invitation, bool]:
    """Return the challenge and whether it is accepted.

    Check that its match is the only friendly match of these users, or that they have none.
    """
    invitation = Invitation.objects.get(public_id=fields["invitation"])
    played = Match.objects.filter(seats__user__in=fields["users"], stake_credits=0)
    matches = list(played.distinct())
    assert len(matches) <= 1
    is_accepted = invitation.state == Invitation.State.ACCEPTED
    assert matches == ([invitation.match] if is_accepted else [])
    return invitation, is_accepted


def judge_accepts(fields: Fields, answers: list[str]) -> str:
    """Check that the challenged member's two tabs began one match; return the tab that began it."""
    invitation, is_accepted = _outcome(fields)
    assert is_accepted
    assert invitation.closed_at is not None
    return ("one", "other")[answers.index(invitation.closed_at.isoformat())]


def judge_cancel(fields: Fields, answers: list[str]) -> str:
    """Check that either accepting or canceling was refused."""
    invitation, is_accepted = _outcome(fields)
    assert answers == (["", "gone"] if is_accepted else ["gone", ""]), answers
    assert invitation.closed_at is not None
    return "one" if is_accepted else "other"


def judge_decline(fields: Fields, answers: list[str]) -> str:
    """Check that the first commit decides; canceling a declined challenge changes nothing."""
    invitation, is_accepted = _outcome(fields)
    assert not is_accepted
    is_declined = invitation.state == Invitation.State.DECLINED
    assert answers == (["", ""] if is_declined else ["gone", ""]), answers
    return "one" if is_declined else "other"


def judge_answers(fields: Fields, answers: list[str]) -> str:
    """Check that only the first answer from the challenged member's two tabs counts."""
    invitation, is_accepted = _outcome(fields)
    assert answers == (["", "gone"] if is_accepted else ["gone", ""]), answers
    assert is_accepted or invitation.state == Invitation.State.DECLINED
    return "one" if is_accepted else "other"


def judge_expiry(fields: Fields, answers: list[str]) -> str:
    """Check that the maker's next link is open, and the challenge accepted or expired."""
    invitation, is_accepted = _outcome(fields)
    assert answers == ["" if is_accepted else "gone", ""], answers
    assert is_accepted or invitation.state == Invitation.State.EXPIRED
    open_ones = Invitation.objects.filter(maker=fields["users"][0], state=Invitation.State.OPEN)
    assert open_ones.get() != invitation
    return "one" if is_accepted else "other"


def judge_block(fields: Fields, answers: list[str]) -> str:
    """Check that the match began before the block, or never."""
    _, is_accepted = _outcome(fields)
    assert answers == ["" if is_accepted else "gone", ""], answers
    return "one" if is_accepted else "other"


def judge_own_game(fields: Fields, answers: list[str]) -> str:
    """Check that the challenged member plays one of the two games, with the stakes of that one."""
    _, is_accepted = _outcome(fields)
    seek = Seek.objects.get(public_id=fields["seek"])
    assert answers == (["", "gone"] if is_accepted else ["playing", ""]), answers
    assert (seek.match is None) is is_accepted
    _check_credits(fields, 0 if is_accepted else STAKE)
    return "one" if is_accepted else "other"


def judge_other_game(fields: Fields, answers: list[str]) -> str:
    """Check that the game for credits is joined, even if a friendly match began before."""
    _, is_accepted = _outcome(fields)
    assert answers == ["" if is_accepted else "playing", ""], answers
    _check_credits(fields, STAKE)
    return "one" if is_accepted else "other"


def _check_credits(fields: Fields, staked: int) -> None:
    assert reserved(*fields["users"]) == 0
    assert funds(*fields["users"]) == [CREDITS, CREDITS - staked, CREDITS - staked]


def judge_closing(fields: Fields, answers: list[str]) -> str:
    """Check that the match began before the account was closed, or never."""
    invitation, is_accepted = _outcome(fields)
    assert answers == ([""] * 2 if is_accepted else ["gone", ""]), answers
    assert invitation.state != Invitation.State.OPEN
    return "one" if is_accepted else "other"
