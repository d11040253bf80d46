"""Races over one tournament with a fee, each between two calls of different processes."""

import hashlib
from datetime import datetime, timedelta
from uuid import UUID

from django.utils import timezone

from accounts.models import User
from games.engine.sides import Side
from games.models import Match, Seat
from games.models.actor import Actor
from games.services import deadlines
from lobby.models import Seek
from lobby.services import announcing as seeks
from lobby.services import expiry, joining
from tests.load.race_setup import CREDITS, STAKE, Fields, attempt, funds, newcomer, reserved
from tests.lobby.factories import announcement
from tests.tournaments.factories import Table, plan
from tournaments.models import Fixture, TimelineEntry, Tournament
from tournaments.services import announcing, ending, entering, rounds, staff, starting, tables
from tournaments.services.timeline import Ruling
from wallet.models import Account

MS = timedelta(milliseconds=1)
FEE = 25


def arrange_entry() -> Fields:
    """Announce a tournament for two or three entrants; two members enter, a third may."""
    users = [newcomer(role) for role in ("first", "second", "third")]
    now = timezone.now()
    terms = plan(fee_credits=FEE, min_entrants=2, max_entrants=3)
    tournament = announcing.announce(terms, now + timedelta(hours=1), now)
    for user in users[:2]:
        entering.enter(tournament.public_id, user, now)
    return {"tournament": tournament.pk, "users": [user.pk for user in users]}


def _tournament(fields: Fields) -> Tournament:
    return Tournament.objects.get(pk=fields["tournament"])


def _user(fields: Fields, number: int) -> User:
    return User.objects.get(pk=fields["users"][number])


def start(fields: Fields) -> str:
    tournament = _tournament(fields)
    starting.start_or_cancel(tournament.pk, tournament.starts_at)
    return ""


def withdraw_in_the_last_millisecond(fields: Fields) -> str:
    tournament = _tournament(fields)
    user, now = _user(fields, 0), tournament.starts_at - MS
    return attempt(entering.withdraw, tournament.public_id, user, now)


def enter_in_the_last_millisecond(fields: Fields) -> str:
    tournament = _tournament(fields)
    user, now = _user(fields, 2), tournament.starts_at - MS
    return attempt(entering.enter, tournament.public_id, user, now)


def _settle_start(fields: Fields) -> Tournament:
    """Start again, as the worker does later if it has skipped a locked row."""
    start(fields)
    return _tournament(fields)


def _pot(tournament: Tournament) -> int:
    account = Account.objects.filter(code=tournament.reference).first()
    return account.balance_credits or 0 if account else 0


def judge_withdrawal(fields: Fields, answers: list[str]) -> str:
    tournament, users = _settle_start(fields), fields["users"]
    assert reserved(*users) == 0
    if answers[0] == "":
        assert tournament.state == "CANCELED"
        assert funds(*users) == [CREDITS] * 3
        return "one"
    assert answers[0] == "entry_closed", answers
    assert tournament.state == "RUNNING"
    assert funds(*users) == [CREDITS - FEE, CREDITS - FEE, CREDITS]
    assert _pot(tournament) == 2 * FEE
    return "other"


def judge_entry(fields: Fields, answers: list[str]) -> str:
    tournament, users = _settle_start(fields), fields["users"]
    assert tournament.state == "RUNNING"
    assert reserved(*users) == 0
    is_in = answers[0] == ""
    assert is_in or answers[0] == "entry_closed", answers
    assert len(tournament.entrant_ids) == 2 + is_in
    assert funds(*users) == [CREDITS - FEE, CREDITS - FEE, CREDITS - FEE * is_in]
    assert _pot(tournament) == FEE * (2 + is_in)
    return "one" if is_in else "other"


def arrange_final() -> Fields:
    """Start a tournament of two whose final is being played."""
    fields = arrange_entry()
    start(fields)
    fixture = Fixture.objects.get(round__tournament=fields["tournament"])
    now = _tournament(fields).started_at
    tables.open_table(fixture.pk, now)
    fixture.refresh_from_db()
    table = Table(fixture.match, now).sit().start_game()
    holders = {side.value: str(table.actors[side].holder) for side in Side}
    return {**fields, "fixture": fixture.pk, "match": table.public_id, "holders": holders}


def resign_the_final_and_go_on(fields: Fields) -> str:
    now = _tournament(fields).started_at
    assert now is not None
    table = Table(Match.objects.get(public_id=fields["match"]), now)
    holder = UUID(fields["holders"]["white"])
    table.actors[Side.WHITE] = Actor(user_id=table.users[Side.WHITE].pk, holder=holder)
    answer = attempt(table.do, "resign_match", side=Side.WHITE)
    last = Fixture.objects.get(pk=fields["fixture"]).round_id
    rounds.advance(last, now)
    return answer


def void(fields: Fields) -> str:
    now = _tournament(fields).started_at
    assert now is not None
    ruling = Ruling("Flood", fields["users"][2])
    return "" if staff.void(fields["tournament"], ruling, now) else "over"


