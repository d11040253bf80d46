"""The pages of tournaments: lists, one tournament, entering and withdrawing, files."""

import json
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.shared import kept_parts
from games.engine.sides import Side
from lobby.services import announcing
from tests.lobby.factories import announcement
from tests.support.lengths import length
from tests.tournaments.checkers import is_right
from tests.tournaments.factories import (
    TournamentRun,
    announced,
    daily_schedule,
    enter,
    members,
)
from tests.wallet.factories import total_of
from tournaments.exports.draw_file import check_draw
from tournaments.models import Entrant, Fixture, Prize, Tournament
from tournaments.services import staff
from tournaments.services.timeline import Ruling

pytestmark = [pytest.mark.django_db]
State = Tournament.State


def address_of(tournament: Tournament, name: str = "tournament") -> str:
    return reverse(f"tournaments:{name}", args=[tournament.public_id])


def signed_in(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.mark.parametrize("which", ["nearest", "running", "completed", "canceled", "mine"])
def test_each_list_has_the_tournaments_of_its_states(which: str) -> None:
    people = members(1)
    by_state = {}
    for state in ("ANNOUNCED", "RUNNING", "FINISHED", "CANCELED", "VOID", "PROPOSED", "REJECTED"):
        made = announced(name=f"Cup {state.lower()}")
        enter(made, people, made.created_at)
        by_state[state] = made
    for state, made in by_state.items():
        times = {
            "RUNNING": {"started_at": made.starts_at},
            "FINISHED": {"started_at": made.starts_at, "finished_at": made.starts_at},
            "VOID": {"started_at": made.starts_at, "finished_at": made.starts_at},
            "CANCELED": {"finished_at": made.starts_at},
            "REJECTED": {"finished_at": made.starts_at},
        }.get(state, {})
        secret = "00" * 32 if "started_at" in times else ""
        Tournament.objects.filter(pk=made.pk).update(state=state, secret=secret, **times)
    expected = {
        "nearest": {"ANNOUNCED"},
        "running": {"RUNNING"},
        "completed": {"FINISHED"},
        "canceled": {"CANCELED", "VOID"},
        "mine": {"ANNOUNCED", "RUNNING", "FINISHED", "CANCELED", "VOID"},
    }[which]
    text = signed_in(people[0]).get(reverse("tournaments:list", args=[which])).content.decode()
    assert {state for state in by_state if f"Cup {state.lower()}<" in text} == expected


def test_an_unknown_list_is_not_found(client: Client) -> None:
    assert client.get(reverse("tournaments:list", args=["other"])).status_code == 404


@pytest.mark.parametrize("state", [State.PROPOSED, State.REJECTED])
def test_a_proposal_has_no_page(client: Client, state: str) -> None:
    made = announced()
    ended = {"finished_at": made.starts_at} if state == State.REJECTED else {}
    Tournament.objects.filter(pk=made.pk).update(state=state, **ended)
    for name in ("tournament", "live", "calendar", "draw", "tv", "tv_table"):
        assert client.get(address_of(made, name)).status_code == 404


@pytest.mark.parametrize(
    ("name", "query"),
    [("Evening cup", "EVENING"), ("Вечерний кубок", "вечерний"), ("İzmir kupası", "izmir")],
)
def test_the_search_finds_names_in_any_case(client: Client, name: str, query: str) -> None:
    announced(name=name)
    announced(name="Morning cup")
    text = client.get(reverse("tournaments:tournaments"), {"q": query}).content.decode()
    assert name in text
    assert "Morning cup" not in text


def test_a_schedule_is_listed_once_with_its_later_dates() -> None:
    schedule = daily_schedule(timezone.now())
    first, second, third = (announced(name="Evening", max_entrants=8) for _ in range(3))
    for days, each in enumerate((first, second, third)):
        starts_at = first.starts_at + timedelta(days=days)
        Tournament.objects.filter(pk=each.pk).update(schedule=schedule, starts_at=starts_at)
    announced(name="Evening")  # of no schedule
    (member,) = members(1)
    page = reverse("tournaments:tournaments")

    def listed() -> list[tuple[str, list[str]]]:
        rows = signed_in(member).get(page).context["rows"]
        return [(row.public_id, [each.public_id for each in row.later]) for row in rows]

    later = [second.public_id, third.public_id]
    assert [row for row in listed() if row[0] in (first.public_id, *later)] == [
        (first.public_id, later)
    ]
    assert len(listed()) == 2
    enter(third, [member], third.created_at)
    assert (third.public_id, []) in listed()
    assert len(listed()) == 3
    Tournament.objects.filter(pk=first.pk).update(state="CANCELED", finished_at=first.starts_at)
    assert (second.public_id, [third.public_id]) in listed()


def test_a_renamed_schedule_is_found_by_its_new_name(client: Client) -> None:
    schedule = daily_schedule(timezone.now())
    for days, name in enumerate(("Old cup", "Old cup", "New cup")):
        made = announced(name=name)
        starts_at = made.starts_at + timedelta(days=days)
        Tournament.objects.filter(pk=made.pk).update(schedule=schedule, starts_at=starts_at)
    page = reverse("tournaments:tournaments")
    rows = client.get(page, {"q": "new"}).context["rows"]
    assert [(row.name, row.later) for row in rows] == [("New cup", [])]
    rows = client.get(page).context["rows"]
    assert [(row.name, len(row.later)) for row in rows] == [("Old cup", 1), ("New cup", 0)]


@pytest.mark.parametrize("which", ["nearest", "completed"])
def test_lists_answer_in_a_constant_number_of_queries(
    client: Client, django_assert_num_queries, django_assert_max_num_queries, which: str
) -> None:
    """Count the queries with 3 rows and with 10,000 more (short form: 300 more, on 15 pages)."""
    address = reverse("tournaments:list", args=[which])
    people = members(3)
    for number in range(3):
        made = announced(name=f"Cup {number}", max_entrants=8)
        enter(made, people, made.created_at)
    if which == "completed":
        ended = {"started_at": made.starts_at, "finished_at": made.starts_at, "secret": "00" * 32}
        Tournament.objects.update(state="FINISHED", **ended)
    with django_assert_max_num_queries(5) as first:
        client.get(address)
    row = Tournament.objects.filter(name="Cup 0").values().get()
    del row["id"]
    Tournament.objects.bulk_create(
        Tournament(**row | {"public_id": f"copy{number:08}"})
        for number in range(length(300, 10_000))
    )
    with django_assert_num_queries(len(first)):
        assert client.get(address, {"page": 7}).status_code == 200


def test_the_list_names_winners_with_a_prize_or_without_in_a_constant_number_of_queries(
    client: Client, django_assert_num_queries, django_assert_max_num_queries
) -> None:
    address = reverse("tournaments:list", args=["completed"])
    free = TournamentRun(2, fee_credits=0).start().play()
    assert not Prize.objects.exists()
    with django_assert_max_num_queries(5) as first:
        page = client.get(address)
    assert_winner_is_named(page, free)
    paid = TournamentRun(2).start().play()
    with django_assert_num_queries(len(first)):
        page = client.get(address)
    assert_winner_is_named(page, free)
    assert_winner_is_named(page, paid)


def assert_winner_is_named(page, run: TournamentRun) -> None:
    winner = Fixture.objects.get(round__tournament=run.tournament).winner.user
    text = page.content.decode()
    assert [user for user in run.users if user.username in text] == [winner]


@pytest.mark.parametrize("name", ["tournament", "live", "calendar", "draw"])
def test_repeated_requests_for_a_tournament_are_refused(
    client: Client, settings, name: str
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"list_pages": "2/h/ip"}
    address = address_of(TournamentRun(4).start().tournament, name)
    assert [client.get(address).status_code for _ in range(3)] == [200, 200, 429]


@pytest.mark.parametrize(("name", "status"), [("of_match", 302), ("after_match", 200)])
def test_repeated_requests_for_the_tournament_of_a_match_are_refused(
    client: Client, settings, name: str, status: int
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"list_pages": "2/h/ip", "after_match": "2/h/ip"}
    [table] = TournamentRun(2).start().tables()
    address = reverse(f"tournaments:{name}", args=[table.match.public_id])
    assert [client.get(address).status_code for _ in range(3)] == [status, status, 429]


def test_entering_and_withdrawing_ask_for_confirmation() -> None:
    made = announced()
    member = members(1)[0]
    client = signed_in(member)
    asked = client.post(address_of(made, "enter"))
    assert asked.status_code == 200
    assert not Entrant.objects.exists()
    assert client.post(address_of(made, "enter"), {"confirmed": "1"}).status_code == 302
    assert Entrant.objects.get().state == Entrant.State.ENTERED
    assert client.post(address_of(made, "withdraw")).status_code == 200
    assert Entrant.objects.get().state == Entrant.State.ENTERED
    client.post(address_of(made, "withdraw"), {"confirmed": "1"})
    assert Entrant.objects.get().state == Entrant.State.WITHDRAWN
    assert total_of(member) == 1000


def test_a_member_with_too_few_credits_reads_how_many_are_missing() -> None:
    made = announced(fee_credits=500)
    member = members(1, credits=100)[0]
    client = signed_in(member)
    assert "You are 400 credits short" in client.post(address_of(made, "enter")).content.decode()
    answer = client.post(address_of(made, "enter"), {"confirmed": "1"}, follow=True)
    assert "You are 400 credits short" in answer.content.decode()
    assert not Entrant.objects.exists()


def test_a_second_tab_asks_for_no_second_fee_and_no_second_withdrawal() -> None:
    made = announced(fee_credits=80)
    member = members(1, credits=100)[0]
    client = signed_in(member)
    client.post(address_of(made, "enter"), {"confirmed": "1"}, follow=True)
    again = client.post(address_of(made, "enter"), follow=True).content.decode()
    assert "You have entered. Be here when it starts." in again
    assert "short of the entry fee" not in again
    client.post(address_of(made, "withdraw"), {"confirmed": "1"})
    again = client.post(address_of(made, "withdraw"), follow=True).content.decode()
    assert "You are not entered in this tournament." in again


def test_credits_of_the_members_announced_game_cannot_pay_the_fee() -> None:
    made = announced(fee_credits=500)
    member = members(1, credits=600)[0]
    announcing.announce(member, announcement(stake=200), timezone.now())
    client = signed_in(member)
    assert "You are 100 credits short" in client.post(address_of(made, "enter")).content.decode()
    answer = client.post(address_of(made, "enter"), {"confirmed": "1"}, follow=True)
    assert "You are 100 credits short" in answer.content.decode()


def test_a_withdrawal_of_a_member_who_has_not_entered_says_so() -> None:
    answer = signed_in(members(1)[0]).post(
        address_of(announced(), "withdraw"), {"confirmed": "1"}, follow=True
    )
    assert "You are not entered in this tournament." in answer.content.decode()


def test_gifts_lead_a_member_short_of_the_fee_back_to_the_tournament() -> None:
    made = announced(fee_credits=500)
    member = members(1, credits=100)[0]
    page = signed_in(member).post(address_of(made, "enter")).content.decode()
    assert f'{reverse("shop:gifts")}?next={address_of(made)}"' in page


def test_an_overlap_with_another_tournament_is_shown_before_entering() -> None:
    member = members(1)[0]
    one, two = announced(name="One cup"), announced(name="Two cup")
    enter(one, [member], one.created_at)
    text = signed_in(member).post(address_of(two, "enter")).content.decode()
    assert "may overlap with" in text
    assert "One cup" in text
    Tournament.objects.filter(pk=one.pk).update(starts_at=one.starts_at + timedelta(days=1))
    assert "may overlap" not in signed_in(member).post(address_of(two, "enter")).content.decode()


def test_entry_to_a_tournament_that_began_is_refused() -> None:
    run = TournamentRun(4).start()
    stranger = members(1)[0]
    answer = signed_in(stranger).post(
        address_of(run.tournament, "enter"), {"confirmed": "1"}, follow=True
    )
    assert "Entry to this tournament is closed." in answer.content.decode()


def test_a_member_whom_staff_removed_is_not_offered_to_enter_again() -> None:
    made, [judge, member] = announced(), members(2)
    reader, sentence = signed_in(member), "You cannot enter it again."
    before = reader.get(address_of(made)).content.decode()
    assert address_of(made, "enter") in before
    assert sentence not in before
    enter(made, [member], made.created_at)
    entrant = Entrant.objects.get()
    assert staff.remove(entrant.pk, Ruling("Two accounts", judge.pk), made.created_at)
    after = reader.get(address_of(made)).content.decode()
    assert address_of(made, "enter") not in after
    assert sentence in after
    answer = reader.post(address_of(made, "enter"))
    assert (answer.status_code, answer["Refusal"]) == (302, "removed")
    assert address_of(made, "enter") in signed_in(judge).get(address_of(made)).content.decode()


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ("enter", "Entry to this tournament is closed."),
        ("withdraw", "You can withdraw only before the start."),
    ],
)
def test_after_the_start_a_late_press_is_refused_without_asking(what: str, reason: str) -> None:
    run = TournamentRun(4).start()
    answer = signed_in(run.users[0]).post(address_of(run.tournament, what), follow=True)
    text = answer.content.decode()
    assert reason in text
    assert "is returned at once" not in text
    assert 'name="confirmed"' not in text


