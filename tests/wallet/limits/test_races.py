"""Of two requests at once against a limit or a break, the second sees the first one's effect."""

import pytest
from django.utils import timezone

from accounts.models import User
from lobby.models import Seek
from lobby.services import announcing, joining
from tests.games.factories import give_history
from tests.lobby.factories import announcement
from tests.support.races import one_after_the_other
from tests.tournaments.factories import announced
from tests.wallet.factories import player
from tournaments.services import entering
from wallet.limits import exclusions, services, spending
from wallet.limits.rules import DAY, Kind

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]


@pytest.fixture
def anna() -> User:
    member = player("anna5")
    give_history(member)
    return member


def test_two_stakes_at_once_do_not_exceed_the_rest_of_a_loss_limit(anna: User) -> None:
    now = timezone.now()
    services.set_limits(anna.pk, {Kind.LOSS_DAY: 150}, now)
    tournament = announced(now, fee_credits=100)
    acts = [
        lambda: announcing.announce(anna, announcement(100), now),
        lambda: entering.enter(tournament.public_id, anna, now),
    ]
    for first, second in (acts, acts[::-1]):
        assert one_after_the_other(first, second) == "own_loss"
        assert spending.lost(anna.pk, [DAY], now) == {DAY: 100}
        exclusions.begin(anna.pk, "day", now)  # gives everything back
        exclusions.Exclusion.objects.all().delete()


def test_joining_while_a_limit_is_lowered_is_refused(anna: User) -> None:
    now = timezone.now()
    seek = announcing.announce(player("boris5"), announcement(100), now)
    code = one_after_the_other(
        lambda: services.set_limits(anna.pk, {Kind.STAKE: 50}, now),
        lambda: joining.join(seek.public_id, anna, now),
    )
    assert code == "own_stake"
    assert Seek.objects.get().state == Seek.State.OPEN


def test_a_limit_lowered_after_joining_leaves_the_match(anna: User) -> None:
    now = timezone.now()
    seek = announcing.announce(player("boris5"), announcement(100), now)
    one_after_the_other(
        lambda: joining.join(seek.public_id, anna, now),
        lambda: services.set_limits(anna.pk, {Kind.STAKE: 50}, now),
    )
    assert Seek.objects.get().state == Seek.State.JOINED


def test_a_game_announced_while_a_break_begins_is_refused_or_canceled(anna: User) -> None:
    now = timezone.now()
    acts = [
        lambda: exclusions.begin(anna.pk, "day", now),
        lambda: announcing.announce(anna, announcement(100), now),
    ]
    assert one_after_the_other(acts[1], acts[0]) == ""
    assert Seek.objects.get().state == Seek.State.CANCELED
    exclusions.Exclusion.objects.all().delete()
    assert one_after_the_other(*acts) == "excluded"
    assert not Seek.objects.filter(state=Seek.State.OPEN).exists()


def test_a_free_entry_while_a_break_begins_is_refused_or_withdrawn(anna: User) -> None:
    now = timezone.now()
    tournament = announced(now, fee_credits=0)
    acts = [
        lambda: exclusions.begin(anna.pk, "day", now),
        lambda: entering.enter(tournament.public_id, anna, now),
    ]
    assert one_after_the_other(acts[1], acts[0]) == ""
    assert not entering.entered(tournament).exists()
    exclusions.Exclusion.objects.all().delete()
    assert one_after_the_other(*acts) == "excluded"
    assert not entering.entered(tournament).exists()
