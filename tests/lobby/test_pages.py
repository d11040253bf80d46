"""Pages of the lobby: announce in two steps, wait, join, take back; texts of refusals."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.closing import services as closing
from accounts.models import Profile, User
from accounts.people import presence
from accounts.selectors import ONLINE_FOR
from games.engine.rules import Rules
from games.models import Match, Seat, Strike
from lobby.models import Seek
from lobby.services import ending, expiry
from tests.games.factories import StakeSitting, give_history
from tests.lobby.factories import SeekFactory, seek_of
from tests.wallet.factories import player
from wallet.selectors import Funds, funds_of

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

LOBBY = "/play/"
CONFIRMED = {"confirmed": "1"}
FORM_DEFAULTS = {
    "variant": "short", "length": "3", "seconds": "30", "stake": "100", "access": "OPEN",
    "opponent": "", "least_rating": "", "most_rating": "", "is_public": "on", "mars": "on",
    "koks": "usual", "cube": "usual", "crawford": "on", "profile": "classic",
    "block": "every_move", "hit": "free",
}  # fmt: skip


@pytest.fixture
def owner() -> User:
    return player("owner5")


@pytest.fixture
def joiner() -> User:
    return player("joiner")


def browser(user: User | None = None) -> Client:
    client = Client()
    if user:
        client.force_login(user)
    return client


def send(user: User, **choices: str) -> Any:
    return browser(user).post("/play/new/", {**FORM_DEFAULTS, **choices})


def waiting(owner: User, **fields: Any) -> Seek:
    return SeekFactory(owner=owner, **fields)


def test_announcing_shows_the_terms_before_the_stake_is_reserved(owner):
    answer = send(owner)
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "to 3 points" in page
    assert "30 seconds for each turn, then 3 minutes of reserve" in page
    assert "+90" in page
    assert "The winner gets 190 credits; the site fee on the profit is 10 credits" in page
    assert not Seek.objects.exists()


@pytest.mark.parametrize("confirmed", ["0", "", "on", "false"])
def test_other_value_of_confirmed_announces_nothing(owner, confirmed):
    assert send(owner, confirmed=confirmed).status_code == 200
    assert not Seek.objects.exists()


def test_a_confirmed_game_waits_with_its_stake_reserved(owner):
    answer = send(owner, confirmed="1", variant="long", stake="250")
    seek = seek_of(owner)
    assert answer["Location"] == reverse("lobby:seek", args=[seek.public_id])
    assert seek.match_rules == Rules.of("long", length=3, delay_ms=30_000)
    assert funds_of(owner.pk) == Funds(750, 250)


def test_the_last_choices_are_remembered(owner):
    client = browser(owner)
    client.post("/play/new/", {**FORM_DEFAULTS, "confirmed": "1", "stake": "37"})
    client.post(reverse("lobby:cancel", args=[seek_of(owner).public_id]))
    assert b'value="37"' in client.get("/play/new/").content


@pytest.mark.parametrize(
    ("choices", "error"),
    [
        ({"stake": "9"}, "The minimum is 10."),
        ({"stake": str(2**31)}, "The maximum is 1000000."),
        ({"stake": str(2**64)}, "The maximum is 1000000."),
        ({"stake": "9" * 5000}, "Enter a whole number."),
        ({"stake": "1500"}, "You are 500 credits short"),
        ({"seconds": "0"}, "Select a valid choice"),
        ({"access": "PERSON", "opponent": "nobody5"}, "There is no player with this login"),
        ({"access": "PERSON", "opponent": " "}, "Enter your opponent’s login."),
        ({"access": "PERSON", "opponent": "OWNER5"}, "That is you"),
        ({"least_rating": "1600", "most_rating": "1500"}, "below the minimum"),
        ({"length": "1", "cube": "on"}, "A match to 1 point has no cube"),
    ],
)
def test_invalid_choice_is_explained_at_its_field(owner, choices, error):
    answer = send(owner, confirmed="1", **choices)
    assert answer.status_code == 422
    assert error in answer.content.decode()
    assert not Seek.objects.exists()


@pytest.mark.parametrize(
    "choices",
    [{name: "x"} for name in ("koks", "cube", "profile", "block", "hit")],
)
def test_collapsed_rules_open_when_one_of_them_has_an_error(owner, choices):
    page = send(owner, confirmed="1", **choices).content.decode()
    assert '<details class="card advanced" open>' in page


def test_stake_above_the_maximum_is_refused_even_if_the_member_has_it():
    rich = player("rich", credits=2**33)
    answer = send(rich, confirmed="1", stake=str(2**31))
    assert answer.status_code == 422
    assert "The maximum is 1000000." in answer.content.decode()
    assert "From 10 to 1000000 credits." in browser(rich).get("/play/new/").content.decode()
    assert not Seek.objects.exists()


@pytest.mark.parametrize("stake", [2**31, 2**64, 10**30, -(2**64)])
def test_filter_by_a_stake_outside_the_columns_range_is_ignored(owner, joiner, stake):
    seek = waiting(owner)
    for name in ("least_stake", "most_stake"):
        page = browser(joiner).get(LOBBY, {name: str(stake)})
        assert seek.public_id in page.content.decode()


def test_joining_leads_to_the_table(owner, joiner):
    seek = waiting(owner)
    answer = browser(joiner).post(reverse("lobby:join", args=[seek.public_id]), CONFIRMED)
    match = Match.objects.get()
    assert answer["Location"] == reverse("games:match", args=[match.public_id])
    address = reverse("lobby:seek", args=[seek.public_id])
    assert browser(owner).get(address)["Location"] == answer["Location"]
    asked_again = browser(owner).get(address, headers={"HX-Request": "true"})
    assert asked_again["HX-Redirect"] == answer["Location"]


def test_repeated_post_redirects_like_the_first(owner, joiner):
    for _ in range(2):
        announced = send(owner, confirmed="1", stake="1000")
        assert announced["Location"] == reverse("lobby:seek", args=[seek_of(owner).public_id])
    address = reverse("lobby:join", args=[waiting(joiner).public_id])
    third = browser(player("third5"))
    tables = [third.post(address, CONFIRMED)["Location"] for _ in range(2)]
    assert tables == [reverse("games:match", args=[Match.objects.get().public_id])] * 2


@pytest.mark.parametrize(
    "other", [{"stake": "200"}, {"length": "5"}, {"is_public": ""}, {"access": "LINK"}]
)
def test_second_announcement_with_other_terms_is_refused(owner, other):
    send(owner, confirmed="1")
    for step in ({}, {"confirmed": "1"}):
        answer = send(owner, **step, **other)
        assert answer.status_code == 409
        page = answer.content.decode()
        assert "You already have an open game" in page
        assert reverse("lobby:seek", args=[seek_of(owner).public_id]) in page
    assert seek_of(owner).stake_credits == 100


def test_canceling_an_unknown_game_leads_to_the_list_with_the_reason(owner):
    address = reverse("lobby:cancel", args=["AbCdEf123456"])
    answer = browser(owner).post(address, follow=True)
    assert answer.redirect_chain == [(LOBBY, 302)]
    assert "no longer open" in answer.content.decode()


def test_the_waiting_room_goes_on_until_the_worker_has_renewed_the_game(owner, joiner):
    seek = waiting(owner, is_renewed=True)
    Seek.objects.update(expires_at=timezone.now())
    address = reverse("lobby:seek", args=[seek.public_id])
    for _ in range(2):
        part = browser(owner).get(address, headers={"HX-Request": "true"}).content.decode()
        assert "Waiting for an opponent" in part
        assert "every 4s" in part  # otherwise the page would not ask again
        expiry.settle_due(timezone.now())
    assert seek_of(owner).expires_at > timezone.now()


def test_the_waiting_room_closes_once_the_game_has_expired(owner):
    seek = waiting(owner)
    Seek.objects.update(expires_at=timezone.now())
    expiry.settle_due(timezone.now())
    address = reverse("lobby:seek", args=[seek.public_id])
    part = browser(owner).get(address, headers={"HX-Request": "true"}).content.decode()
    assert "Nobody joined in time" in part
    assert "every 4s" not in part


def test_game_of_an_offline_owner_is_not_listed_until_the_owner_is_back(owner, joiner):
    seek = waiting(owner)
    Seek.objects.update(created_at=timezone.now() - ONLINE_FOR - timedelta(seconds=1))
    presence.touch(owner.pk, timezone.now() - ONLINE_FOR - timedelta(seconds=1))
    address = reverse("lobby:seek", args=[seek.public_id]).encode()
    assert address not in browser(joiner).get(LOBBY).content
    assert seek.public_id in browser(owner).get(LOBBY).content.decode()
    browser(owner).get(reverse("lobby:seek", args=[seek.public_id]))
    assert address in browser(joiner).get(LOBBY).content


def test_too_few_credits_lead_back_to_the_game_with_the_shortfall(owner):
    seek = waiting(owner, stake=500)
    poor = player("poor5", credits=380)
    join = reverse("lobby:join", args=[seek.public_id])
    answer = browser(poor).post(join, CONFIRMED, follow=True)
    assert "You are 120 credits short of this stake" in answer.content.decode()
    assert not Match.objects.exists()


def test_a_stake_above_the_credits_leads_to_gifts_and_back_to_the_same_choices(owner):
    client = browser(owner)
    refused = client.post("/play/new/", {**FORM_DEFAULTS, "stake": "1500", "length": "7"})
    assert refused.status_code == 422
    page = refused.content.decode()
    assert f'{reverse("shop:gifts")}?next=/play/new/%3Fstake%3D1500"' in page
    form = client.get("/play/new/?stake=1500").context["form"]
    assert (form["stake"].value(), form["length"].value()) == (1500, 7)


def test_credits_spent_since_the_form_was_checked_lead_back_to_it_too(monkeypatch):
    """Another window reserves credits between the check and the reservation of the stake."""
    monkeypatch.setattr("lobby.views.seeks.funds_of", lambda user_id: Funds(900, 0))
    poor = player("poor5", credits=400)
    give_history(poor)
    answer = send(poor, confirmed="1", stake="900", length="7")
    assert (answer.status_code, answer["Refusal"]) == (422, "no_credits")
    page = answer.content.decode()
    assert "You are 500 credits short of this stake" in page
    assert f'{reverse("shop:gifts")}?next=/play/new/%3Fstake%3D900"' in page
    form = answer.context["form"]
    assert (form["stake"].value(), form["length"].value()) == ("900", "7")


def test_a_challenge_leads_back_to_the_challenged_person(owner, joiner, settings):
    chosen = {"access": "PERSON", "opponent": "joiner"}
    challenge = reverse("lobby:challenge", args=[joiner.public_id])
    short = send(owner, **chosen, stake="1500").content.decode()
    assert f'{reverse("shop:gifts")}?next={challenge}%3Fstake%3D1500"' in short
    form = browser(owner).get(challenge, {"stake": "1500"}).context["form"]
    assert (form["stake"].value(), form["opponent"].value()) == (1500, "joiner")
    settings.MINIMUM_AGE = 18
    of_unknown_age = send(owner, **chosen).content.decode()
    assert f"{reverse('wallet:age')}?next={challenge.replace('/', '%2F')}" in of_unknown_age


def test_gifts_lead_back_to_the_chosen_quick_game():
    page = browser(player("empty5", credits=0)).get("/play/new/?quick=fast").content.decode()
    assert f'{reverse("shop:gifts")}?next=/play/new/%3Fquick%3Dfast"' in page
    assert "From 10 to 0" not in page


@pytest.mark.parametrize(("credits", "stake"), [(5, 10), (60, 60), (1000, 100)])
def test_the_form_offers_a_stake_within_the_credits_but_not_below_the_minimum(credits, stake):
    form = browser(player("poor5", credits=credits)).get("/play/new/").context["form"]
    assert form["stake"].value() == stake


def test_joining_a_canceled_game_explains_that_it_is_gone(owner, joiner):
    seek = waiting(owner)
    ending.cancel(seek.public_id, owner, timezone.now())
    answer = browser(joiner).post(reverse("lobby:join", args=[seek.public_id]), follow=True)
    assert "no longer open" in answer.content.decode()


def test_page_of_a_game_hides_the_stored_name_of_a_closed_account(owner, joiner):
    seek = waiting(owner)
    ending.cancel(seek.public_id, owner, timezone.now())
    closing.close(owner.pk, timezone.now())
    owner.refresh_from_db()
    shown = browser(joiner).get(reverse("lobby:seek", args=[seek.public_id])).content.decode()
    assert "<title>A game with Closed account" in shown
    assert owner.username not in shown


def test_declined_challenge_hides_the_stored_name_of_a_closed_account(owner, joiner):
    seek = waiting(owner, access=Seek.Access.PERSON, invited_id=joiner.pk)
    ending.decline(seek.public_id, joiner, timezone.now())
    closing.close(joiner.pk, timezone.now())
    joiner.refresh_from_db()
    shown = browser(owner).get(reverse("lobby:seek", args=[seek.public_id])).content.decode()
    assert "Closed account declined it" in shown
    assert "Closed account declined your game" in shown
    assert joiner.username not in shown


def test_refusals_have_their_code_in_a_header(owner, joiner):
    seek = waiting(owner, stake=500)
    address = reverse("lobby:join", args=[seek.public_id])
    assert browser(player("poor5", credits=380)).post(address, CONFIRMED)["Refusal"] == "no_credits"
    assert browser(owner).post(address)["Refusal"] == "own"
    assert send(owner, confirmed="1")["Refusal"] == "announced"
    assert send(joiner, stake="9")["Refusal"] == "invalid"
    ending.cancel(seek.public_id, owner, timezone.now())
    for name in ("join", "cancel", "decline"):
        url = reverse(f"lobby:{name}", args=[seek.public_id if name == "join" else "x"])
        assert browser(joiner).post(url)["Refusal"] == "gone"
    assert "Refusal" not in send(joiner, confirmed="1").headers


def test_taking_a_game_back_makes_its_stake_available_again(owner):
    seek = waiting(owner)
    answer = browser(owner).post(reverse("lobby:cancel", args=[seek.public_id]), follow=True)
    assert "Your stake is available again" in answer.content.decode()
    assert funds_of(owner.pk) == Funds(1000, 0)


def test_others_neither_see_nor_cancel_a_challenge(owner, joiner):
    friend = player("friend")
    seek = waiting(owner, access=Seek.Access.PERSON, invited_id=friend.pk)
    address = reverse("lobby:seek", args=[seek.public_id])
    assert browser(friend).get(address).status_code == 200
    for stranger in (browser(), browser(joiner)):
        assert stranger.get(address).status_code == 404
        assert seek.public_id not in stranger.get(LOBBY).content.decode()
    browser(joiner).post(reverse("lobby:cancel", args=[seek.public_id]))
    assert seek_of(owner) == seek


def test_a_game_by_link_is_found_by_its_link_alone(owner, joiner):
    seek = waiting(owner, access=Seek.Access.LINK)
    assert seek.public_id not in browser(joiner).get(LOBBY).content.decode()
    assert browser(joiner).get(reverse("lobby:seek", args=[seek.public_id])).status_code == 200


def test_visitors_see_games_but_cannot_join(owner):
    seek = waiting(owner)
    page = browser().get(LOBBY).content.decode()
    assert seek.public_id in page
    assert "Create account" in page
    answer = browser().post(reverse("lobby:join", args=[seek.public_id]))
    assert answer["Location"].startswith("/account/login/")


def test_the_list_is_filtered(owner, joiner):
    short, long = waiting(owner, stake=50), waiting(player("third"), variant="long", stake=900)
    client = browser(joiner)

    def listed(**choices):
        page = client.get(LOBBY, choices).content.decode()
        return {seek for seek in (short, long) if seek.public_id in page}

    assert listed() == {short, long}
    assert listed(variant="long") == {long}
    assert listed(most_stake=100) == {short}
    poor = player("poor5", credits=60)
    client = browser(poor)
    assert listed(joinable="on") == {short}


@pytest.mark.parametrize("why", ["plays", "suspended", "unactivated"])
def test_member_who_cannot_join_sees_no_joinable_games(owner, joiner, why):
    strike = {"kind": Strike.Kind.NO_START, "created_at": timezone.now()}
    if why == "unactivated":
        User.objects.filter(pk=joiner.pk).update(activated_at=None)
    else:
        sitting = StakeSitting(joiner, player("other5"))
    if why == "suspended":
        second = StakeSitting(player("third5"), player("fourth5"))
        for each in (sitting.sit(), second):
            Strike.objects.create(user=joiner, match=each.match, **strike)
        sitting.start_game().do("resign_match")
    waiting(owner)
    page = browser(joiner).get(LOBBY, {"order": ""}).content.decode()
    assert "game to join" not in page
    assert 'hx-target="#agreement"' not in page


def test_the_last_filter_is_remembered_until_it_is_cleared(owner, joiner):
    short, long = waiting(owner, stake=50), waiting(player("third"), variant="long", stake=900)
    client = browser(joiner)
    for address, expected in (
        (LOBBY + "?least_stake=100&order=low", {long}),
        (LOBBY, {long}),
        ("/play/list/", {long}),
        (LOBBY + "?order=", {short, long}),
        (LOBBY, {short, long}),
        (LOBBY + "?speed=fast&variant=short", {short}),
        (LOBBY + "?speed=slow", set()),
    ):
        page = client.get(address).content.decode()
        assert {seek for seek in (short, long) if seek.public_id in page} == expected, address


def test_an_order_alone_is_no_filter(joiner):
    page = browser(joiner).get(LOBBY, {"order": "high"}).content.decode()
    assert "There are no open games at the moment" in page
    assert "Show all games" not in page


def test_filter_by_joinable_games_of_a_member_is_not_applied_to_the_next_visitor(owner, settings):
    seek = waiting(owner, stake=500)
    client = browser(player("poor5", credits=60))
    assert seek.public_id not in client.get(LOBBY, {"joinable": "on"}).content.decode()
    del client.cookies[settings.SESSION_COOKIE_NAME]
    assert seek.public_id in client.get(LOBBY).content.decode()


def test_the_lists_are_ordered_by_stake_when_asked(owner, joiner):
    low, high = waiting(owner, stake=50), waiting(player("third"), stake=900)
    for order, first, last in (("high", high, low), ("low", low, high), ("", high, low)):
        page = browser(joiner).get(LOBBY, {"order": order}).content.decode()
        assert page.index(first.public_id) < page.index(last.public_id)


def test_announcing_is_rate_limited(owner, settings):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"announce": "1/h/user"}
    client = browser(owner)
    assert client.post("/play/new/", {**FORM_DEFAULTS, "confirmed": "1"}).status_code == 302
    assert client.post("/play/new/", {**FORM_DEFAULTS, "confirmed": "1"}).status_code == 429
    assert Seek.objects.count() == 1


def test_list_names_every_option_of_an_announced_game(owner, joiner):
    waiting(owner, length=3, rules={"parity": True}, least_rating=1400, is_public=False)
    page = browser(joiner).get(LOBBY).content.decode()
    for word in ("cube", "mars", "koks", "parity", "rating from 1400", "no spectators"):
        assert f"</svg>{word}</li>" in page


def test_game_in_play_is_listed_with_details_and_has_a_page(owner, joiner):
    match = StakeSitting(owner, joiner, length=5).match
    page = browser().get(LOBBY).content.decode()
    for part in ("owner5", "joiner", "to 5 points", "20 s a turn", "1500?", "Watch"):
        assert part in page
    details = reverse("lobby:running", args=[match.public_id])
    assert details in page
    shown = browser().get(details).content.decode()
    assert "20 seconds for each turn, then 5 minutes of reserve" in shown
    assert "Everyone can watch" in shown
    assert "Play on" in browser(owner).get(details).content.decode()


def test_players_and_score_of_a_game_in_play_have_one_order(owner, joiner):
    match = StakeSitting(owner, joiner, length=5).match
    white, black = (match.seats.get(user=user) for user in (owner, joiner))
    for seat, side in ((white, "-"), (black, "white"), (white, "black")):  # Black's row comes first
        Seat.objects.filter(pk=seat.pk).update(side=side)
    Match.objects.filter(pk=match.pk).update(snapshot=match.snapshot | {"score": [2, 1]})
    for address in (LOBBY, reverse("lobby:running", args=[match.public_id])):
        page = browser().get(address).content.decode()
        assert page.index("joiner") < page.index("owner5") < page.index("2 : 1")


def test_private_game_in_play_is_visible_to_its_players_only(owner, joiner):
    match = StakeSitting(owner, joiner, is_public=False).match
    details = reverse("lobby:running", args=[match.public_id])
    assert details not in browser().get(LOBBY).content.decode()
    assert browser().get(details).status_code == 404
    assert browser(joiner).get(details).status_code == 200


def test_shortfall_offers_a_smaller_stake_and_a_link_back(owner):
    seek = waiting(owner, stake=500)
    client = browser(player("poor5", credits=380))
    address = reverse("lobby:seek", args=[seek.public_id])
    page = client.get(address).content.decode()
    assert "/play/new/?stake=250" in page
    assert 'value="250"' in client.get("/play/new/?stake=250").content.decode()
    gifts = reverse("shop:gifts")
    assert f"{gifts}?next={address}" in page
    assert f'href="{address}">' in client.get(gifts, {"next": address}).content.decode()
    elsewhere = client.get(gifts, {"next": "https://example.com/"}).content.decode()
    assert "Back to the game" not in elsewhere
    penniless = browser(player("empty5", credits=0)).get("/play/new/").content.decode()
    assert "the minimum stake is 10" in penniless


def test_the_strips_of_the_table_name_the_players_with_flag_and_rating(owner, joiner):
    Profile.objects.filter(user=joiner).update(country="TR")
    Profile.objects.filter(user=owner).update(country="DE", shows_country=False)
    match = StakeSitting(owner, joiner).match
    address = reverse("games:match", args=[match.public_id])
    for client in (browser(owner), browser()):
        page = client.get(address).content.decode()
        for person in (owner, joiner):
            assert reverse("people:card", args=[person.public_id]) in page
        assert "flags/tr.svg" in page
        assert "flags/de.svg" not in page
        assert page.count("Rating, provisional:") == 2


def test_an_expired_game_is_not_listed(owner, joiner):
    seek = waiting(owner)
    Seek.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert seek.public_id not in browser(joiner).get(LOBBY).content.decode()


def test_challenge_form_starts_with_the_persons_login(owner, joiner):
    page = browser(owner).get(reverse("lobby:challenge", args=[joiner.public_id]))
    assert 'value="joiner"' in page.content.decode()
    own = browser(owner).get(reverse("lobby:challenge", args=[owner.public_id]))
    assert own["Location"] == reverse("people:player", args=[owner.public_id])


def test_the_list_takes_as_many_queries_for_many_games_as_for_one(owner, joiner):
    client = browser(joiner)
    waiting(owner)
    client.get(LOBBY)
    with CaptureQueriesContext(connection) as one:
        client.get(LOBBY)
    for number in range(6):
        waiting(player(f"many{number}"))
    client.get(LOBBY)  # refills the short-lived caches, which may have expired
    with CaptureQueriesContext(connection) as many:
        client.get(LOBBY)
    assert len(many) == len(one) <= 38


def test_rating_range_of_a_challenge_is_ignored_even_if_it_cannot_be_read(owner, joiner):
    malformed = {"least_rating": "x", "most_rating": "900"}
    answer = send(owner, access="PERSON", opponent="joiner", confirmed="1", stake="25", **malformed)
    assert answer.status_code == 302
    seek = Seek.objects.get(owner=owner)
    assert (seek.least_rating, seek.most_rating) == (None, None)
