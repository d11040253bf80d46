"""Pages of leaderboards and ratings: the reader's place, empty states, privacy."""

import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from accounts.closing import services as closing
from accounts.models import Profile
from accounts.profile.countries import names_of_countries
from games.engine.sides import Side
from games.models import Match
from games.models.actor import Actor
from stats import selectors
from stats.forms import LeaderboardForm
from stats.models import RatingChange
from stats.rating_graph import RatingGraph
from stats.services import rating
from stats.services.rebuilding import rebuild
from stats.templatetags.stats import other_player
from tests.games.factories import FriendlySitting, StakeSitting
from tests.stats.test_rating_matches import play
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db


def get(address, user=None, **query):
    client = Client()
    if user:
        client.force_login(user)
    return client.get(address, query)


def page(*args, **query):
    return get(*args, **query).content.decode()


def test_empty_leaderboard_says_that_it_is_empty():
    assert "Nobody is on this leaderboard yet" in page("/leaders/")


def test_leaderboard_shows_players_and_the_readers_place():
    anna, boris = player("anna5"), player("boris")
    play(anna, boris, length=25)
    rating.rate_waiting(timezone.now())
    shown = page("/leaders/", boris)
    assert "anna5" in shown
    assert "Your place: 2." in shown


@pytest.mark.parametrize(
    "query", [{"by": "x"}, {"variant": "../"}, {"country": "Q"}, {"period": ""}]
)
def test_invalid_choice_falls_back_to_the_default(query):
    chosen = re.compile(r'<a[^>]*aria-current="[^"]*"[^>]*>[^<]*|<option[^>]* selected[^>]*>[^<]*')
    default = chosen.findall(page("/leaders/"))
    assert default
    assert chosen.findall(page("/leaders/", **query)) == default


def test_each_rating_change_is_explained():
    anna, boris = player("anna5"), player("boris")
    match = play(anna, boris, Side.BLACK)
    rating.rate_waiting(timezone.now())
    shown = page(reverse("stats:rating", args=[anna.public_id]))
    assert "Lost a match to 1 point against 1500: the chance of winning was 50%." in shown
    assert "\u221210" in shown
    assert reverse("games:review", args=[match.public_id]) in shown


def test_rating_change_that_a_rebuild_corrects_is_shown_corrected_at_once():
    anna, boris = player("anna5"), player("boris")
    play(anna, boris, Side.BLACK)
    rating.rate_waiting(timezone.now())
    RatingChange.objects.filter(user=anna).update(opponent_before=1700)
    address = reverse("stats:rating", args=[anna.public_id])
    assert "against 1700" in page(address)
    rebuild()
    assert "against 1500" in page(address)


def test_a_gain_reduced_by_few_turns_is_explained_to_the_winner_and_not_to_the_loser():
    anna, boris = player("anna5"), player("boris")
    for _ in range(4):
        play(anna, boris, turns=2)
    rating.rate_waiting(timezone.now())
    won, lost = (page(reverse("stats:rating", args=[user.public_id])) for user in (anna, boris))
    assert won.count("Counts 20%: the match ended after a few turns.\n") == 6  # 3 rows x 2 layouts
    assert "Counts 10%: the match ended after a few turns, and these two players met often" in won
    assert "after a few turns" not in lost
    assert "Counts 50%: these two players met often that day." in lost


def test_closed_account_has_no_rating_page():
    anna, boris = player("anna5"), player("boris")
    play(anna, boris)
    rating.rate_waiting(timezone.now())
    closing.close(anna.pk, timezone.now())
    assert Client().get(reverse("stats:rating", args=[anna.public_id])).status_code == 404


@pytest.mark.parametrize("language", ["ru", "en", "tr"])
def test_only_countries_that_rated_members_show_are_offered(language):
    anna, boris, clara, dora = (player(name) for name in ("anna5", "boris", "clara", "dora5"))
    play(anna, boris)
    play(clara, anna)
    rating.rate_waiting(timezone.now())
    shown = ((anna, "TR", True), (boris, "DE", True), (clara, "FR", False), (dora, "IT", True))
    for user, country, shows in shown:
        Profile.objects.filter(user=user).update(country=country, shows_country=shows)
    with override(language):
        offered = list(LeaderboardForm({}).fields["country"].choices)
        there = [each for each in names_of_countries().items() if each[0] in ("TR", "DE")]
        assert offered[1:] == there


def test_chosen_country_without_rated_members_stays_chosen():
    form = LeaderboardForm({"country": "IT"})
    assert form.choice.country == "IT"
    assert [code for code, _ in form.fields["country"].choices] == ["", "IT"]


