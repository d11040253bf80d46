"""Staff create tournaments and schedules in the admin, and decide with a reason."""

from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config.personal_data import data_of
from games.services.dice import unseal
from tests.accounts.factories import UserFactory
from tests.tournaments.factories import TournamentRun, announced, daily_schedule
from tests.wallet.factories import total_of
from tournaments.models import Entrant, Fixture, Schedule, SeasonPoints, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.portable]
LIST = reverse("admin:tournaments_tournament_changelist")
TERMS = {
    "name": "Autumn cup",
    "format": "KNOCKOUT",
    "fee_credits": "50",
    "prize_credits": "",
    "house_percent": "10",
    "min_entrants": "4",
    "max_entrants": "32",
    "extend_minutes": "15",
    "variant": "long",
    "length": "5",
    "seconds": "20",
    "cube": "usual",
}


@pytest.fixture
def staff() -> Client:
    browser = Client()
    browser.force_login(UserFactory(username="staff", staff=True))
    return browser


def act(staff: Client, model: str, row, action: str, **answers):
    address = reverse(f"admin:tournaments_{model}_changelist")
    data = {"action": action, "_selected_action": [row.pk], "reason": "Flood", **answers}
    asked = staff.post(address, data)
    assert asked.status_code == 200
    return staff.post(address, {**data, "confirmed": "yes"})


def test_staff_announce_a_tournament(staff) -> None:
    page = staff.get(reverse("admin:tournaments_tournament_add"))
    assert page.status_code == 200
    starts_at = timezone.localtime(timezone.now() + timedelta(days=1))
    data = {**TERMS, "starts_at_0": f"{starts_at:%Y-%m-%d}", "starts_at_1": f"{starts_at:%H:%M}"}
    answer = staff.post(reverse("admin:tournaments_tournament_add"), data)
    assert answer.status_code == 302, answer.content.decode()[:3000]
    made = Tournament.objects.get()
    assert (made.state, made.variant, made.match_rules.length) == ("ANNOUNCED", "long", 5)
    assert made.match_rules.delay_ms == 20_000
    assert made.created_by.username == "staff"
    assert LogEntry.objects.filter(object_id=str(made.pk)).exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"min_entrants": "1"},
        {"name": ""},
        {"prize_credits": "0"},
        {"starts_at_0": "2020-01-01"},
        {"starts_at_0": "9999-12-31"},
        {"length": "99"},
    ],
    ids=str,
)
def test_a_tournament_of_invalid_terms_is_not_announced(staff, wrong) -> None:
    data = {**TERMS, "starts_at_0": "2099-01-01", "starts_at_1": "12:00", **wrong}
    answer = staff.post(reverse("admin:tournaments_tournament_add"), data)
    assert answer.status_code == 200
    assert not Tournament.objects.exists()


def test_a_round_robin_of_too_many_entrants_is_refused_with_the_reason(staff) -> None:
    data = {
        **TERMS, "starts_at_0": "2099-01-01", "starts_at_1": "12:00",
        "format": "ROUND_ROBIN", "max_entrants": "33",
    }  # fmt: skip
    answer = staff.post(reverse("admin:tournaments_tournament_add"), data)
    assert "A round robin has at most 32 players" in answer.content.decode()
    assert not Tournament.objects.exists()
    staff.post(reverse("admin:tournaments_tournament_add"), {**data, "max_entrants": "32"})
    assert Tournament.objects.get().max_entrants == 32


def test_staff_store_a_schedule_and_change_it(staff) -> None:
    schedule = {
        **TERMS, "repeats": "DAILY", "weekday": "", "local_time": "20:00",
        "time_zone": "Europe/Istanbul", "announce_before": "24",
    }  # fmt: skip
    answer = staff.post(reverse("admin:tournaments_schedule_add"), schedule)
    assert answer.status_code == 302, answer.content.decode()[:3000]
    made = Schedule.objects.get()
    assert made.next_at > timezone.now()
    assert made.variant == "long"
    address = reverse("admin:tournaments_schedule_change", args=[made.pk])
    shown = staff.get(address).context["adminform"].form.initial
    assert (shown["length"], shown["seconds"]) == (5, 20)
    staff.post(address, {**schedule, "length": "7", "weekday": "2", "repeats": "WEEKLY"})
    made.refresh_from_db()
    assert (made.match_rules.length, made.weekday) == (7, 2)


def test_staff_void_a_tournament_and_the_timeline_has_the_reason(staff) -> None:
    run = TournamentRun(2).start()
    act(staff, "tournament", run.tournament, "void")
    run.tournament.refresh_from_db()
    assert run.tournament.state == "VOID"
    assert [total_of(user) for user in run.users] == [1000, 1000]
    assert run.tournament.timeline.filter(event="VOID", reason="Flood").exists()


def test_staff_postpone_a_tournament(staff) -> None:
    tournament = announced()
    act(staff, "tournament", tournament, "postpone", starts_at="2099-12-01 19:00")
    tournament.refresh_from_db()
    assert tournament.starts_at.year == 2099


