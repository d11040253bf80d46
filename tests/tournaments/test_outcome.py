"""The result of a match tells its players how they stand in the tournament."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.engine.sides import Side
from games.models import Match
from tests.tournaments.factories import Table, TournamentRun, settle
from tournaments import states
from tournaments.models import Tournament
from tournaments.pages.outcome import Outcome, outcome_of
from tournaments.selectors import find_fixture

pytestmark = pytest.mark.django_db
OVER = "The result of the tournament is about to appear…"


def outcome(match: Match, viewer: User | None) -> Outcome:
    fixture = find_fixture(match.public_id)
    assert fixture is not None
    return outcome_of(fixture, viewer)


def texts(table: Table) -> tuple[str, str]:
    """Return the sentences for the winner, White, and for the loser."""
    white, black = table.users[Side.WHITE], table.users[Side.BLACK]
    return outcome(table.match, white).text, outcome(table.match, black).text


def test_a_knockout_tells_who_goes_on_and_who_is_out_then_who_won() -> None:
    run = TournamentRun(4).start()
    first, other = run.tables()
    assert texts(first) == ("", "")
    first.win(Side.WHITE)
    out = "You are out of the tournament."
    on = "You go on to the next round; it begins when the other matches of this round are over."
    assert texts(first) == (on, out)
    assert outcome(first.match, other.users[Side.WHITE]) == Outcome(run.tournament)
    other.win(Side.WHITE)
    settle(run.now)
    assert texts(first) == ("The next round has begun: see the tournament’s page.", out)
    (final,) = run.tables()
    final.win(Side.WHITE)
    assert texts(final) == (OVER, OVER)
    assert outcome(final.match, final.users[Side.WHITE]).is_waiting
    settle(run.now)
    assert texts(final) == (
        "You won the tournament: +400 credits.",
        "The tournament is over: your place is 2 of 4.",
    )
    assert not outcome(final.match, final.users[Side.WHITE]).is_waiting


def test_where_nobody_is_out_the_last_round_leads_to_the_table() -> None:
    run = TournamentRun(4, format="ROUND_ROBIN").start()
    for number in (1, 2, 3):
        first, other = run.tables()
        first.win(Side.WHITE)
        expected = (
            "This was your last match. When all matches of this round are over, the final table is "
            "on the tournament’s page."
            if number == 3
            else "The next round begins when all matches of this round are over."
        )
        assert texts(first) == (expected, expected)
        other.win(Side.WHITE)
        settle(run.now)


def test_the_table_leads_back_to_the_tournament() -> None:
    run = TournamentRun(2).start()
    (final,) = run.tables()
    final.win(Side.WHITE)
    client = Client()
    client.force_login(final.users[Side.WHITE])
    page = client.get(reverse("games:match", args=[final.match.public_id])).content.decode()
    assert "Back to the tournament" in page
    assert "Go to open games" not in page
    back = reverse("tournaments:of_match", args=[final.match.public_id])
    part = reverse("tournaments:after_match", args=[final.match.public_id])
    assert back in page
    assert part in page
    sheet = reverse("tournaments:tournament", args=[run.tournament.public_id])
    assert client.get(back).headers["Location"] == sheet
    waiting = client.get(part).content.decode()
    assert OVER in waiting
    assert "hx-get" in waiting
    settle(run.now)
    assert Tournament.objects.get().state == states.FINISHED
    settled = client.get(part).content.decode()
    assert "Evening cup" in settled
    assert "You won the tournament: +200 credits." in settled
    assert "hx-get" not in settled


def test_a_match_of_no_tournament_leads_to_all_tournaments() -> None:
    answer = Client().get(reverse("tournaments:of_match", args=["AbCdEf123456"]))
    assert answer.headers["Location"] == reverse("tournaments:tournaments")