@pytest.mark.parametrize("format", ["KNOCKOUT", "ROUND_ROBIN", "DOUBLE_ROUND_ROBIN", "SWISS"])
@pytest.mark.parametrize("size", [5, 8])
def test_the_page_shows_a_tournament_from_the_entry_to_the_end(
    client: Client, format: str, size: int
) -> None:
    run = TournamentRun(size, absent=1, format=format)
    names = [user.username for user in run.users]

    def shown() -> str:
        response = client.get(address_of(run.tournament))
        assert response.status_code == 200
        text = response.content.decode()
        assert all(name in text for name in names)
        return text

    assert run.tournament.commitment in shown()
    assert client.get(address_of(run.tournament, "draw")).status_code == 404
    run.start()
    while run.tournament.state == State.RUNNING:
        assert run.tournament.secret in shown()
        assert_draw_holds(client, run.tournament)
        run.play_round()
    text = shown()
    assert "won the tournament." in text or "share first place." in text
    assert "by forfeit" in text
    assert_draw_holds(client, run.tournament)


def assert_draw_holds(client: Client, tournament: Tournament) -> None:
    data = json.loads(client.get(address_of(tournament, "draw")).content)
    check = check_draw(data)
    assert not check.faults
    assert is_right(data)


@pytest.mark.parametrize("format", ["KNOCKOUT", "SWISS"])
def test_queries_of_the_page_do_not_grow_with_the_entrants(
    client: Client, format: str, django_assert_num_queries, django_assert_max_num_queries
) -> None:
    few, many = (TournamentRun(size, format=format).start() for size in (4, 16))
    with django_assert_max_num_queries(14) as first:
        client.get(address_of(few.tournament))
    with django_assert_num_queries(len(first)):
        client.get(address_of(many.tournament))


