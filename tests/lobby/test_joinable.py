"""The announced games that a member may join: each rule alone takes a game from the list."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Presence, Profile, User
from accounts.people import blocks, friends
from accounts.selectors import ONLINE_FOR
from games.conduct import commitments
from games.engine.sides import Side
from games.models import Match
from games.models.commitment import CLOSED_BEFORE
from games.stakes.escrow import stakable_credits
from games.stakes.limits import stake_limit
from lobby import selectors
from lobby.joinable import joinable_ids
from lobby.models import Seek
from tests.accounts.factories import member, sign_in
from tests.games.factories import StakeSitting, give_history
from tests.lobby.factories import SeekFactory
from tests.wallet.factories import player
from wallet.limits import exclusions
from wallet.limits.rules import Kind
from wallet.limits.services import set_limits

pytestmark = [pytest.mark.django_db, pytest.mark.portable]


@pytest.fixture
def viewer() -> User:
    viewer = player("viewer5", credits=500)
    give_history(viewer)
    return viewer


@pytest.fixture
def seek() -> Seek:
    return SeekFactory(stake=100, least_rating=1400, most_rating=1600)


def send_owner_away(seek: Seek) -> None:
    Seek.objects.filter(pk=seek.pk).update(created_at=timezone.now() - ONLINE_FOR)
    Presence.objects.update_or_create(
        user=seek.owner, defaults={"seen_at": timezone.now() - ONLINE_FOR}
    )


def change(**fields: object) -> Callable[[User, Seek], None]:
    return lambda viewer, seek: Seek.objects.filter(pk=seek.pk).update(**fields)


def ask_a_friend(viewer: User, seek: Seek) -> None:
    friends.ask(viewer.pk, seek.owner_id, timezone.now())
    Seek.objects.update(access=Seek.Access.FRIENDS)


def play_for_an_hour(viewer: User, seek: Seek) -> None:
    now = timezone.now()
    set_limits(viewer.pk, {Kind.SESSION: 60}, now)
    sitting = StakeSitting(viewer, player("other5"), stake=10).sit().start_game()
    sitting.do("resign_match", side=Side.WHITE)
    times = {"created_at": now - timedelta(minutes=60), "finished_at": now}
    Match.objects.filter(pk=sitting.match.pk).update(**times)


def enter_a_tournament(viewer: User, seek: Seek) -> None:
    commitments.add(viewer.pk, "tournament:cup", timezone.now() + CLOSED_BEFORE)


# For each rule, a change of the viewer or the game after which the rule removes the game from the
# list.
CHANGES = {
    "its owner": lambda viewer, seek: Seek.objects.update(owner=viewer),
    "not activated": lambda viewer, seek: setattr(viewer, "activated_at", None),
    "in a match for credits": lambda viewer, seek: StakeSitting(viewer, player("other5")).sit(),
    "too few credits": change(stake_credits=501),
    "rated too low": change(least_rating=1501),
    "rated too high": change(most_rating=1499),
    "own limit": lambda viewer, seek: set_limits(viewer.pk, {Kind.STAKE: 99}, timezone.now()),
    "time of play": play_for_an_hour,
    "tournament soon": enter_a_tournament,
    "break": lambda viewer, seek: exclusions.begin(viewer.pk, "day", timezone.now()),
    "blocks the owner": lambda viewer, seek: blocks.block(viewer.pk, seek.owner_id, timezone.now()),
    "blocked by the owner": lambda viewer, seek: blocks.block(
        seek.owner_id, viewer.pk, timezone.now()
    ),
    "owner away": lambda viewer, seek: send_owner_away(seek),
    "for friends": change(access=Seek.Access.FRIENDS),
    "for friends, friendship only asked for": lambda viewer, seek: ask_a_friend(viewer, seek),
    "by link": change(access=Seek.Access.LINK),
    "expired": change(expires_at=timezone.now()),
}


@pytest.mark.parametrize("rule", CHANGES)
def test_each_rule_alone_takes_a_game_from_the_list(viewer, seek, rule):
    assert joinable_ids(viewer, timezone.now()) == [seek.pk]
    CHANGES[rule](viewer, seek)
    assert joinable_ids(viewer, timezone.now()) == []


def test_a_member_in_a_country_without_stakes_may_join_no_game(viewer, seek, settings):
    settings.COUNTRIES_WITHOUT_STAKES = ["NL"]
    assert joinable_ids(viewer, timezone.now()) == [seek.pk]
    Profile.objects.filter(user=viewer).update(country="NL")
    assert joinable_ids(viewer, timezone.now()) == []


def test_a_game_stays_listed_to_a_member_who_has_yet_to_confirm_their_age(viewer, seek, settings):
    settings.MINIMUM_AGE = 18
    assert joinable_ids(viewer, timezone.now()) == [seek.pk]


def test_a_time_of_play_within_the_limit_and_a_later_tournament_take_no_game_away(viewer, seek):
    play_for_an_hour(viewer, seek)
    Match.objects.update(created_at=timezone.now() - timedelta(minutes=50))
    later = timezone.now() + CLOSED_BEFORE + timedelta(minutes=1)
    commitments.add(viewer.pk, "tournament:cup", later)
    assert joinable_ids(viewer, timezone.now()) == [seek.pk]


def test_a_newcomer_may_join_up_to_the_limit_of_newcomers(seek):
    newcomer = member("newcomer5")
    limit = stake_limit(newcomer.pk)
    assert limit is not None
    Seek.objects.update(stake_credits=limit)
    assert joinable_ids(newcomer, timezone.now()) == [seek.pk]
    Seek.objects.update(stake_credits=limit + 1)
    assert stakable_credits(newcomer.pk) > limit
    assert joinable_ids(newcomer, timezone.now()) == []


def test_a_challenge_is_listed_to_the_challenged_member_alone_even_while_its_owner_is_away(viewer):
    seek = SeekFactory(access=Seek.Access.PERSON, invited_id=viewer.pk)
    send_owner_away(seek)
    assert joinable_ids(viewer, timezone.now()) == [seek.pk]
    assert joinable_ids(player("third5"), timezone.now()) == []


def test_joinable_games_are_open_games_newest_first(viewer):
    now = timezone.now()
    first, second = SeekFactory(now=now - timedelta(seconds=5)), SeekFactory(now=now)
    assert joinable_ids(viewer, now) == [second.pk, first.pk]
    assert [each.pk for each in selectors.open_seeks(viewer, now)] == [second.pk, first.pk]


def test_the_menu_shows_the_number_of_joinable_games(viewer, seek):
    assert "1 game to join" in sign_in(Client(), viewer).get("/leaders/").content.decode()
