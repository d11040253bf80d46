"""Joining from the list: the terms are shown first, unless the member skips known terms."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.closing import services as closing
from accounts.models import Preferences, User
from accounts.shared.refusals import Refused
from games.models import Match
from games.services import voiding
from games.stakes.escrow import Ruling
from lobby import personal_data, selectors
from lobby.models import AcceptedTerms, Seek
from lobby.services import ending, joining
from tests.games.factories import give_history
from tests.lobby.factories import SeekFactory
from tests.wallet.factories import player
from wallet.selectors import Funds, funds_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return player("owner5")


@pytest.fixture
def joiner() -> User:
    return player("joiner")


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def waiting(owner: User, **fields: Any) -> Seek:
    return SeekFactory(owner=owner, **fields)


def skip_known_terms(user: User) -> User:
    Preferences.objects.filter(user=user).update(skips_known_terms=True)
    return User.objects.get(pk=user.pk)


def address_of(name: str, seek: Seek) -> str:
    return reverse(f"lobby:{name}", args=[seek.public_id])


def play_on_these_terms(owner: User, joiner: User, **terms: Any) -> None:
    """Let `owner` announce a game and `joiner` join it, then void the match as staff."""
    for user in (owner, joiner):
        give_history(user)
    match = joining.join(waiting(owner, **terms).public_id, joiner, timezone.now())
    voiding.void_by_staff(match.public_id, Ruling("a test", owner.pk), timezone.now())


def test_play_in_the_list_leads_to_the_terms(owner, joiner):
    seek = waiting(owner)
    page = browser(joiner).get("/play/list/").content.decode()
    assert address_of("join", seek) not in page
    assert f'hx-get="{address_of("seek", seek)}"' in page


def test_terms_name_rules_time_stake_fee_and_both_outcomes(owner, joiner):
    seek = waiting(owner, length=3, stake=100)
    page = browser(joiner).get(address_of("seek", seek)).content.decode()
    for text in (
        "to 3 points", "Classic: as on our rules page", "for each turn", "+90", "−100",
        "The winner gets 190 credits", "the site fee on the profit is 10 credits",
        "Everyone can watch", "Takes about",
    ):  # fmt: skip
        assert text in page
    assert page.index("The winner gets") < page.index(address_of("join", seek))
    assert 'name="confirmed" value="1"' in page


def test_part_over_the_list_has_the_same_terms_and_button(owner, joiner):
    seek = waiting(owner)
    part = browser(joiner).get(
        address_of("seek", seek), headers={"HX-Request": "true", "HX-Target": "agreement"}
    )
    text = part.content.decode()
    assert "<html" not in text
    assert 'id="agreement"' in text
    assert "The winner gets 190 credits" in text
    assert address_of("join", seek) in text
    assert "Switch this step off" in text
    ending.cancel(seek.public_id, owner, timezone.now())
    gone = browser(joiner).get(
        address_of("seek", seek), headers={"HX-Request": "true", "HX-Target": "agreement"}
    )
    assert "no longer open" in gone.content.decode()
    assert address_of("join", seek) not in gone.content.decode()


@pytest.mark.parametrize("confirmed", ["", "0", "on"])
def test_join_without_agreement_shows_the_terms_and_stakes_nothing(owner, joiner, confirmed):
    seek = waiting(owner)
    answer = browser(joiner).post(address_of("join", seek), {"confirmed": confirmed})
    assert answer["Location"] == address_of("seek", seek)
    assert answer["Refusal"] == "terms"
    assert not Match.objects.exists()
    assert funds_of(joiner.pk) == Funds(1000, 0)


def test_repeated_join_without_agreement_still_leads_to_the_table(owner, joiner):
    seek = waiting(owner)
    joining.join(seek.public_id, joiner, timezone.now())
    answer = browser(joiner).post(address_of("join", seek))
    assert answer["Location"] == reverse("games:match", args=[Match.objects.get().public_id])


def test_known_terms_are_joined_by_one_press_if_the_member_skips_them(owner, joiner):
    play_on_these_terms(owner, joiner)
    seek = waiting(owner)
    assert address_of("join", seek) not in browser(joiner).get("/play/").content.decode()
    skip_known_terms(joiner)
    page = browser(joiner).get("/play/").content.decode()
    assert address_of("join", seek) in page
    assert "Join now" in page
    answer = browser(joiner).post(address_of("join", seek))
    assert answer["Location"].startswith("/match/")
    assert "Refusal" not in answer.headers


@pytest.mark.parametrize(
    "other",
    [
        {"stake": 110}, {"length": 3}, {"is_public": False}, {"variant": "long"},
        {"rules": {"delay_ms": 45_000}}, {"rules": {"mars": False, "koks": False}},
    ],
)  # fmt: skip
def test_other_terms_are_shown_to_a_member_who_skips_known_ones(owner, joiner, other):
    play_on_these_terms(owner, joiner)
    joiner = skip_known_terms(joiner)
    seek = waiting(owner, **other)
    assert selectors.known_terms(joiner, [seek]) == set()
    with pytest.raises(Refused, match="terms"):
        joining.join(seek.public_id, joiner, timezone.now(), has_agreed=False)


def test_terms_with_a_changed_fee_are_not_known(owner, joiner):
    play_on_these_terms(owner, joiner)
    joiner = skip_known_terms(joiner)
    seek = waiting(owner)
    assert selectors.known_terms(joiner, [seek]) == {seek.pk}
    seek.rake_credits += 1
    assert selectors.known_terms(joiner, [seek]) == set()


def test_both_players_know_the_terms_of_their_match_and_strangers_do_not(owner, joiner):
    play_on_these_terms(owner, joiner)
    play_on_these_terms(owner, joiner)
    assert sorted(AcceptedTerms.objects.values_list("user_id", flat=True)) == [owner.pk, joiner.pk]
    seek = waiting(player("third5"))
    for user in (owner, joiner):
        assert selectors.known_terms(skip_known_terms(user), [seek]) == {seek.pk}
    assert selectors.known_terms(skip_known_terms(player("fourth5")), [seek]) == set()


def test_refused_join_is_not_remembered_as_accepted(owner):
    seek = waiting(owner, stake=500)
    with pytest.raises(Refused):
        joining.join(seek.public_id, player("poor5", credits=30), timezone.now())
    assert not AcceptedTerms.objects.exists()


def test_known_terms_of_many_games_are_read_in_one_query(owner, joiner, django_assert_num_queries):
    seeks = [waiting(player(f"third{number}")) for number in range(4)]
    joiner = skip_known_terms(joiner)
    assert joiner.preferences.skips_known_terms  # read before the queries are counted
    with django_assert_num_queries(1):
        selectors.known_terms(joiner, seeks)


def test_accepted_terms_are_exported_and_erased_with_the_account(owner, joiner):
    play_on_these_terms(owner, joiner)
    assert len(personal_data.of(joiner.pk)["accepted_terms"]) == 1
    closing.close(joiner.pk, timezone.now())
    assert not AcceptedTerms.objects.filter(user=joiner).exists()
    assert AcceptedTerms.objects.filter(user=owner).exists()