def test_a_tournament_is_not_postponed_to_the_last_year_of_the_calendar(staff) -> None:
    tournament = announced()
    data = {
        "action": "postpone", "_selected_action": [tournament.pk], "reason": "Flood",
        "starts_at": "9999-12-31T23:59-05:00", "confirmed": "yes",
    }  # fmt: skip
    answer = staff.post(LIST, data)
    assert answer.status_code == 422
    assert "Enter a valid date/time." in answer.content.decode()


def test_two_tournaments_of_a_schedule_cannot_be_postponed_to_one_start(staff) -> None:
    schedule = daily_schedule(timezone.now())
    first, other = announced(name="First cup"), announced(name="Other cup")
    Tournament.objects.filter(pk=first.pk).update(schedule=schedule)
    starts_at = other.starts_at + timedelta(days=1)
    Tournament.objects.filter(pk=other.pk).update(schedule=schedule, starts_at=starts_at)
    data = {
        "action": "postpone", "_selected_action": [first.pk, other.pk], "reason": "Flood",
        "starts_at": "2099-12-01 19:00", "confirmed": "yes",
    }  # fmt: skip
    text = staff.post(LIST, data, follow=True).content.decode()
    assert "Another tournament of the same schedule has this start." in text
    years = Tournament.objects.order_by("pk").values_list("starts_at__year", flat=True)
    assert sorted(years)[0] < sorted(years)[1] == 2099
    moved = first if years[0] == 2099 else other
    assert f"Done: {moved}." in text


def test_an_action_that_every_row_refuses_shows_the_refusal_alone(staff) -> None:
    schedule = daily_schedule(timezone.now())
    first, other = announced(name="First cup"), announced(name="Other cup")
    starts_at = other.starts_at + timedelta(days=1)
    Tournament.objects.filter(pk=first.pk).update(schedule=schedule)
    Tournament.objects.filter(pk=other.pk).update(schedule=schedule, starts_at=starts_at)
    act(staff, "tournament", first, "postpone", starts_at="2099-12-01 19:00")
    data = {
        "action": "postpone", "_selected_action": [other.pk], "reason": "Flood",
        "starts_at": "2099-12-01 19:00", "confirmed": "yes",
    }  # fmt: skip
    text = staff.post(LIST, data, follow=True).content.decode()
    assert "Another tournament of the same schedule has this start." in text
    assert "Nothing to change." not in text


def test_staff_remove_an_entrant_and_adjudicate(staff) -> None:
    run = TournamentRun(4).start()
    one, other = run.open_fixtures()
    act(staff, "entrant", one.first, "remove")
    act(staff, "fixture", other, "adjudicate", winner="nobody")
    one.refresh_from_db()
    other.refresh_from_db()
    assert one.winner_id == one.second_id
    assert (other.winner_id, other.cause) == (None, Fixture.Cause.STAFF)


def test_the_question_who_won_names_the_first_entrant_and_the_second(staff) -> None:
    [fixture] = TournamentRun(2).start().open_fixtures()
    first, second = fixture.first.user.username, fixture.second.user.username
    address = reverse("admin:tournaments_fixture_changelist")
    listed = staff.get(address).content.decode()
    assert listed.index(first) < listed.index(second)
    data = {"action": "adjudicate", "_selected_action": [fixture.pk]}
    assert f"{first} – {second}" in staff.post(address, data).content.decode()
    data |= {"action": "remove", "_selected_action": [fixture.first_id]}
    address = reverse("admin:tournaments_entrant_changelist")
    assert f"{first} (" in staff.post(address, data).content.decode()


def test_the_admin_page_does_not_show_the_secret_before_the_draw(staff) -> None:
    tournament = announced()
    page = staff.get(reverse("admin:tournaments_tournament_change", args=[tournament.pk]))
    assert page.status_code == 200
    text = page.content.decode()
    assert tournament.commitment in text
    assert unseal(tournament.sealed_secret).hex() not in text


def test_a_tournament_in_the_admin_cannot_be_edited(staff) -> None:
    tournament = announced()
    address = reverse("admin:tournaments_tournament_change", args=[tournament.pk])
    staff.post(address, {**TERMS, "name": "Other"})
    tournament.refresh_from_db()
    assert tournament.name == "Evening cup"


def test_the_export_has_a_members_entries() -> None:
    run = TournamentRun(2).start().play()
    winner = Entrant.objects.get(prize__isnull=False).user
    [entry] = data_of(winner)["tournaments"]["entries"]
    assert (entry["tournament"], entry["prize_credits"]) == (run.tournament.public_id, 200)


def test_staff_read_the_points_of_the_season_and_change_none(staff) -> None:
    run = TournamentRun(4).start().play()
    points = SeasonPoints.objects.filter(entrant__tournament=run.tournament)
    page = staff.get(
        reverse("admin:tournaments_seasonpoints_changelist"), {"q": run.users[0].username}
    )
    assert list(page.context["cl"].queryset) == list(points.filter(entrant__user=run.users[0]))
    assert run.tournament.public_id in page.content.decode()
    row = reverse("admin:tournaments_seasonpoints_change", args=[points.first().pk])
    assert staff.get(row).status_code == 200
    assert staff.post(row, {"points": 1000}).status_code == 403
    assert staff.get(reverse("admin:tournaments_seasonpoints_add")).status_code == 403