def test_a_second_reader_causes_no_part_to_be_rendered_again(client: Client, monkeypatch) -> None:
    run = TournamentRun(20).start()
    address = address_of(run.tournament)
    first = client.get(address).content.decode()
    rendered: list[str] = []
    render = kept_parts.render_to_string
    monkeypatch.setattr(
        kept_parts,
        "render_to_string",
        lambda template, context: rendered.append(template) or render(template, context),
    )
    assert "Round 1 began." in first
    assert client.get(address).status_code == 200
    assert rendered == []
    run.tables()[0].win(Side.WHITE)
    assert " beat " in client.get(address).content.decode()
    assert "tournaments/sheet/_rounds.html" in rendered


def test_a_renamed_entrant_is_shown_at_once(client: Client) -> None:
    run = TournamentRun(4).start()
    client.get(address_of(run.tournament))
    User.objects.filter(pk=run.users[0].pk).update(username="renamed77")
    assert "renamed77" in client.get(address_of(run.tournament)).content.decode()


def test_a_large_bracket_is_collapsed_and_the_readers_matches_are_open(client: Client) -> None:
    run = TournamentRun(20).start()
    player = run.tables()[0].users[Side.WHITE]
    anyone = client.get(address_of(run.tournament)).content.decode()
    own = signed_in(player).get(address_of(run.tournament)).content.decode()
    for text in (anyone, own):
        assert '<details class="tournament-large"><summary>Show the whole bracket' in text
        assert text.count("<details open>") == 1  # the round in play
    assert "Your matches" in own
    assert "Your matches" not in anyone


