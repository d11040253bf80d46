"""The result of a match tells its players how they stand in the tournament."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.shared.transactions import write_transaction
from games.engine.match.state import Phase
from games.engine.sides import Side
from games.models import Match
from games.services import voiding
from tests.games.factories import deal_a_draw
from tests.tournaments.factories import Table, TournamentRun, settle
from tournaments import states
from tournaments.models import Entrant, Tournament
from tournaments.pages.outcome import Outcome, outcome_of
from tournaments.selectors import find_fixture
from tournaments.services import staff
from tournaments.services.timeline import Ruling

pytestmark = pytest.mark.django_db
OVER = "The result of the tournament is about to appear…"
OUT = "You are out of the tournament."
WON = "You won the tournament: +200 credits."
LAST_OF_TWO = "The tournament is over: your place is 2 of 2."


def outcome(match: Match, viewer: User | None) -> Outcome:
    fixture = find_fixture(match.public_id)
    assert fixture is not None
    return outcome_of(fixture, viewer)


def texts(table: Table) -> tuple[str, str]:
    """Return the sentences for White and for Black."""
    white, black = table.users[Side.WHITE], table.users[Side.BLACK]
    return outcome(table.match, white).text, outcome(table.match, black).text


def rain(run: TournamentRun) -> Ruling:
    return Ruling("Rain", run.users[0].pk)


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


def test_players_of_a_round_robin_read_where_the_final_table_is() -> None:
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


def test_a_match_that_is_played_again_leads_to_its_tournament() -> None:
    run = TournamentRun(2).start()
    [first] = run.tables()
    first.sit().start_game()
    with write_transaction():
        voiding.call_off(first.public_id, run.now)
    again = "This match does not count; you play it again. The table opens in a moment."
    assert texts(first) == (again, again)
    back = reverse("tournaments:of_match", args=[first.public_id])
    sheet = reverse("tournaments:tournament", args=[run.tournament.public_id])
    assert Client().get(back).headers["Location"] == sheet
    settle(run.now)
    assert texts(first) == ("", "")
    [second] = run.tables()
    second.win(Side.WHITE)
    settle(run.now)
    assert texts(first) == texts(second) == (WON, LAST_OF_TWO)
    assert Client().get(back).headers["Location"] == sheet


def test_a_drawn_match_announces_the_deciding_game_then_its_result(monkeypatch) -> None:
    run = TournamentRun(2, rules={"parity": True})
    deal_a_draw(monkeypatch)
    run.start()
    monkeypatch.undo()
    [drawn] = run.tables()
    drawn.sit().start_game().play_until(Phase.FINISHED)
    decides = "One more game decides; its table opens in a moment."
    assert texts(drawn) == (decides, decides)
    settle(run.now)
    assert texts(drawn) == ("", "")
    run.play()  # the players exchange their sides, and White wins
    assert texts(drawn) == (LAST_OF_TWO, WON)


def test_a_player_who_came_alone_goes_on_and_the_absent_one_is_out() -> None:
    run = TournamentRun(4, absent=1).start()
    [absent] = run.absent
    table = next(each for each in run.tables() if absent in each.users.values())
    present = table.users[table.side_of(absent).other]
    run.play_round()
    on = "The next round has begun: see the tournament’s page."
    assert outcome(table.match, present).text == on
    assert outcome(table.match, absent).text == OUT


def test_a_winner_whom_staff_removed_is_out_even_after_the_tournament() -> None:
    run = TournamentRun(4).start()
    table = run.tables()[0]
    table.win(Side.WHITE)
    removed = table.users[Side.WHITE]
    assert staff.remove(Entrant.objects.get(user=removed).pk, rain(run), run.now)
    assert texts(table) == (OUT, OUT)
    run.play()
    assert run.tournament.state == states.FINISHED
    assert outcome(table.match, removed).text == OUT


def test_a_stopped_tournament_does_not_count() -> None:
    run = TournamentRun(2).start()
    [table] = run.tables()
    assert staff.void(run.tournament.pk, rain(run), run.now)
    expected = "The tournament does not count; every entry fee was returned."
    assert texts(table) == (expected, expected)
    assert outcome(table.match, None) == Outcome(run.tournament)


@pytest.mark.parametrize(
    ("prize", "shared", "won"),
    [
        (0, ["You share first place."] * 2, "You won the tournament."),
        (
            301,
            ["You share first place: +150 credits.", "You share first place: +151 credits."],
            "You won the tournament: +301 credits.",
        ),
    ],
)
def test_first_place_may_be_shared_and_may_bring_no_prize(
    prize: int, shared: list[str], won: str
) -> None:
    run = TournamentRun(4, fee_credits=0, prize_credits=prize).start()
    run.play_round()
    [final] = run.tables()
    run.absent = set(run.users)
    run.play()
    assert sorted(texts(final)) == shared
    other = TournamentRun(2, fee_credits=0, prize_credits=prize).start()
    [final] = other.tables()
    other.play()
    assert texts(final) == (won, LAST_OF_TWO)


def test_a_visitor_sees_the_name_of_the_tournament_alone() -> None:
    run = TournamentRun(2).start()
    [final] = run.tables()
    final.win(Side.WHITE)
    part = reverse("tournaments:after_match", args=[final.match.public_id])
    page = Client().get(part).content.decode()
    assert "Evening cup" in page
    assert OVER not in page
    assert "hx-get" not in page


@pytest.mark.parametrize(("asked", "asks_again"), [("39", True), ("40", False), ("x", True)])
def test_the_table_stops_asking_for_the_result(asked: str, asks_again: bool) -> None:
    run = TournamentRun(2).start()
    [final] = run.tables()
    final.win(Side.WHITE)
    client = Client()
    client.force_login(final.users[Side.WHITE])
    part = reverse("tournaments:after_match", args=[final.match.public_id])
    page = client.get(part, {"asked": asked}).content.decode()
    assert OVER in page
    assert ("hx-get" in page) == asks_again


def test_a_match_of_no_tournament_leads_to_all_tournaments() -> None:
    answer = Client().get(reverse("tournaments:of_match", args=["AbCdEf123456"]))
    assert answer.headers["Location"] == reverse("tournaments:tournaments")
