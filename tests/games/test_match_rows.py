"""The SQL statements of games/match_rows.py read and write the same rows as the ORM would."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games import match_rows
from games.engine.match.state import Phase
from games.engine.sides import Side
from games.models import Action, Match, Seat
from games.models.actor import Actor
from games.services import actions
from tests.games.factories import FriendlySitting, StakeSitting, command
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db

TRANSACTION_CONTROL = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")


@pytest.fixture
def sitting():
    """Return a match that has values in most columns of its row and of its seats."""
    sitting = FriendlySitting(
        white=Actor(user_id=player("white").pk), black=Actor(guest=uuid4()), is_public=True
    )
    sitting.sit().start_game().play_until(Phase.TO_PLAY)
    changes = {"lag_ms": 120, "premove_roll": True, "premove_cube": "take", "premove_game": 1}
    Seat.objects.filter(match=sitting.match, side="white").update(**changes)
    return sitting


def columns(instance):
    return {
        field.attname: (type(value), value)
        for field in instance._meta.concrete_fields
        for value in [getattr(instance, field.attname)]
    }


def test_locked_match_equals_the_row_that_the_orm_reads(sitting):
    with transaction.atomic():
        locked, seats, repeated = match_rows.lock_match(sitting.public_id, uuid4())
    assert locked == sitting.match
    assert columns(locked) == columns(Match.objects.get(pk=locked.pk))
    assert not locked._state.adding
    expected = list(Seat.objects.filter(match=locked).order_by("pk"))
    assert [columns(seat) for seat in seats] == [columns(seat) for seat in expected]
    assert all(seat.match is locked for seat in seats)
    assert repeated is None


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("has_begun", [False, True])
def test_lock_and_begin_take_one_round_trip(sitting, tmp_path, has_begun):
    trace = tmp_path / "trace"
    with trace.open("w") as file, transaction.atomic():
        if has_begun:
            Match.objects.first()
        if connection.vendor == "postgresql":
            connection.connection.pgconn.trace(file.fileno())
        assert match_rows.lock_match(sitting.public_id, None)[0] == sitting.match
        if connection.vendor == "postgresql":
            connection.connection.pgconn.untrace()
        assert connection.in_atomic_block
    if connection.vendor == "postgresql":  # SQLite has no round trips
        messages = trace.read_text()
        assert messages.count("Sync") == 1, messages
        assert ('CommandComplete\t "BEGIN"' in messages) != has_begun


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("fails", [False, True])
def test_a_transaction_that_begins_with_a_lock_is_committed_or_rolled_back(sitting, fails):
    def change() -> None:
        with transaction.atomic():
            match = match_rows.lock_match(sitting.public_id, None)[0]
            match_rows.write(match, ["seq"], [action_after(match)])
            if fails:
                raise RuntimeError("after the write")

    before = sitting.match.actions.count()
    if fails:
        with pytest.raises(RuntimeError):
            change()
    else:
        change()
    assert connection.get_autocommit()
    connection.close()  # what is stored now was committed
    assert sitting.match.actions.count() == before + (not fails)
    with transaction.atomic():
        assert match_rows.lock_match(sitting.public_id, None)[0] == sitting.match


def action_after(match: Match) -> Action:
    return Action(match=match, seq=match.seq + 1, verb="roll", data={}, created_at=timezone.now())


def test_lock_of_an_unknown_match_returns_none():
    with transaction.atomic():
        assert match_rows.lock_match("nobody", None) is None


def test_match_read_with_its_seats_equals_what_the_orm_reads(sitting):
    match, seats = match_rows.read_match(sitting.public_id)
    assert columns(match) == columns(Match.objects.get(pk=match.pk))
    expected = list(Seat.objects.filter(match=match).order_by("pk"))
    assert [columns(seat) for seat in seats.values()] == [columns(seat) for seat in expected]
    assert list(seats) == [Side.WHITE, Side.BLACK]
    assert all(seat.match is match for seat in seats.values())
    assert match_rows.read_match("nobody") is None


def test_match_is_read_with_the_members_on_its_seats_in_one_statement(
    sitting, django_assert_num_queries
):
    with django_assert_num_queries(1):
        _, seats = match_rows.read_match(sitting.public_id)
        members = {side: seat.user for side, seat in seats.items()}
    white = seats[Side.WHITE]
    assert columns(members[Side.WHITE]) == columns(User.objects.get(pk=white.user_id))
    assert members[Side.BLACK] is None


def test_seats_equal_the_rows_that_the_orm_reads(sitting):
    seats = match_rows.read_seats(sitting.match)
    expected = list(Seat.objects.filter(match=sitting.match).order_by("pk"))
    assert [columns(seat) for seat in seats] == [columns(seat) for seat in expected]
    assert all(seat.match is sitting.match for seat in seats)


def repeated_of(sitting, command_id):
    with transaction.atomic():
        return match_rows.lock_match(sitting.public_id, command_id)[2]


def test_the_action_of_a_repeated_command_is_found(sitting):
    repeated = sitting.match.actions.exclude(client_id=None).last()
    assert repeated_of(sitting, repeated.client_id) == (repeated.seq, repeated.side)
    assert repeated_of(sitting, None) is None


def test_command_id_of_another_match_is_no_repetition(sitting):
    other = FriendlySitting().sit().start_game()
    foreign = other.match.actions.exclude(client_id=None).last()
    assert repeated_of(sitting, foreign.client_id) is None


@pytest.mark.parametrize("is_charged", [False, True])
def test_written_rows_equal_those_that_the_orm_writes(sitting, is_charged):
    match, now = Match.objects.get(pk=sitting.match.pk), timezone.now()
    white, black = Seat.objects.filter(match=match).order_by("pk")
    given = [
        Action(
            match=match, seq=match.seq + number, verb="roll", side=side, client_id=client_id,
            data={"t": "roll", "dice": [6, 1], "name": "Ünal \u2603 'x' %s"}, created_at=now,
        )
        for number, side, client_id in ((1, "white", uuid4()), (2, "", None))
    ]  # fmt: skip
    match.seq += 2
    match.snapshot = {**match.snapshot, "name": "Ünal \u2603 'x' %s"}
    match.wake_at = now + timedelta(seconds=1)
    match.awaits_bot = not match.awaits_bot
    names = {"seq", "snapshot", "wake_at", "awaits_bot"}
    before = [columns(row) for row in (Match.objects.get(pk=match.pk), white, black)]
    white.lag_ms, white.grace_left_ms = 250, 6100
    match_rows.write(match, list(names), given, white if is_charged else None)
    stored = list(match.actions.filter(seq__gt=match.seq - 2).order_by("seq"))
    for row, action in zip(stored, given, strict=True):
        assert columns(row) | {"id": None} == columns(action) | {"id": None}
    assert columns(Match.objects.get(pk=match.pk)) == columns(match)
    assert changed(before[0], Match.objects.get(pk=match.pk)) == names
    charged = {"lag_ms", "grace_left_ms"} if is_charged else set()
    assert changed(before[1], Seat.objects.get(pk=white.pk)) == charged
    assert not changed(before[2], Seat.objects.get(pk=black.pk))


def changed(before, row):
    return {name for name, value in columns(row).items() if value != before[name]}


@pytest.mark.parametrize("verb", ["roll", "play"])
@pytest.mark.parametrize("kind", ["friendly", "stake"])
def test_command_takes_two_reads_and_one_round_trip_of_writes(kind, verb):
    sitting = (
        FriendlySitting(is_public=True)
        if kind == "friendly"
        else StakeSitting(player("anna"), player("boris"))
    )
    sitting.sit(*Side).start_game().play_until(Phase.TO_PLAY)
    sitting.act_simply()
    sitting.play_until(Phase.TO_ROLL if verb == "roll" else Phase.TO_PLAY)
    sent = []
    sitting.submit = lambda actor, command: sent.append((actor, command))
    sitting.act_simply()
    (actor, given), *_ = sent
    assert given.t == verb
    with CaptureQueriesContext(connection) as captured:
        actions.submit(sitting.public_id, actor, given, sitting.now)
    statements = [
        each["sql"] for each in captured if not each["sql"].startswith(TRANSACTION_CONTROL)
    ]
    # SQLite cannot insert and update in one statement, and has no round trips to save.
    assert len(statements) == (3 if connection.vendor == "postgresql" else 4), statements


def test_a_repeated_command_writes_nothing(sitting):
    side = Side(sitting.state.turn)
    repeated = sitting.match.actions.filter(side=side.value).exclude(client_id=None).last()
    again = command("play", sitting.seq, id=repeated.client_id, d="nonsense")
    with CaptureQueriesContext(connection) as captured:
        accepted = actions.submit(sitting.public_id, sitting.actors[side], again, sitting.now)
    assert accepted.seq == repeated.seq
    assert not [each for each in captured if each["sql"].startswith(("INSERT", "UPDATE"))]


def test_the_public_id_has_one_index_which_is_unique():
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, Match._meta.db_table)
    own = [each for each in found.values() if each["columns"] == ["public_id"]]
    assert [each["unique"] for each in own] == [True]