def test_member_page_opens_with_rating_graph_and_last_ten_matches():
    anna, boris = player("anna5"), player("boris", credits=2000)
    for _ in range(11):
        play(anna, boris)
    rating.rate_waiting(timezone.now())
    shown = page(reverse("people:player", args=[anna.public_id]))
    assert shown.count('class="rating-graph"') == 1
    assert "last 11 matches" in shown
    assert shown.count('class="last-result') == 10
    assert shown.index('class="player-standing"') < shown.index('class="rating-graph"')
    assert shown.index('class="rating-graph"') < shown.index('class="last-result')
    Profile.objects.filter(user=anna).update(shows_record=False)
    hidden = page(reverse("people:player", args=[anna.public_id]))
    assert "rating-graph" not in hidden
    assert "last-result" not in hidden


def test_rating_graph_goes_from_edge_to_edge():
    graph = RatingGraph([1500, 1520, 1480])
    assert graph.line == "M6.0 60.0L300.0 6.0L594.0 114.0"
    assert (graph.first, graph.last, graph.least, graph.most) == (1500, 1480, 1480, 1520)
    steady = RatingGraph([1500, 1501])
    assert steady.line == "M6.0 61.4L594.0 58.6", "a change of one point is drawn nearly flat"


def test_only_players_of_a_match_see_that_it_is_not_rated():
    anna, boris = player("anna5"), player("boris")
    sitting = StakeSitting(anna, boris).sit().start_game()
    sitting.do("resign_match", side=Side.WHITE)
    address = reverse("stats:match", args=[sitting.public_id])
    assert "This match is not rated" in page(address, anna)
    assert "This match is not rated" not in page(address, player("clara"))
    rated = play(anna, boris)
    assert "This match is not rated" not in page(
        reverse("stats:match", args=[rated.public_id]), anna
    )


def test_only_players_of_a_match_wait_for_its_rating():
    anna, boris = player("anna5"), player("boris")
    address = reverse("stats:match", args=[play(anna, boris).public_id])
    assert "being updated" in page(address, anna)
    for reader in (None, player("clara")):
        shown = page(address, reader)
        assert "being updated" not in shown
        assert "hx-get" not in shown


def test_result_of_an_earlier_match_shows_the_rating_of_that_time():
    anna, boris = player("anna5"), player("boris")
    addresses = [reverse("stats:match", args=[play(anna, boris).public_id]) for _ in range(2)]
    rating.rate_waiting(timezone.now())
    first, second = (page(address, anna) for address in addresses)
    assert "your rating was then" in first
    assert "your rating is now" not in first
    assert "your rating is now" in second


def test_leaderboard_leads_to_no_record_that_is_hidden():
    anna, boris = player("anna5"), player("boris")
    play(anna, boris, length=25)
    rating.rate_waiting(timezone.now())
    Profile.objects.filter(user=anna).update(shows_record=False)
    hidden, shown = (reverse("stats:rating", args=[user.public_id]) for user in (anna, boris))
    for reader in (None, boris):
        found = page("/leaders/", reader)
        assert "anna5" in found
        assert f'href="{hidden}?variant' not in found
        assert f'href="{shown}?variant' in found
    assert f'href="{hidden}?variant' in page("/leaders/", anna)


def test_opponent_in_a_match_that_is_not_public_is_named_for_its_players_only():
    anna, boris = player("anna5"), player("boris")
    match = play(anna, boris)
    rating.rate_waiting(timezone.now())
    stranger = player("other5")
    for is_public, expected in ((True, [True, True, True]), (False, [True, False, False])):
        Match.objects.filter(pk=match.pk).update(is_public=is_public)
        for name in ("stats:rating", "people:player"):
            address = reverse(name, args=[anna.public_id])
            assert ["boris" in page(address, user) for user in (anna, None, stranger)] == expected


def test_a_visitor_without_an_account_is_no_player_of_a_match_with_a_guest():
    anna, boris = player("anna5"), player("boris")
    with_guest = FriendlySitting(Actor(user_id=anna.pk)).match
    with_member = FriendlySitting(Actor(user_id=anna.pk), Actor(user_id=boris.pk)).match
    assert [other_player(with_guest, viewer) for viewer in (AnonymousUser(), anna)] == [None, None]
    assert [other_player(with_member, viewer) for viewer in (AnonymousUser(), anna)] == [
        None, boris,
    ]  # fmt: skip


