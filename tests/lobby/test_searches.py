"""Searches for an opponent ("Play now"): pairing, stakes, presence, and what ends them."""

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import EmailWish, Notice, NoticeKind, Origin, Presence, User
from accounts.people import blocks
from accounts.sessions import origins
from accounts.shared.refusals import Refused
from accounts.signals import member_banned
from games.engine.match.state import Phase
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Commitment, Match
from games.models.actor import Actor
from games.services import matches
from games.stakes.escrow import NoCredits
from lobby import selectors
from lobby.models import Search, Seek
from lobby.services import announcing, ending, expiry, inviting, joining, pairs, searching, stopping
from lobby.services.searching import Choice
from tests.accounts.factories import member
from tests.games.factories import DELAY_MS, FriendlySitting, StakeSitting, give_history
from tests.lobby.factories import SeekFactory, announcement, seek_of
from tests.wallet.factories import player
from wallet.models import Limit
from wallet.selectors import funds_of

pytestmark = pytest.mark.django_db

RULES = Rules.of("short", length=1, delay_ms=DELAY_MS)
STAKE = 100
START = timezone.now()


def at(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def actor_of(user: User) -> Actor:
    return Actor(user_id=user.pk)


def guest() -> Actor:
    return Actor(guest=uuid4())


def search(person: User | Actor, stake: int = 0, seconds: float = 0, **more: Any) -> Any:
    actor = person if isinstance(person, Actor) else actor_of(person)
    name = "Anna" if actor.guest else ""
    choice = Choice(more.get("rules", RULES), stake, name)
    return searching.start(actor, choice, at(seconds))


def refusal_of(person: User | Actor, stake: int = 0) -> str:
    with pytest.raises(Refused) as caught:
        search(person, stake)
    return caught.value.code


@pytest.fixture
def anna() -> User:
    return _member("anna55")


@pytest.fixture
def boris() -> User:
    return _member("boris5")


def _member(login: str) -> User:
    user = player(login, 1000)
    give_history(user)
    return user


def users_of(match: Match) -> set[int | None]:
    return {seat.user_id for seat in match.seats.all()}


# --- friendly ------------------------------------------------------------------------------------


def test_two_members_meet_for_a_friendly_match(anna: User, boris: User) -> None:
    assert isinstance(search(anna), Search)
    match = search(boris, seconds=1)
    assert users_of(match) == {anna.pk, boris.pk}
    assert not match.policy.is_staked
    assert set(Search.objects.values_list("state", "match")) == {("FOUND", match.pk)}


def test_guests_meet_members_and_guests(anna: User) -> None:
    one = guest()
    search(one)
    match = search(anna)
    assert match.seats.get(guest=one.guest).guest_name == "Anna"
    search(guest())
    assert isinstance(search(guest()), Match)


def test_a_guest_cannot_search_for_credits() -> None:
    assert refusal_of(guest(), STAKE) == "not_member"


def test_a_person_has_one_search_at_a_time(anna: User) -> None:
    search(anna)
    assert refusal_of(anna) == refusal_of(anna, STAKE) == "searching"


def test_searches_with_other_terms_are_not_paired(anna: User, boris: User) -> None:
    search(anna)
    assert isinstance(search(boris, rules=Rules.of("long", length=1, delay_ms=DELAY_MS)), Search)
    assert isinstance(search(player("third5", 500), STAKE), Search)


def test_a_player_who_blocks_another_is_not_paired_with_them(anna: User, boris: User) -> None:
    blocks.block(anna.pk, boris.pk, START)
    search(anna)
    search(boris)
    pairs.settle_due(at(50))
    assert not count_matches()


def test_nobody_searches_during_a_match_with_a_person(anna: User, boris: User) -> None:
    search(anna)
    search(boris)
    assert refusal_of(anna) == refusal_of(boris, STAKE) == "at_table"


def test_training_goes_on_when_a_search_is_paired(anna: User, boris: User) -> None:
    search(anna)
    training = matches.create_training(actor_of(anna), RULES, Side.WHITE, "casual", START)
    assert isinstance(search(boris), Match)
    training.refresh_from_db()
    assert not training.is_finished
    assert training.outcome == ""


def test_a_member_with_an_announced_game_is_refused_a_friendly_search(anna: User) -> None:
    SeekFactory(owner=anna)
    assert refusal_of(anna) == "announced"


def test_no_pair_meets_a_third_time_in_a_row_if_another_searches(anna: User, boris: User) -> None:
    for _ in range(2):
        search(anna)
        _end(search(boris))
    third = player("third5")
    search(third)
    Search.objects.filter(user=third).update(rating=3000)  # too far off to be paired at once
    search(anna)
    search(boris)
    assert count_matches() == 2
    pairs.settle_due(at(50))  # by now any rating is accepted
    match = Match.objects.get(finished_at__isnull=True, kind="FRIENDLY")
    assert third.pk in users_of(match)


def test_a_pair_meets_a_third_time_in_a_row_if_no_other_searches(anna: User, boris: User) -> None:
    for _ in range(3):
        search(anna)
        _end(search(boris))
    assert count_matches() == 3


def count_matches() -> int:
    return Match.objects.filter(kind__in=("FRIENDLY", "STAKE")).count()


def _end(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(
        finished_at=START, phase=Phase.FINISHED.value, outcome="draw"
    )


# --- for credits ---------------------------------------------------------------------------------


def test_a_search_for_credits_is_the_members_announcement(anna: User) -> None:
    search(anna, STAKE)
    seek = seek_of(anna)
    assert (seek.stake_credits, seek.is_renewed) == (STAKE, True)
    assert funds_of(anna.pk).reserved == STAKE


def test_two_searches_become_a_match_with_both_stakes(anna: User, boris: User) -> None:
    search(anna, STAKE)
    match = search(boris, STAKE)
    assert match.stake_credits == STAKE
    for user in (anna, boris):
        assert (funds_of(user.pk).total, funds_of(user.pk).reserved) == (900, 0)
    assert sorted(Seek.objects.values_list("state", flat=True)) == ["CANCELED", "JOINED"]


def test_an_announced_game_is_taken_first(anna: User, boris: User) -> None:
    announced = announcing.announce(anna, announcing.Announcement(RULES, STAKE), START)
    search(player("other5", 500), 50)
    match = search(boris, STAKE)
    announced.refresh_from_db()
    assert announced.match == match
    assert not Search.objects.filter(user=boris).exists()


def test_no_announced_game_is_joined_during_a_friendly_match(anna: User, boris: User) -> None:
    announced = SeekFactory(owner=player("third5", 500))
    search(anna)
    search(boris)
    assert refusal_of(anna, STAKE) == "at_table"
    announced.refresh_from_db()
    assert announced.state == Seek.State.OPEN


def test_no_announced_game_is_joined_while_a_game_or_a_search_of_the_member_waits(
    anna: User, boris: User
) -> None:
    SeekFactory(owner=player("third5", 500))
    SeekFactory(owner=anna, stake=50)
    search(boris)
    assert refusal_of(anna, STAKE) == "announced"
    assert refusal_of(boris, STAKE) == "searching"
    assert seek_of(anna).stake_credits == 50
    assert stopping.open_of(actor_of(boris)).exists()


def test_a_game_announced_later_is_taken_by_the_worker(anna: User, boris: User) -> None:
    found = search(boris, STAKE)
    announced = announcing.announce(anna, announcing.Announcement(RULES, STAKE), at(1))
    pairs.settle_due(at(3))
    announced.refresh_from_db()
    found.refresh_from_db()
    assert found.match == announced.match is not None
    assert found.state == Search.State.FOUND


def test_the_worker_joins_no_game_for_a_member_who_is_at_a_table(anna: User, boris: User) -> None:
    found = search(boris, STAKE)
    friendly = FriendlySitting(actor_of(boris), guest())
    announced = announcing.announce(anna, announcing.Announcement(RULES, STAKE), at(1))
    pairs.settle_due(at(3))
    for row in (announced, found):
        row.refresh_from_db()
        assert row.state == "OPEN"
    friendly.sit().start_game().do("resign_match")
    pairs.settle_due(at(6))
    announced.refresh_from_db()
    assert announced.match is not None
    assert users_of(announced.match) == {anna.pk, boris.pk}


@pytest.mark.parametrize("button", ["search", "game"])
def test_nothing_is_joined_for_a_search_that_was_canceled_meanwhile(
    anna: User, boris: User, monkeypatch: pytest.MonkeyPatch, button: str
) -> None:
    found = search(boris, STAKE)
    announced = announcing.announce(anna, announcing.Announcement(RULES, STAKE), at(1))
    join = pairs._join

    def cancel_and_join(*args: Any) -> Match:
        if button == "search":
            stopping.cancel(actor_of(boris), at(2))
        else:
            ending.cancel(seek_of(boris).public_id, boris, at(2))
        return join(*args)

    monkeypatch.setattr(pairs, "_join", cancel_and_join)
    pairs.settle_due(at(3))
    found.refresh_from_db()
    announced.refresh_from_db()
    assert (found.is_waiting, found.match) == (False, None)
    assert announced.state == Seek.State.OPEN
    assert funds_of(boris.pk).reserved == 0


def test_a_searcher_and_the_owner_of_the_joined_game_are_notified(anna: User, boris: User) -> None:
    for user in (anna, boris):
        EmailWish.objects.create(user=user, kind=NoticeKind.JOINED)
    search(boris, STAKE)
    announcing.announce(anna, announcing.Announcement(RULES, STAKE), at(1))
    pairs.settle_due(at(3))
    told = Notice.objects.filter(kind=NoticeKind.JOINED).values_list("user", flat=True)
    assert sorted(told) == sorted([anna.pk, boris.pk])


def test_a_lost_search_that_fails_to_end_stops_no_other(
    anna: User, boris: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = search(anna)
    blocks.block(anna.pk, boris.pk, START)
    other = search(boris)
    stop_search = stopping.stop

    def stop_or_fail(found: Search, state: Search.State, now: datetime) -> None:
        if found == failing:
            raise RuntimeError
        stop_search(found, state, now)

    monkeypatch.setattr(stopping, "stop", stop_or_fail)
    later = START + 2 * pairs.LOST_AFTER
    Search.objects.update(seen_at=START)
    Presence.objects.all().delete()
    pairs.settle_due(later)
    for each in (failing, other):
        each.refresh_from_db()
    assert (failing.state, other.state) == (Search.State.OPEN, Search.State.ENDED)


def test_a_search_that_fails_to_join_a_game_stops_no_other(
    anna: User, boris: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks.block(anna.pk, boris.pk, START)
    failing, other = search(anna, STAKE), search(boris, STAKE)
    announcing.announce(player("third5"), announcing.Announcement(RULES, STAKE), at(1))
    join = pairs._join

    def join_or_fail(public_id: str, user: User, *args: Any) -> Match:
        if user == anna:
            raise RuntimeError
        return join(public_id, user, *args)

    monkeypatch.setattr(pairs, "_join", join_or_fail)
    pairs.settle_due(at(3))
    for each in (failing, other):
        each.refresh_from_db()
    assert (failing.state, other.state) == (Search.State.OPEN, Search.State.FOUND)


def test_a_search_with_rules_of_a_newer_version_stops_no_other(anna: User, boris: User) -> None:
    blocks.block(anna.pk, boris.pk, START)
    newer, other = search(anna, STAKE), search(boris, STAKE)
    Search.objects.filter(pk=newer.pk).update(rules={**newer.rules, "unknown": True})
    announcing.announce(player("third5"), announcing.Announcement(RULES, STAKE), at(1))
    pairs.settle_due(at(3))
    other.refresh_from_db()
    assert other.state == Search.State.FOUND


def test_a_search_joined_from_the_list_is_found(anna: User, boris: User) -> None:
    found = search(anna, STAKE)
    match = joining.join(seek_of(anna).public_id, boris, at(1))
    pairs.settle_due(at(2))
    found.refresh_from_db()
    assert (found.state, found.match) == (Search.State.FOUND, match)


@pytest.mark.parametrize("kind", [Origin.Kind.DEVICE, Origin.Kind.NETWORK])
def test_members_of_one_network_need_a_history_and_those_of_one_device_are_never_paired(
    kind: str, anna: User, settings: Any
) -> None:
    settings.DEMO = False
    newcomer = player("newone", 500)
    for user in (anna, newcomer):
        origins.note(user.pk, kind, "here", START)
    search(anna, 25)
    assert isinstance(search(newcomer, 25), Search)
    give_history(newcomer)
    Search.objects.update(has_history=True)
    pairs.settle_due(at(3))
    assert Match.objects.filter(kind="STAKE").exists() == (kind == Origin.Kind.NETWORK)


def test_a_search_without_enough_credits_reserves_nothing() -> None:
    poor = player("poorer", 5)
    with pytest.raises(NoCredits):
        search(poor, 25)
    assert not Search.objects.exists()
    assert funds_of(poor.pk).reserved == 0


def test_the_stake_limit_of_newcomers_holds_for_searches() -> None:
    newcomer = member("newone1")
    assert refusal_of(newcomer, STAKE) == "stake_limit"
    assert not Seek.objects.exists()
    assert isinstance(search(newcomer, 25), Search)


def test_before_a_tournament_no_search_for_credits_begins(anna: User) -> None:
    Commitment.objects.create(user=anna, starts_at=at(60), reference="tournament:x")
    assert refusal_of(anna, STAKE) == "committed"


# --- ends ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("stake", [0, STAKE])
def test_a_canceled_search_is_not_paired(stake: int, anna: User, boris: User) -> None:
    search(anna, stake)
    stopping.cancel(actor_of(anna), at(1))
    stopping.cancel(actor_of(anna), at(1))
    assert isinstance(search(boris, stake, 2), Search)
    assert funds_of(anna.pk).reserved == 0
    assert not Seek.objects.filter(owner=anna, state=Seek.State.OPEN).exists()


def test_canceling_after_the_pairing_is_refused(anna: User, boris: User) -> None:
    search(anna)
    search(boris)
    with pytest.raises(Refused, match="found"):
        stopping.cancel(actor_of(anna), at(1))


def test_canceling_after_the_announcement_was_joined_is_refused(anna: User, boris: User) -> None:
    search(anna, STAKE)
    match = joining.join(seek_of(anna).public_id, boris, at(1))
    with pytest.raises(Refused, match="found"):
        stopping.cancel(actor_of(anna), at(1))
    found = Search.objects.get()
    assert (found.state, found.match) == (Search.State.FOUND, match)


@pytest.mark.parametrize("stake", [0, STAKE])
def test_a_search_ends_when_its_owner_has_been_away(stake: int, anna: User, boris: User) -> None:
    search(anna, stake)
    search_of_anna = Search.objects.get()
    assert isinstance(search(boris, stake, 90), Search)
    pairs.settle_due(at(130))
    search_of_anna.refresh_from_db()
    assert search_of_anna.state == Search.State.ENDED
    assert funds_of(anna.pk).reserved == 0


def test_a_player_who_is_seen_in_time_goes_on_waiting(anna: User, boris: User) -> None:
    found = search(anna)
    searching.touch(found, at(110))
    Presence.objects.all().delete()
    assert isinstance(search(boris, seconds=150), Match)


@pytest.mark.parametrize("is_member", [True, False])
def test_a_search_goes_on_if_its_owner_comes_back_while_lost_ones_are_ended(
    is_member: bool, anna: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = search(anna if is_member else guest())
    lock = pairs._locked

    def come_back_and_lock(*args: Any) -> list[Search]:
        searching.touch(found, at(130))
        return lock(*args)

    monkeypatch.setattr(pairs, "_locked", come_back_and_lock)
    pairs.settle_due(at(130))
    found.refresh_from_db()
    assert (found.state, found.seen_at) == (Search.State.OPEN, at(130))


def test_the_worker_pairs_people_whose_process_died(anna: User, boris: User) -> None:
    search(anna)
    Search.objects.filter(user=anna).update(variant="long")  # hidden from the other's search
    search(boris)
    Search.objects.update(variant="short")
    assert count_matches() == 0
    following = pairs.settle_due(at(1))
    assert count_matches() == 1
    assert following is None


def test_the_worker_tries_to_pair_again_while_somebody_waits(anna: User) -> None:
    search(anna)
    assert pairs.settle_due(at(0)) == at(0) + pairs.TRY_EVERY


def test_accepting_a_link_ends_the_search(anna: User, boris: User) -> None:
    search(anna)
    link = inviting.invite(actor_of(boris), inviting.Offer(RULES), START)
    inviting.accept(link.public_id, actor_of(anna), "", at(1))
    assert Search.objects.get().state == Search.State.CANCELED


def test_joining_for_credits_ends_the_friendly_search(anna: User, boris: User) -> None:
    seek = SeekFactory(owner=boris)
    search(anna)
    joining.join(seek.public_id, anna, timezone.now())
    assert Search.objects.get().state == Search.State.CANCELED


@pytest.mark.parametrize("stake", [0, STAKE])
def test_a_banned_members_search_ends(stake: int, anna: User) -> None:
    search(anna, stake)
    member_banned.send(User, user_id=anna.pk)
    assert Search.objects.get().state == Search.State.CANCELED
    assert funds_of(anna.pk).reserved == 0


def limit_below_the_stake(user: User) -> None:
    """Set a loss limit one credit below the reserved stake.

    This state arises when a win that offset losses becomes too old to count.
    """
    Limit.objects.create(user=user, kind=Limit.Kind.LOSS_DAY, amount=STAKE - 1)


def test_pairing_ends_the_earlier_search_if_its_member_has_reached_a_limit(
    anna: User, boris: User
) -> None:
    search(anna, STAKE)
    limit_below_the_stake(anna)
    search(boris, STAKE, seconds=1)
    states = dict(Search.objects.values_list("user", "state"))
    assert states == {anna.pk: Search.State.CANCELED, boris.pk: Search.State.OPEN}
    assert funds_of(anna.pk).reserved == 0
    assert count_matches() == 0


def test_pairing_ends_the_later_search_if_its_member_has_reached_a_limit(
    anna: User, boris: User
) -> None:
    search(anna, STAKE)
    Presence.objects.all().delete()
    Search.objects.update(seen_at=at(-600))  # seen too long ago to be paired
    search(boris, STAKE, seconds=1)
    Search.objects.update(seen_at=at(2))
    limit_below_the_stake(boris)
    pairs.pair_waiting(at(2))
    states = dict(Search.objects.values_list("user", "state"))
    assert states == {anna.pk: Search.State.OPEN, boris.pk: Search.State.CANCELED}


def test_joining_takes_back_a_game_whose_owner_has_reached_a_limit(anna: User, boris: User) -> None:
    seek = announcing.announce(anna, announcement(STAKE), START)
    limit_below_the_stake(anna)
    with pytest.raises(Refused, match="gone"):
        joining.join(seek.public_id, boris, at(1))
    seek.refresh_from_db()
    assert seek.state == Seek.State.CANCELED
    assert (funds_of(anna.pk).reserved, funds_of(boris.pk).reserved) == (0, 0)


def test_the_time_of_play_is_checked_for_the_owner_of_the_game_too(anna: User, boris: User) -> None:
    sitting = StakeSitting(anna, _member("carol5"), stake=10).sit().start_game()
    sitting.do("resign_match", side=Side.BLACK)
    seek = announcing.announce(anna, announcement(STAKE), START)
    Match.objects.filter(pk=sitting.match.pk).update(created_at=at(-2400), finished_at=at(-60))
    Limit.objects.create(user=anna, kind=Limit.Kind.SESSION, amount=30)
    with pytest.raises(Refused, match="gone"):
        joining.join(seek.public_id, boris, at(1))


# --- renewed announcements -----------------------------------------------------------------------


@pytest.mark.parametrize("is_here", [True, False])
def test_an_announcement_is_renewed_while_its_owner_is_here(anna: User, is_here: bool) -> None:
    wanted = announcing.Announcement(RULES, STAKE, is_renewed=True)
    seek = announcing.announce(anna, wanted, START)
    hold = seek.hold_id
    if is_here:
        Presence.objects.update_or_create(user=anna, defaults={"seen_at": at(290)})
    expiry.settle_due(at(300))
    seek.refresh_from_db()
    assert seek.state == (Seek.State.OPEN if is_here else Seek.State.EXPIRED)
    assert seek.hold_id == hold
    assert funds_of(anna.pk).reserved == (STAKE if is_here else 0)
    if is_here:
        assert seek.expires_at == at(600)


def test_an_announcement_whose_owner_has_reached_a_limit_is_not_renewed(anna: User) -> None:
    announcing.announce(anna, announcing.Announcement(RULES, STAKE, is_renewed=True), START)
    Presence.objects.update_or_create(user=anna, defaults={"seen_at": at(290)})
    limit_below_the_stake(anna)
    expiry.settle_due(at(300))
    assert Seek.objects.get().state == Seek.State.EXPIRED


def test_a_challenge_to_a_member_who_was_banned_is_not_renewed(anna: User, boris: User) -> None:
    wanted = announcing.Announcement(
        RULES, STAKE, access=Seek.Access.PERSON, invited_id=boris.pk, is_renewed=True
    )
    announcing.announce(anna, wanted, START)
    Presence.objects.update_or_create(user=anna, defaults={"seen_at": at(290)})
    User.objects.filter(pk=boris.pk).update(is_active=False)
    expiry.settle_due(at(300))
    assert Seek.objects.get().state == Seek.State.EXPIRED


# --- pages ---------------------------------------------------------------------------------------

PAGE, BAR = "/play/now/", "/play/now/bar/"
FRIENDLY = {"variant": "short", "length": "1", "mode": "friendly"}
FOR_CREDITS = {**FRIENDLY, "mode": "stake", "stake": "100"}


def browser(user: User | None = None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def test_one_press_looks_for_a_friendly_match(anna: User, boris: User) -> None:
    client, other = browser(anna), browser(boris)
    assert client.post(PAGE, {"quick": "1"}).url == PAGE
    for address in (PAGE, "/play/", "/en/", "/rules/short/"):
        page = client.get(address, follow=True).content.decode()
        assert "Looking for an opponent" in page, address
        assert "Play the computer meanwhile" in page
    answer = other.post(PAGE, FRIENDLY)
    match = Match.objects.get(kind="FRIENDLY")
    assert answer.url == client.get(PAGE).url == f"/match/{match.public_id}/"


@pytest.mark.parametrize("form", [FRIENDLY, {**FOR_CREDITS, "confirmed": "1"}])
def test_a_second_press_leads_to_the_match_that_the_first_one_began(
    anna: User, boris: User, form: dict[str, str]
) -> None:
    browser(anna).post(PAGE, form)
    client = browser(boris)
    answers = [client.post(PAGE, form) for _ in range(2)]
    match = Match.objects.latest("pk")
    assert [answer.url for answer in answers] == 2 * [f"/match/{match.public_id}/"]
    assert client.post(PAGE, {**form, "length": "3"}).status_code == 409
    earlier = match.created_at - searching.PRESSED_TWICE_WITHIN
    Match.objects.filter(pk=match.pk).update(created_at=earlier)
    assert client.post(PAGE, form).status_code == 409


def test_two_presses_of_a_guest_at_once_lead_to_one_search_that_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client, form = browser(), {**FRIENDLY, "guest_name": "Visitor"}
    assert client.post(PAGE, form).url == PAGE
    # The second request began before the first one stored the search, also in the session.
    session = client.session
    del session[selectors.SHOWN_SEARCH]
    session.save()
    shown = selectors.shown_search
    found = iter([None])
    monkeypatch.setattr(selectors, "shown_search", lambda *args: next(found, shown(*args)))
    assert client.post(PAGE, form).url == PAGE
    assert Search.objects.count() == 1
    page = client.get("/rules/short/", follow=True).content.decode()
    assert "Looking for an opponent" in page


def test_the_play_now_bar_leads_to_the_table(anna: User, boris: User) -> None:
    client = browser(anna)
    client.post(PAGE, FRIENDLY)
    address = f"{BAR}?search={Search.objects.get().public_id}"
    assert b"every 3s" in client.get(address).content
    browser(boris).post(PAGE, FRIENDLY)
    table = f"/match/{Match.objects.get(kind='FRIENDLY').public_id}/"
    assert client.get(address).headers["HX-Redirect"] == table
    there = client.get(address, headers={"HX-Current-URL": f"http://testserver{table}"})
    assert "HX-Redirect" not in there.headers
    assert b"every 3s" not in there.content
    assert b"every 3s" not in browser(boris).get(address).content


def test_the_play_now_bar_leads_nobody_away_from_a_tournaments_table(
    anna: User, boris: User
) -> None:
    client = browser(anna)
    client.post(PAGE, {**FOR_CREDITS, "confirmed": "1"})
    players = {Side.WHITE: anna.pk, Side.BLACK: boris.pk}
    tournaments = matches.create_tournament(RULES, players, START)
    training = matches.create_training(actor_of(anna), RULES, Side.WHITE, "casual", START)
    match = joining.join(seek_of(anna).public_id, player("third5"), timezone.now())
    address = f"{BAR}?search={Search.objects.get().public_id}"
    for table, is_led in ((tournaments, False), (training, True)):
        url = f"http://testserver/match/{table.public_id}/"
        answer = client.get(address, headers={"HX-Current-URL": url})
        assert answer.headers.get("HX-Redirect") == (
            f"/match/{match.public_id}/" if is_led else None
        )
    assert f'href="/match/{match.public_id}/"' in client.get("/play/live/").content.decode()


def test_the_terms_are_shown_before_a_stake_is_reserved(anna: User) -> None:
    client = browser(anna)
    terms = client.post(PAGE, FOR_CREDITS).content.decode()
    assert "The winner gets 190 credits" in terms
    assert "100 credits are reserved while you wait" in terms
    assert not Search.objects.exists()
    client.post(PAGE, {**FOR_CREDITS, "confirmed": "1"})
    assert funds_of(anna.pk).reserved == STAKE
    client.post(f"{PAGE}cancel/")
    assert funds_of(anna.pk).reserved == 0
    assert 'value="stake" id="id_mode_1"' in client.get(PAGE).content.decode()
    assert "The winner gets 190" in client.post(PAGE, {"quick": "1"}).content.decode()


def test_the_terms_name_a_shortfall_and_link_to_gifts() -> None:
    poor = player("poorer", 60)
    give_history(poor)
    client = browser(poor)
    terms = client.post(PAGE, FOR_CREDITS).content.decode()
    assert "You are 40 credits short of this stake." in terms
    assert '/shop/gifts/?next=/play/now/"' in terms
    assert 'name="confirmed"' not in terms
    assert client.get(PAGE).context["form"]["mode"].value() == "stake"


def test_the_play_now_button_names_its_terms(anna: User) -> None:
    def named() -> str:
        page = client.get("/play/").content.decode()
        return page.partition('class="play-now-terms">')[2].partition("<")[0]

    client = browser(anna)
    assert named() == "Short backgammon · to 1 point · no stake"
    chosen = {"variant": "long", "length": "3", "mode": "stake", "stake": "100"}
    client.post(PAGE, {**chosen, "confirmed": "1"})
    client.post(f"{PAGE}cancel/")
    assert named() == "Long nardy · to 3 points · stake 100 credits"


def test_another_search_is_refused_on_the_page_of_the_first(anna: User) -> None:
    client = browser(anna)
    client.post(PAGE, FRIENDLY)
    for same in (FRIENDLY, {"quick": "1"}):  # the button was pressed twice
        assert client.post(PAGE, same).headers["Location"] == PAGE
    for given in ({**FRIENDLY, "length": "5"}, {**FOR_CREDITS, "confirmed": "1"}):
        answer = client.post(PAGE, given)
        assert (answer.status_code, answer.headers["Refusal"]) == (409, "searching")
        page = answer.content.decode()
        assert "You are already looking for an opponent." in page
        assert f'action="{PAGE}cancel/"' in page
    assert Search.objects.get().stake_credits == 0
    shown = client.get(PAGE)
    assert (shown.status_code, "Refusal" in shown.headers) == (200, False)


def test_a_guest_gives_a_name_once() -> None:
    client = browser()
    assert client.post(PAGE, {"quick": "1"}).url == PAGE
    assert client.post(PAGE, {"variant": "long", "length": "1"}).status_code == 422
    client.post(PAGE, {"variant": "long", "length": "1", "guest_name": "Вера"})
    assert b"Looking for an opponent" in client.get("/play/").content
    client.post(f"{PAGE}cancel/")
    assert b"Looking for an opponent" not in client.get("/play/").content
    assert client.post(PAGE, {"quick": "1"}).url == PAGE
    assert Search.objects.filter(state="OPEN", guest_name="Вера", variant="long").exists()


def test_a_guest_cannot_ask_for_a_stake() -> None:
    browser().post(PAGE, {**FOR_CREDITS, "confirmed": "1", "guest_name": "Anna"})
    assert Search.objects.get().stake_credits == 0


def test_a_member_with_an_announced_game_is_informed_before_the_form(anna: User) -> None:
    SeekFactory(owner=anna)
    client = browser(anna)
    assert b"You already have an open game" in client.get(PAGE).content
    answer = client.post(PAGE, FRIENDLY)
    assert (answer.status_code, answer.headers["Refusal"]) == (409, "announced")
