"""Breaks give reserved credits back, apply to all accounts of the person, and never end early."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from accounts.closing import services as closing
from accounts.members import identities
from accounts.models import User
from accounts.shared.refusals import Refused
from games.models import Match
from games.models.actor import Actor
from lobby.models import Search, Seek
from lobby.services import announcing, searching
from tests.accounts.factories import RegisteredFactory, member, sign_in
from tests.config.credits import set_credits
from tests.config.test_money_matrix import RULES
from tests.games.factories import StakeSitting, give_history
from tests.lobby.factories import announcement
from tests.tournaments.factories import announced
from tournaments.models import Entrant
from tournaments.services import entering
from wallet.limits import exclusions, services
from wallet.limits.guards import guard_of
from wallet.limits.rules import BREAKS, Kind
from wallet.models import Exclusion, ExclusionDigest, Limit
from wallet.selectors import funds_of

pytestmark = pytest.mark.django_db

NOW = timezone.now()
SECOND = timedelta(seconds=1)


@pytest.fixture
def anna() -> User:
    user = member("anna5")
    set_credits(user, 1000)
    give_history(user)
    return user


def is_excluded(user: User, at=NOW) -> bool:
    return guard_of(user.pk, at).excluded_until is not None


@pytest.mark.parametrize("code", BREAKS)
def test_a_break_ends_by_itself_to_the_second(anna, code):
    exclusions.begin(anna.pk, code, NOW)
    over = NOW + BREAKS[code].lasts
    assert is_excluded(anna, over - SECOND)
    assert not is_excluded(anna, over)


def test_a_break_gives_back_entry_fees_and_leaves_a_running_match(anna):
    sitting = StakeSitting(anna, member("boris5"), stake=10).sit().start_game()
    tournament = announced(NOW, fee_credits=200)
    entering.enter(tournament.public_id, anna, NOW)
    free = announced(NOW, fee_credits=0)
    entering.enter(free.public_id, anna, NOW)
    exclusions.begin(anna.pk, "week", NOW)
    assert set(Entrant.objects.values_list("state", flat=True)) == {Entrant.State.WITHDRAWN}
    assert funds_of(anna.pk).reserved == 0
    assert not Match.objects.get(pk=sitting.match.pk).is_finished


def test_a_break_ends_a_search_for_credits_and_leaves_a_friendly_one(anna):
    actor = Actor(user_id=anna.pk)
    searching.start(actor, searching.Choice(RULES, 100), NOW)
    exclusions.begin(anna.pk, "day", NOW)
    assert Search.objects.get().state == Search.State.CANCELED
    assert Seek.objects.get().state == Seek.State.CANCELED
    searching.start(actor, searching.Choice(RULES), NOW)
    exclusions.begin(anna.pk, "week", NOW)
    assert Search.objects.filter(state=Search.State.OPEN).count() == 1


def test_a_break_can_be_made_longer_and_not_shorter(anna):
    exclusions.begin(anna.pk, "month", NOW)
    with pytest.raises(Refused, match="excluded_longer"):
        exclusions.begin(anna.pk, "week", NOW)
    exclusions.begin(anna.pk, "year", NOW)
    assert guard_of(anna.pk, NOW).excluded_until == NOW + BREAKS["year"].lasts


def test_a_new_account_with_the_same_mailbox_is_excluded(anna):
    exclusions.begin(anna.pk, "year", NOW)
    closing.close(anna.pk, NOW)
    again = RegisteredFactory(
        username="anna6", email="Anna5@example.org", verified=True, activated=True
    )
    assert is_excluded(again)
    assert funds_of(again.pk).total == 0  # and gets no welcome credits
    assert guard_of(again.pk, NOW).excluded_until == NOW + BREAKS["year"].lasts


def test_another_account_of_the_person_is_excluded_at_once(anna):
    other = RegisteredFactory(
        username="anna6", email="anna5+more@gmail.com", verified=True, activated=True
    )
    third = RegisteredFactory(
        username="anna7", email="anna5@gmail.com", verified=True, activated=True
    )
    set_credits(other, 500)
    announcing.announce(User.objects.get(pk=other.pk), announcement(10), NOW)
    exclusions.begin(third.pk, "week", NOW)
    assert is_excluded(other)
    assert funds_of(other.pk).reserved == 0
    assert not is_excluded(anna)


def test_a_repeated_break_reaches_the_accounts_that_the_first_request_did_not(anna, monkeypatch):
    again = RegisteredFactory(
        username="anna6", email="anna5+more@gmail.com", verified=True, activated=True
    )
    third = RegisteredFactory(
        username="anna7", email="anna5@gmail.com", verified=True, activated=True
    )
    with monkeypatch.context() as patch:
        patch.setattr(exclusions, "carry_over", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            exclusions.begin(third.pk, "week", NOW)
    assert is_excluded(third)
    assert not is_excluded(again)
    with pytest.raises(Refused, match="excluded_longer"):
        exclusions.begin(third.pk, "week", NOW)
    assert is_excluded(again)


def test_an_account_that_proves_the_mailbox_later_is_excluded_from_then_on(anna):
    exclusions.begin(anna.pk, "year", NOW)
    other = member("boris5")
    assert not is_excluded(other)
    User.objects.filter(pk=anna.pk).update(email="")
    anna.emailaddress_set.all().delete()
    other.emailaddress_set.update(email="anna5@example.org")
    identities.remember(other.pk, NOW)
    assert is_excluded(other)


def test_a_new_account_with_a_mailbox_proved_during_the_break_is_excluded(anna):
    exclusions.begin(anna.pk, "year", NOW)
    anna.emailaddress_set.update(email="second@example.org")
    identities.renew(anna.pk, NOW)
    closing.close(anna.pk, NOW)
    again = RegisteredFactory(
        username="anna6", email="second@example.org", verified=True, activated=True
    )
    assert is_excluded(again)


def test_a_mailbox_that_was_given_up_before_the_break_is_excluded(anna):
    anna.emailaddress_set.update(email="second@example.org")
    User.objects.filter(pk=anna.pk).update(email="second@example.org")
    exclusions.begin(anna.pk, "year", NOW)
    again = RegisteredFactory(
        username="anna6", email="anna5@example.org", verified=True, activated=True
    )
    assert is_excluded(again)


def test_staff_can_read_limits_and_breaks_but_not_change_them(anna, client, boss):
    exclusions.begin(anna.pk, "year", NOW)
    services.set_limits(anna.pk, {Kind.STAKE: 50}, NOW)
    for model in (Exclusion, Limit):
        row, name = model.objects.get(), model._meta.model_name
        page = reverse(f"admin:wallet_{name}_change", args=[row.pk])
        assert client.get(page).status_code == 200
        assert client.get(reverse(f"admin:wallet_{name}_changelist")).status_code == 200
        assert client.post(page, {"ends_at_0": "2020-01-01", "amount": 9000}).status_code == 403
        delete = reverse(f"admin:wallet_{name}_delete", args=[row.pk])
        assert client.post(delete, {"post": "yes"}).status_code == 403
        assert client.get(reverse(f"admin:wallet_{name}_add")).status_code == 403
    assert is_excluded(anna)
    assert guard_of(anna.pk, NOW).amounts == {Kind.STAKE: 50}


def test_a_break_is_kept_until_a_year_after_its_end(anna):
    old = NOW - BREAKS["day"].lasts - exclusions.KEPT_FOR
    exclusions.begin(anna.pk, "day", old - SECOND)
    exclusions.begin(anna.pk, "week", NOW)
    out = StringIO()
    call_command("forgetexclusions", stdout=out)
    assert "1 exclusions" in out.getvalue()
    assert Exclusion.objects.count() == 1
    assert ExclusionDigest.objects.filter(exclusion=Exclusion.objects.get()).exists()


def test_an_excluded_member_sees_no_gift_and_no_game_to_join(anna, client):
    now = timezone.now()  # NOW may be older than the five minutes of an announcement
    announcing.announce(_rich("boris5"), announcement(10), now)
    sign_in(client, anna)
    assert "1 game to join" in client.get("/whats-new/").content.decode()
    exclusions.begin(anna.pk, "week", now)
    assert "1 game to join" not in client.get("/whats-new/").content.decode()
    page = client.get(reverse("shop:gifts")).content.decode()
    assert "You are taking a time-out until" in page
    assert reverse("shop:take_gift") not in page


def _rich(login: str) -> User:
    user = member(login)
    set_credits(user, 1000)
    return user