def test_match_that_is_not_public_is_linked_for_its_players_only():
    anna, boris = player("anna5"), player("boris")
    match = play(anna, boris, Side.BLACK)
    rating.rate_waiting(timezone.now())
    Match.objects.filter(pk=match.pk).update(is_public=False)
    address, link = (
        reverse("stats:rating", args=[anna.public_id]),
        reverse("games:review", args=[match.public_id]),
    )
    assert [link in page(address, user) for user in (anna, boris, None, player("other5"))] == [
        True, True, False, False,
    ]  # fmt: skip


def test_a_newcomer_has_an_empty_history():
    assert "No rated matches yet" in page(
        reverse("stats:rating", args=[player("newone").public_id])
    )


def test_hidden_record_is_visible_to_its_owner_only():
    anna = player("anna5")
    anna.profile.shows_record = False
    anna.profile.save()
    address = reverse("stats:rating", args=[anna.public_id])
    assert get(address).status_code == 403
    assert get(address, player("boris")).status_code == 403
    assert get(address, anna).status_code == 200


def test_rating_page_says_until_when_a_rating_is_provisional():
    anna = player("anna5")
    shown = page(reverse("stats:rating", args=[anna.public_id]))
    assert "until 20 points of experience" in shown


def test_page_of_a_player_leads_from_a_name_to_the_player_and_from_a_match_to_its_review():
    anna, boris = player("anna5"), player("boris")
    match = play(anna, boris)
    rating.rate_waiting(timezone.now())
    shown = page(reverse("people:player", args=[anna.public_id]), anna)
    review = reverse("games:review", args=[match.public_id])
    assert f'<a href="{reverse("people:player", args=[boris.public_id])}">boris</a>' in shown
    [text] = re.findall(rf'<a href="{review}">(.*?)</a>', shown, re.DOTALL)
    assert "to 1 point" in text
    assert "boris" not in text


def test_own_page_says_what_the_profile_hides_from_others():
    anna = player("anna5")
    address = reverse("people:player", args=[anna.public_id])
    assert "Only you see the ratings" not in page(address, anna)
    anna.profile.shows_record = False
    anna.profile.save()
    assert "Only you see the ratings" in page(address, anna)
    assert "Only you see the ratings" not in page(address, player("boris"))


def test_reader_who_hides_winnings_sees_why_they_are_not_on_the_leaderboard():
    anna = player("anna5")
    anna.profile.shows_winnings = False
    anna.profile.save()
    assert "hides your winnings" in page("/leaders/", anna, by="winnings")
    assert "hides your winnings" not in page("/leaders/", anna, by="wins")


@pytest.mark.parametrize(
    ("profile", "query", "expected"),
    [
        ({"country": "TR"}, {"by": "wins", "country": "DE"}, "it shows one country"),
        ({"country": ""}, {"by": "rating", "country": "DE"}, "it shows one country"),
        ({"country": "DE", "shows_country": False}, {"by": "wins", "country": "DE"},
         "hides your country"),
        ({"country": "DE"}, {"by": "wins", "country": "DE"}, "you have won no rated match"),
        ({}, {"by": "wins", "period": "month"}, "you have won no rated match"),
        ({}, {"by": "winnings", "period": "day"}, "you have no rated matches in this period"),
        ({}, {"by": "rating"}, "at least 20 points of experience, and you have 1."),
    ],
)  # fmt: skip
def test_page_says_why_the_reader_is_not_on_the_leaderboard(profile, query, expected):
    """If a filter hides the reader's rated match, the page must not ask for more matches."""
    anna, boris = player("anna5"), player("boris")
    if query["by"] != "winnings":
        play(anna, boris)
        rating.rate_waiting(timezone.now())
    for name, value in profile.items():
        setattr(boris.profile, name, value)
    boris.profile.save()
    shown = page("/leaders/", boris, **query)
    reasons = ("it shows one country", "hides your country", "won no rated", "no rated matches",
               "and you have 1.")  # fmt: skip
    assert [reason for reason in reasons if reason in shown] == [
        reason for reason in reasons if reason in expected
    ]
    assert expected in shown


@pytest.mark.parametrize("first_read", ["change_of", "waits_for_rating"])
def test_match_rated_while_its_result_is_read_does_not_stay_without_a_rating(
    monkeypatch, first_read
):
    anna, boris = player("anna5"), player("boris")
    play(anna, boris)
    match = Match.objects.get()
    read = getattr(selectors, first_read)

    def read_and_rate(*args):
        found = read(*args)
        rating.rate_waiting(timezone.now())
        return found

    address = reverse("stats:match", args=[match.public_id])
    with monkeypatch.context() as patched:
        patched.setattr(selectors, first_read, read_and_rate)
        shown = page(address, anna)
    if "your rating is now" not in shown:
        assert f'id="match_rating" class="result-rating" hx-get="{address}"' in shown
        assert "your rating is now" in page(address, anna)
