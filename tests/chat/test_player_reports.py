"""Reports about a player: limited per day, with the match; staff close them or ban the player."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.shared.refusals import HEADER, Refused
from chat import personal_data
from chat.models import PlayerReport
from chat.services import messages, player_reports
from games.models.actor import Actor
from tests.accounts.factories import UserFactory, member, sign_in, staff
from tests.chat.factories import MessageFactory
from tests.games.factories import FriendlySitting, StakeSitting
from tests.support.races import THREADS, at_once
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db
ADMIN = "/admin/chat/playerreport/"


@pytest.fixture
def anna():
    return member("anna5")


@pytest.fixture
def rude():
    return member("rude55")


def report(reporter, about, cause="THROWN", text="", room=""):
    return player_reports.report(reporter, about, cause, text, room, timezone.now())


def match_of(*players, is_public=False):
    """Return the public id of a friendly match of two members."""
    white, black = (Actor(user_id=user.pk) for user in players)
    return FriendlySitting(white, black, is_public=is_public).public_id


def act(action, *reports):
    chosen = {"action": action, "_selected_action": [each.pk for each in reports]}
    boss = sign_in(Client(), staff("boss5"))
    return boss.post(ADMIN, {**chosen, "confirmed": "yes", "reason": "We looked"})


def test_a_report_is_sent_from_the_players_page_with_the_match(anna, rude):
    annas = sign_in(Client(), anna)
    address, match = f"/chat/report/{rude.public_id}/", match_of(anna, rude)
    assert address in annas.get(f"/player/{rude.public_id}/").content.decode()
    asked = annas.get(f"{address}?match={match}").content.decode()
    assert f'value="{match}"' in asked
    given = {"cause": "HELP", "text": "<b>plays like a program</b>", "match": match}
    assert annas.post(address, given).status_code == 303
    made = PlayerReport.objects.get()
    assert (made.about, made.cause, made.room) == (rude, "HELP", f"match:{match}")


def test_the_card_of_a_player_links_to_the_report_form(anna, rude):
    address = f'href="/chat/report/{rude.public_id}/"'
    card = f"/player/{rude.public_id}/card/"
    part = {"HX-Request": "true"}
    assert address in sign_in(Client(), anna).get(card, headers=part).content.decode()
    for reader in (sign_in(Client(), rude), Client()):  # the player, a visitor
        assert address not in reader.get(card, headers=part).content.decode()


def test_a_repeated_report_without_details_keeps_those_of_the_first(anna, rude):
    report(anna, rude, text="In the third game")
    report(anna, rude)
    assert PlayerReport.objects.get().text == "In the third game"
    report(anna, rude, text="In the fourth game")
    assert PlayerReport.objects.get().text == "In the fourth game"


def test_each_line_break_of_the_details_counts_as_one_character(anna, rude):
    given = {"cause": "HELP", "text": "\r\n".join("x" * 250)}  # 499 as the browser counts
    answer = sign_in(Client(), anna).post(f"/chat/report/{rude.public_id}/", given)
    assert answer.status_code == 303


def test_the_fields_of_a_report_name_their_hint_and_their_error(anna, rude):
    client, address = sign_in(Client(), anna), f"/chat/report/{rude.public_id}/"
    assert 'id="id_text_helptext"' in client.get(address).content.decode()
    refused = client.post(address, {"text": ""}).content.decode()
    assert '<p class="error" id="id_cause_error">' in refused


def test_a_report_needs_a_cause(anna, rude):
    answer = sign_in(Client(), anna).post(f"/chat/report/{rude.public_id}/", {"text": "kept"})
    assert answer.status_code == 422
    assert "kept" in answer.content.decode()
    assert not PlayerReport.objects.exists()


def test_malformed_ids_of_a_match_are_left_out(anna, rude):
    annas = sign_in(Client(), anna)
    for odd in ("x", "AbCdEf123456:players", "../../../../"):
        annas.post(f"/chat/report/{rude.public_id}/", {"cause": "OTHER", "match": odd})
    assert PlayerReport.objects.get().room == ""


def test_a_match_is_left_out_if_the_reporter_may_not_see_it_or_the_reported_took_no_part(
    anna, rude
):
    boris, cem = member("boris5"), member("cem555")
    annas, address = sign_in(Client(), anna), f"/chat/report/{rude.public_id}/"
    hidden, of_others = match_of(boris, rude), match_of(boris, cem, is_public=True)
    for match in (hidden, of_others, match_of(anna, boris), "AbCdEf123456"):
        assert 'name="match"' not in annas.get(address, {"match": match}).content.decode()
        assert annas.post(address, {"cause": "CONDUCT", "match": match}).status_code == 303
    assert PlayerReport.objects.get().room == ""


def test_a_report_about_a_spectator_keeps_the_match_in_which_they_wrote(anna, rude):
    match = match_of(member("boris5"), member("cem555"), is_public=True)
    MessageFactory(room=f"match:{match}:watchers", author=rude)
    given = {"cause": "CONDUCT", "match": match}
    sign_in(Client(), anna).post(f"/chat/report/{rude.public_id}/", given)
    assert PlayerReport.objects.get().room == f"match:{match}"


def test_a_repeated_report_changes_the_open_one(anna, rude):
    report(anna, rude, text="First")
    assert report(anna, rude, text="Better").text == "Better"
    assert PlayerReport.objects.count() == 1
    act("close", PlayerReport.objects.get())
    report(anna, rude)
    assert PlayerReport.objects.count() == 2


def test_reports_about_oneself_by_unactivated_accounts_or_too_many_are_refused(
    anna, rude, monkeypatch
):
    with pytest.raises(Refused, match="oneself"):
        report(anna, anna)
    with pytest.raises(Refused, match="not_member"):
        report(UserFactory(), rude)
    monkeypatch.setattr(player_reports, "DAILY", 1)
    report(anna, rude)
    with pytest.raises(Refused, match="too_fast"):
        report(anna, rude, cause="OTHER")
    refused = sign_in(Client(), anna).post(f"/chat/report/{rude.public_id}/", {"cause": "PROFILE"})
    assert (refused.status_code, refused.headers[HEADER]) == (409, "too_fast")


@pytest.mark.django_db(transaction=True)
def test_a_report_sent_many_times_at_once_is_stored_once(anna, rude):
    assert len(set(at_once(lambda _: report(anna, rude).pk))) == 1
    assert PlayerReport.objects.count() == 1
    assert THREADS > 1


def test_staff_read_a_report_with_a_link_to_the_match_and_close_it(anna):
    sitting = StakeSitting(player("white5"), player("black5"))
    about = User.objects.get(username="black5")
    made = report(anna, about, text="<script>x</script>", room=f"match:{sitting.public_id}")
    shown = sign_in(Client(), staff("boss6")).get(f"{ADMIN}{made.pk}/change/").content.decode()
    assert f"/admin/games/match/{sitting.match.pk}/case/" in shown
    assert "<script>x" not in shown
    act("close", made)
    made.refresh_from_db()
    assert made.closed_by.username == "boss5"


def test_a_ban_closes_all_reports_about_the_player(anna, rude):
    reports = [report(anna, rude), report(member("cem55"), rude)]
    act("ban", reports[0])
    assert not User.objects.get(pk=rude.pk).is_active
    assert not PlayerReport.objects.filter(closed_at__isnull=True).exists()


def test_the_export_has_own_reports(anna, rude):
    report(anna, rude, text="Mine")
    assert personal_data.of(anna.pk)["reports_about_players"][0]["text"] == "Mine"
    assert personal_data.of(rude.pk)["reports_about_players"] == []


def test_the_export_has_own_reports_about_messages(anna, rude):
    sent = MessageFactory(author=rude)
    messages.report(anna, sent.pk, timezone.now())
    [row] = personal_data.of(anna.pk)["reports_about_messages"]
    assert row["room"] == sent.room
    assert personal_data.of(rude.pk)["reports_about_messages"] == []
