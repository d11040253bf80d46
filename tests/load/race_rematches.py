"""Races over a rematch: both offer it, or White accepts while somebody joins White's game."""

from datetime import datetime
from uuid import uuid4

from django.utils import timezone

from accounts.models import User
from games.engine.sides import Side
from games.models import Match, Seat
from games.protocol.incoming import Command
from games.services import rematches
from lobby.models import Seek
from lobby.services import announcing, joining
from tests.games.factories import give_history
from tests.load.race_setup import (
    CREDITS,
    RAKE,
    STAKE,
    Fields,
    actor_of,
    attempt,
    find_match,
    funds,
    new_match,
    newcomer,
    pot_of,
    reserved,
    start,
    submit,
)
from tests.lobby.factories import announcement


def _submit(fields: Fields, side: Side, name: str) -> None:
    match = find_match(fields)
    command, now = Command(name, uuid4(), match.seq, {}), datetime.fromisoformat(fields["now"])
    rematches.submit(match.public_id, actor_of(fields, side), command, now)


def arrange_offers() -> Fields:
    """Let White resign a match; both members have a history, so they may meet again at once."""
    now = timezone.now()
    fields = start(new_match(now), now)
    for user in User.objects.filter(pk__in=fields["users"]):
        give_history(user)
    submit(fields, Side.WHITE, "resign_match", now)
    return {**fields, "now": now.isoformat()}


def offer_as_white(fields: Fields) -> str:
    return attempt(_submit, fields, Side.WHITE, "rematch_offer")


def offer_as_black(fields: Fields) -> str:
    return attempt(_submit, fields, Side.BLACK, "rematch_offer")


def judge_offers(fields: Fields, answers: list[str]) -> str:
    assert answers == ["", ""], answers
    match = Match.objects.get(rematch_of__public_id=fields["match"])
    _check_paid(match, fields)
    assert reserved(*fields["users"]) == 0
    [offer] = find_match(fields).rematch_offers.all()
    return "one" if offer.side == Side.WHITE else "other"


def _check_paid(match: Match, fields: Fields) -> None:
    """Check that both stakes of the rematch are in its pot."""
    assert pot_of(match.public_id) == 2 * STAKE
    ends = [CREDITS - STAKE, CREDITS + STAKE - RAKE]
    assert funds(*fields["users"]) == [end - STAKE for end in ends]


def arrange_accept() -> Fields:
    """Let Black offer a rematch to White, who announces a game that a third member may join."""
    fields = arrange_offers()
    white = User.objects.get(pk=fields["users"][0])
    _submit(fields, Side.BLACK, "rematch_offer")
    now = datetime.fromisoformat(fields["now"])
    seek = announcing.announce(white, announcement(stake=STAKE), now)
    return {**fields, "seek": seek.public_id, "third": newcomer("third").pk}


def accept_as_white(fields: Fields) -> str:
    return attempt(_submit, fields, Side.WHITE, "rematch_accept")


def join_as_third(fields: Fields) -> str:
    third = User.objects.get(pk=fields["third"])
    return attempt(joining.join, fields["seek"], third, datetime.fromisoformat(fields["now"]))


def judge_accept(fields: Fields, answers: list[str]) -> str:
    users = [*fields["users"], fields["third"]]
    assert Seat.objects.filter(user=users[0], is_live_stake=True).count() == 1
    assert reserved(*users) == 0
    seek = Seek.objects.get(public_id=fields["seek"])
    match = Match.objects.filter(rematch_of__public_id=fields["match"]).first()
    assert (match is None) != (seek.match is None)
    if match is None:
        assert answers == ["busy", ""], answers
        assert sum(funds(*users)) == 3 * CREDITS - RAKE - 2 * STAKE
        return "other"
    assert answers == ["", "gone"]
    assert seek.state == Seek.State.CANCELED
    _check_paid(match, fields)
    return "one"
