"""Scenario 15: the sum of credits is constant, and the rake is the announced one."""

import pytest
from django.utils import timezone

from games.engine.sides import Side
from games.protocol import snapshots
from games.services.deadlines import settle_due
from lobby.services import announcing, ending, expiry
from tests.games.factories import StakeSitting
from tests.lobby.factories import announcement, minutes
from tests.scenarios.books import assert_site_is_consistent
from tests.wallet.factories import player, total_of
from wallet.models import Account, Entry
from wallet.money import House

pytestmark = [pytest.mark.django_db, pytest.mark.both]

# Rake by stake: a tenth of the winner's profit, rounded down.
RAKE = {10: 1, 19: 1, 20: 2, 99: 9, 101: 10, 990: 99}


def total_credits() -> int:
    """Return the sum of the credits of players and pots and of the rake."""
    rake = Entry.objects.filter(account__code=House.RAKE).values_list("amount_credits", flat=True)
    kept = Account.objects.exclude(kind=Account.Kind.HOUSE)
    return sum(rake) + sum(kept.values_list("balance_credits", flat=True))


@pytest.mark.parametrize(("stake", "rake"), RAKE.items())
def test_15_sum_of_all_accounts_is_constant_and_the_rake_follows_the_rule(
    stake: int, rake: int
) -> None:
    white, black = player("white5"), player("black5")
    assert total_credits() == 2000
    now = timezone.now()
    for end in (  # announcements that nobody joins
        lambda seek: ending.cancel(seek.public_id, white, now),
        lambda seek: expiry.settle_due(now + minutes(5)),
    ):
        seek = announcing.announce(white, announcement(stake=stake), now)
        assert total_credits() == 2000
        end(seek)
        assert (total_of(white), total_credits()) == (1000, 2000)

    sitting = StakeSitting(white, black, stake=stake).sit().start_game()
    assert (total_of(white), total_of(black), total_credits()) == (1000 - stake,) * 2 + (2000,)
    shown = snapshots.state_frame(sitting.public_id, None, -1, sitting.now)["match"]["stake"]
    assert shown == {"stake": stake, "rake": rake, "payout": 2 * stake - rake}
    sitting.do("resign_match", side=Side.BLACK)
    assert (total_of(white), total_of(black)) == (1000 + stake - rake, 1000 - stake)
    assert total_credits() == 2000

    void = StakeSitting(white, black, stake=10)
    void.pass_time(30_000)
    settle_due(void.now)
    assert (total_of(white), total_of(black)) == (1000 + stake - rake, 1000 - stake)
    assert total_credits() == 2000


@pytest.mark.broken_books
def test_15_check_after_each_scenario_detects_a_wrong_rake() -> None:
    sitting = StakeSitting(player("white5"), player("black5"), stake=100).sit().start_game()
    sitting.match.refresh_from_db()
    sitting.match.rake_credits = 11
    sitting.match.save()
    sitting.do("resign_match", side=Side.BLACK)
    with pytest.raises(AssertionError, match="rake"):
        assert_site_is_consistent()