@pytest.mark.parametrize("format", ["ROUND_ROBIN", "SWISS"])
def test_only_the_readers_own_line_is_marked(client: Client, format: str) -> None:
    run = TournamentRun(4, format=format).start()
    own, other = (signed_in(user) for user in run.users[:2])
    for _ in range(2):
        assert (
            client.get(address_of(run.tournament)).content.decode().count('<tr class="own">') == 0
        )
        texts = [each.get(address_of(run.tournament)).content.decode() for each in (own, other)]
        lines = [
            re.search(r'<tr class="own">.*?<th scope="row">(\w+)', text, re.S) for text in texts
        ]
        assert [line and line[1] for line in lines] == [user.username for user in run.users[:2]]


def test_the_live_part_answers_only_when_something_changed(client: Client) -> None:
    made = announced()
    first = client.get(address_of(made, "live"))
    assert first.status_code == 200
    seen = first.context["sheet"].stamp
    assert client.get(address_of(made, "live"), {"seen": seen}).status_code == 204
    enter(made, members(1), made.created_at)
    assert client.get(address_of(made, "live"), {"seen": seen}).status_code == 200


def test_the_live_part_leads_a_visitor_to_sign_in_and_back_to_the_page(client: Client) -> None:
    made = announced()
    part = client.get(address_of(made, "live")).content.decode()
    assert part.count(f'?next={address_of(made)}"') == 2
    assert f"?next={address_of(made, 'live')}" not in part


