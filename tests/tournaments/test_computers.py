"""Tournaments in which computer opponents take part: no fee, no prize, no rating."""

import hashlib
from datetime import UTC, datetime, timedelta

import pytest
from django.db.models import QuerySet

from accounts.shared.refusals import Refused
from games.engine.match.state import Phase
from games.models import Match, Seat
from stats.models import RatedMatch
from tests.tournaments.factories import IN, WINDOW, Table, announced, enter, members, plan, settle
from tests.tournaments.test_schedules import schedule
from tournaments import samples, states
from tournaments.models import Entrant, Fixture, Tournament
from tournaments.pages.texts import rules_of
from tournaments.services import announcing
from tournaments.timeline_texts import timeline_of

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 23, 9, 3, tzinfo=UTC)
TEN_MINUTES = timedelta(minutes=10)


def entered_tournament(people: int = 1, **fields) -> Tournament:
    made = announced(NOW, **{"fee_credits": 0, "min_entrants": 2, "computer_entrants": 3, **fields})
    enter(made, members(people), NOW)
    return made


def tournament_matches() -> QuerySet[Match]:
    """Return the matches of tournaments, without those of the members' histories."""
    return Match.objects.filter(fixture__isnull=False)


def play_out(match: Match, now: datetime) -> None:
    """Seat the members of the match, then play it to its end."""
    table = Table(match, now)
    for side in table.users:
        table.join(side)
        table.do("entropy", side=side, entropy=(b"x" * 16).hex())
    table.play_until(Phase.FINISHED)


def play(tournament: Tournament) -> datetime:
    """Start the tournament and play it to its end; return the moment of the end."""
    now = tournament.starts_at
    settle(now)
    for _ in range(9):
        for match in tournament_matches().filter(finished_at__isnull=True):
            play_out(match, now)
        settle(now)
    tournament.refresh_from_db()
    return now


def test_computer_opponents_enter_with_the_announcement() -> None:
    made = announced(NOW, fee_credits=0, computer_entrants=3)
    entrants = Entrant.objects.filter(tournament=made).select_related("user")
    assert [entrant.bot for entrant in entrants] == ["beginner", "casual", "club"]
    assert all(entrant.user.username.endswith("-bot") for entrant in entrants)
    assert not any(entrant.user.is_member for entrant in entrants)
    again = announced(NOW, fee_credits=0, computer_entrants=2)
    users = Entrant.objects.filter(tournament=again).values_list("user", flat=True)
    assert list(users) == [entrant.user_id for entrant in entrants][:2]


@pytest.mark.parametrize("format", ["KNOCKOUT", "ROUND_ROBIN"])
def test_a_person_plays_a_tournament_against_computer_opponents(format: str) -> None:
    made = entered_tournament(format=format)
    play(made)
    assert made.state == states.FINISHED
    assert not Fixture.objects.exclude(cause="PLAYED").exists()
    assert not RatedMatch.objects.exists()
    assert not made.prizes.exists()
    assert Seat.objects.filter(match__fixture__isnull=False).exclude(bot="").count() >= 4


def test_two_computer_opponents_begin_their_match_without_a_person() -> None:
    settle(entered_tournament().starts_at)
    two = [match for match in tournament_matches() if all(s.bot for s in match.seats.all())]
    assert [match.phase for match in two] in (["to_roll"], ["to_play"])
    assert two[0].awaits_bot


@pytest.mark.parametrize("sends_hash", [False, True])
def test_a_person_who_does_not_come_loses_to_the_computer(sends_hash: bool) -> None:
    made = entered_tournament(computer_entrants=1)
    settle(made.starts_at)
    table = Table(tournament_matches().get(), made.starts_at)
    if sends_hash:
        (side,) = table.users
        table.sit(side)
        table.do("entropy_hash", side=side, hash=hashlib.sha256(b"x" * 16).hexdigest())
    settle(made.starts_at + WINDOW)
    fixture = Fixture.objects.get()
    assert fixture.cause == Fixture.Cause.ABSENT
    assert fixture.winner is not None
    assert fixture.winner.bot


def test_without_a_person_the_tournament_is_canceled() -> None:
    made = entered_tournament(people=0)
    settle(made.starts_at)
    made.refresh_from_db()
    assert made.state == states.CANCELED


@pytest.mark.parametrize("terms", [{"fee_credits": 10}, {"prize_credits": 10}])
def test_a_fee_or_a_prize_is_refused_where_computers_play(terms: dict[str, int]) -> None:
    chosen = plan(**{"fee_credits": 0, "computer_entrants": 1, **terms})
    with pytest.raises(Refused) as refusal:
        announcing.announce(chosen, NOW + IN, NOW)
    assert refusal.value.code == "terms"


def test_the_rules_say_that_computer_opponents_play() -> None:
    assert any("-bot" in rule for rule in rules_of(entered_tournament(people=0)))
    assert not any("-bot" in rule for rule in rules_of(announced(NOW)))


def scheduled_often(**fields) -> Tournament:
    free = {"computer_entrants": 3, "min_entrants": 4, "repeats": "OFTEN"}
    schedule(NOW, **{**free, **fields})
    settle(NOW)
    return Tournament.objects.get()


def test_announced_tournament_that_nobody_enters_moves_to_the_next_start() -> None:
    made = scheduled_often()
    assert made.starts_at == datetime(2026, 11, 23, 9, 10, tzinfo=UTC)
    for minute in range(65):  # nobody enters: the same tournament is postponed
        settle(NOW + timedelta(minutes=minute))
    made = Tournament.objects.get()
    assert made.state == states.ANNOUNCED
    assert NOW + timedelta(minutes=64) < made.starts_at <= NOW + timedelta(minutes=74)
    latest, *older = [happening.text for happening in timeline_of(made)]
    assert latest == (
        "No person had entered: until somebody does, the start moves by 10 minutes each time."
    )
    assert latest not in older


def test_rules_of_a_tournament_that_waits_for_people_do_not_speak_of_a_cancellation() -> None:
    waits = "If no person has entered by the start, it moves by 10 minutes until somebody does."
    rules = rules_of(scheduled_often(extend_minutes=15))
    assert waits in rules
    assert not any("canceled" in rule for rule in rules)
    usual = rules_of(entered_tournament(people=0))
    assert waits not in usual
    assert any("canceled" in rule for rule in usual)


def test_next_tournament_is_announced_when_one_has_begun() -> None:
    made = scheduled_often()
    enter(made, members(1), NOW)
    begun = made.starts_at
    settle(begun)
    settle(begun + timedelta(minutes=1))
    found = Tournament.objects.exclude(pk=made.pk).get()
    assert (found.state, found.starts_at) == (states.ANNOUNCED, begun + TEN_MINUTES)


def test_a_sample_tournament_of_a_demonstration_begins_within_ten_minutes() -> None:
    samples.make(NOW)
    for _ in range(8):
        settle(NOW)
    soon = Tournament.objects.order_by("starts_at").first()
    assert soon is not None
    assert soon.starts_at - NOW <= TEN_MINUTES
    assert soon.entrants.exclude(bot="").count() == 3