def judge_void(fields: Fields, answers: list[str]) -> str:
    tournament, users = _tournament(fields), fields["users"]
    if answers[1] == "":
        assert tournament.state == "VOID"
        assert funds(*users) == [CREDITS] * 3
        assert _pot(tournament) == 0
        return "other"
    assert tournament.state == "FINISHED"
    prize = tournament.prizes.get()
    for _ in range(2):  # a second call pays nothing
        ending.pay(prize.pk, tournament.finished_at)
    assert sorted(funds(*users)) == [CREDITS - FEE, CREDITS, CREDITS + FEE]
    assert _pot(tournament) == 0
    return "one"


def arrange_window() -> Fields:
    """Open a table to which White has come and Black has not."""
    fields = arrange_entry()
    start(fields)
    fixture = Fixture.objects.get(round__tournament=fields["tournament"])
    now = _tournament(fields).started_at
    tables.open_table(fixture.pk, now)
    fixture.refresh_from_db()
    Table(fixture.match, now).join(Side.WHITE)
    return {**fields, "fixture": fixture.pk, "match": fixture.match.public_id}


def come_in_the_last_millisecond(fields: Fields) -> str:
    fixture = Fixture.objects.get(pk=fields["fixture"])
    assert fixture.join_by is not None
    table = Table(Match.objects.get(public_id=fields["match"]), fixture.join_by - MS)
    proof = hashlib.sha256(b"x" * 16).hexdigest()
    table.sit(Side.BLACK)
    return attempt(table.do, "entropy_hash", side=Side.BLACK, hash=proof)


def close_the_window(fields: Fields) -> str:
    fixture = Fixture.objects.get(pk=fields["fixture"])
    assert fixture.join_by is not None
    deadlines.settle(fields["match"], fixture.join_by)
    return ""


def judge_window(fields: Fields, answers: list[str]) -> str:
    close_the_window(fields)  # the worker skips a locked row, and tries again later
    fixture = Fixture.objects.get(pk=fields["fixture"])
    if answers[0] == "":
        assert fixture.finished_at is None
        assert not fixture.match.is_finished
        return "one"
    assert answers[0] == "finished", answers
    white = fixture.match.seats.get(side="white").user_id
    assert fixture.winner is not None
    assert (fixture.cause, fixture.winner.user_id) == (Fixture.Cause.ABSENT, white)
    return "other"


def arrange_seek() -> Fields:
    """Announce a game that another member may join; its owner's tournament starts soon."""
    owner, joiner = newcomer("owner"), newcomer("joiner")
    now = timezone.now()
    closes_at = now + timedelta(minutes=1)
    terms = plan(fee_credits=FEE)
    tournament = announcing.announce(terms, closes_at + timedelta(minutes=2), now)
    entering.enter(tournament.public_id, owner, now)
    seek = seeks.announce(owner, announcement(stake=STAKE), now)
    return {
        "seek": seek.public_id,
        "users": [owner.pk, joiner.pk],
        "closes_at": closes_at.isoformat(),
    }


def join_in_the_last_millisecond(fields: Fields) -> str:
    now = datetime.fromisoformat(fields["closes_at"]) - MS
    return attempt(joining.join, fields["seek"], _user(fields, 1), now)


def close_the_announcement(fields: Fields) -> str:
    seek = Seek.objects.get(public_id=fields["seek"])
    expiry.close_or_renew(seek.pk, datetime.fromisoformat(fields["closes_at"]))
    return ""


def judge_seek(fields: Fields, answers: list[str]) -> str:
    close_the_announcement(fields)
    seek = Seek.objects.get(public_id=fields["seek"])
    owner, joiner = fields["users"]
    assert reserved(owner, joiner) == FEE
    if answers[0] == "":
        assert seek.match is not None
        assert funds(owner, joiner) == [CREDITS - STAKE] * 2
        return "one"
    assert answers[0] == "gone", answers
    assert (seek.state, seek.match) == (Seek.State.BUSY, None)
    assert funds(owner, joiner) == [CREDITS] * 2
    return "other"


def arrange_round() -> Fields:
    """Start a tournament of two whose final has no table yet."""
    fields = arrange_entry()
    start(fields)
    fixture = Fixture.objects.get(round__tournament=fields["tournament"])
    return {**fields, "fixture": fixture.pk}


def _open_table(fields: Fields, late: timedelta) -> str:
    started_at = _tournament(fields).started_at
    assert started_at is not None
    tables.open_table(fields["fixture"], started_at + late)
    return ""


def open_table(fields: Fields) -> str:
    return _open_table(fields, MS)


def open_table_too(fields: Fields) -> str:
    return _open_table(fields, 2 * MS)


def judge_tables(fields: Fields, answers: list[str]) -> str:
    tournament = _tournament(fields)
    opened = tournament.timeline.get(event=TimelineEntry.Event.TABLE_OPENED)
    seats = Seat.objects.filter(user__in=fields["users"])
    assert seats.values("match").distinct().count() == 1
    assert tournament.started_at is not None
    return "one" if opened.at == tournament.started_at + MS else "other"


def judge_table_of_void(fields: Fields, answers: list[str]) -> str:
    tournament, users = _tournament(fields), fields["users"]
    assert answers[1] == ""
    assert tournament.state == "VOID"
    assert funds(*users) == [CREDITS] * 3
    _open_table(fields, MS)  # changes nothing
    matches = Match.objects.filter(seats__user__in=users).distinct()
    assert all(match.is_finished for match in matches)
    return "one" if matches.exists() else "other"