def test_the_page_of_a_stopped_tournament_leads_to_no_table_in_play() -> None:
    run = TournamentRun(4).start()
    reader = signed_in(run.tables()[0].users[Side.WHITE])
    signs = ("Go to the table", "pairing is-live", ">Watch<")
    running = reader.get(address_of(run.tournament)).content.decode()
    assert all(sign in running for sign in signs)
    assert staff.void(run.tournament.pk, Ruling("Rain", run.users[0].pk), run.now)
    stopped = reader.get(address_of(run.tournament)).content.decode()
    assert not any(sign in stopped for sign in signs)


@pytest.mark.parametrize("format", ["ROUND_ROBIN", "SWISS"])
def test_the_table_of_a_stopped_tournament_shows_no_match_in_progress(format: str) -> None:
    run = TournamentRun(4, format=format).start()
    run.tables()[0].win(Side.WHITE)
    signs = ("mark-open", "in progress</span>")
    running = Client().get(address_of(run.tournament)).content.decode()
    assert all(sign in running for sign in signs)
    assert staff.void(run.tournament.pk, Ruling("Rain", run.users[0].pk), run.now)
    stopped = Client().get(address_of(run.tournament)).content.decode()
    assert not any(sign in stopped for sign in signs)
    assert (stopped.count("mark-won"), stopped.count("mark-lost")) == (1, 1)


def test_the_page_links_to_the_players_own_table() -> None:
    run = TournamentRun(4).start()
    table = run.tables()[0]
    player = next(iter(table.users.values()))
    address = reverse("games:match", args=[table.match.public_id])
    assert f'href="{address}"' in signed_in(player).get(address_of(run.tournament)).content.decode()


def test_the_calendar_file_names_the_start_and_the_zone(client: Client) -> None:
    made = announced(name="Кубок; вечер, финал и очень длинное название турнира")
    client.cookies["zone"] = "Asia/Tbilisi"
    response = client.get(address_of(made, "calendar"))
    assert response["Content-Type"].startswith("text/calendar")
    raw = response.content
    assert all(len(line) <= 75 for line in raw.split(b"\r\n"))
    text = raw.decode().replace("\r\n ", "")
    assert f"DTSTART:{made.starts_at:%Y%m%dT%H%M%SZ}\r\n" in text
    assert "X-WR-TIMEZONE:Asia/Tbilisi\r\n" in text
    assert "SUMMARY:Кубок\\; вечер\\, финал" in text
    assert f"URL:http://testserver{address_of(made)}\r\n" in text
