"""The hourly count of the ledger: its sources, the agreement of both totals, and old counts."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.shared.transactions import write_transaction
from games.engine.sides import Side
from shop.models import LedgerCount
from shop.services import gifts
from shop.services.counting import KEPT, count, settle_due
from tests.accounts.factories import sign_in, staff
from tests.games.factories import StakeSitting
from tests.wallet.factories import player
from wallet.models import Account, Freeze, Transfer
from wallet.services import transfers

NOW = timezone.now()
HOUR = timedelta(hours=1)
TOTALS = "/shop/totals/"
pytestmark = pytest.mark.django_db


def page(client):
    return client.get(TOTALS).content.decode()


def test_page_says_that_nothing_has_been_counted_yet(client):
    assert "have not been counted yet" in page(client)


def test_empty_ledger_has_totals_of_zero(client):
    assert settle_due(NOW) == NOW + HOUR
    found = LedgerCount.objects.get()
    assert (found.came, found.there, found.is_balanced) == (0, 0, True)
    assert "Both totals agree" in page(client)


def test_totals_follow_gift_match_and_rake():
    anna, boris = player("anna5", credits=100), player("boris5", credits=300)
    gifts.take(anna, NOW)
    sitting = StakeSitting(anna, boris, stake=100).sit().start_game()
    playing = count(NOW)
    assert (playing.gifts, playing.bought, playing.pots, playing.members) == (425, 0, 200, 225)
    assert playing.is_balanced
    sitting.do("resign_match", side=Side.WHITE)
    over = count(NOW)
    assert (over.pots, over.rake, over.members) == (0, 10, 415)
    assert (over.came, over.there, over.is_balanced) == (425, 425, True)


def test_reversed_gift_is_not_counted():
    anna = player("anna5", credits=0)
    gifts.take(anna, NOW)
    with write_transaction():
        transfers.reverse(Transfer.objects.get(cause="gift").pk, "Wrong.", None, NOW)
    assert (count(NOW).gifts, count(NOW).members) == (0, 0)


def test_counts_are_made_once_an_hour_and_kept_for_a_month(django_assert_num_queries):
    settle_due(NOW)
    with django_assert_num_queries(1):
        assert settle_due(NOW + HOUR / 2) == NOW + HOUR
    assert settle_due(NOW + HOUR) == NOW + 2 * HOUR
    assert LedgerCount.objects.count() == 2
    settle_due(NOW + KEPT + HOUR / 2)
    assert [row.at for row in LedgerCount.objects.all()] == [
        NOW + KEPT + HOUR / 2,
        NOW + HOUR,
    ]


def test_a_balance_that_differs_from_its_entries_is_reported(client, caplog):
    anna = player("anna5", credits=100)
    Account.objects.filter(user=anna).update(balance_credits=90)
    settle_due(NOW)
    assert "the ledger disagrees" in caplog.text
    assert LedgerCount.objects.get().differences == 1
    assert "do not agree" in page(client)
    sign_in(client, staff("person1"))
    assert client.get("/admin/shop/ledgercount/").status_code == 200


def test_credits_freeze_even_if_the_worker_ends_before_the_count_is_stored(monkeypatch):
    def end(*given):
        raise OSError("killed")

    anna = player("anna5", credits=100)
    Account.objects.filter(user=anna).update(balance_credits=90)
    monkeypatch.setattr("shop.services.counting.count", end)
    with pytest.raises(OSError, match="killed"):
        settle_due(NOW)
    assert Freeze.objects.filter(lifted_at=None).exists()
    assert not LedgerCount.objects.exists()
