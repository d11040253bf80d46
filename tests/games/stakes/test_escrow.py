"""Reserving stakes: formats of stored keys, one check of all payers' funds, repeated calls."""

import pytest
from django.utils import timezone

from accounts.models import User
from accounts.shared.transactions import write_transaction
from games.stakes import escrow
from tests.wallet.factories import player
from wallet.models import Hold
from wallet.selectors import funds_of

pytestmark = pytest.mark.django_db
CREDITS = 1000  # welcome credits of a new player


@pytest.fixture
def payers() -> list[User]:
    return [player("anna5"), player("boris5")]


def reserve(purpose: escrow.Purpose, users: list[User], credits: int) -> dict[int, int]:
    with write_transaction():
        return escrow.reserve(purpose, "abc", [user.pk for user in users], credits, timezone.now())


@pytest.mark.parametrize(
    ("purpose", "key", "reference"),
    [
        (escrow.ANNOUNCEMENT, "seek:abc", "seek:abc"),
        (escrow.JOIN, "join:abc:{payer}", "seek:abc"),
        (escrow.REMATCH, "rematch:abc:{payer}", "match:abc"),
    ],
)
def test_keys_and_references_keep_their_formats(payers, purpose, key, reference):
    payer = payers[0]
    hold = Hold.objects.get(pk=reserve(purpose, [payer], 50)[payer.pk])
    expected = (key.format(payer=payer.pk), reference, "stake", 50)
    assert (hold.key, hold.reference, hold.cause, hold.amount_credits) == expected


def test_each_payer_reserves_the_stake_and_a_repeated_call_returns_the_same_holds(payers):
    first = reserve(escrow.REMATCH, payers, 50)
    assert first == reserve(escrow.REMATCH, payers[::-1], 50)
    assert set(first) == {payer.pk for payer in payers}
    assert [funds_of(payer.pk).reserved for payer in payers] == [50, 50]


def test_shortfall_of_one_payer_leaves_nothing_reserved(payers):
    rich, poor = payers
    reserve(escrow.JOIN, [poor], CREDITS - 20)
    with pytest.raises(escrow.NoCredits) as missing:
        reserve(escrow.REMATCH, payers, 50)
    assert (missing.value.user_id, missing.value.shortfall) == (poor.pk, 30)
    assert missing.value.to_dict() == {"code": "no_credits"}  # so the other player sees no number
    assert funds_of(rich.pk).reserved == 0


def test_stake_of_an_announcement_can_be_staked_and_other_reservations_cannot(payers):
    payer = payers[0]
    reserve(escrow.ANNOUNCEMENT, [payer], 60)
    reserve(escrow.Purpose("fee:{subject}:{payer}", "tournament:{subject}", "fee"), [payer], 100)
    assert funds_of(payer.pk).available == CREDITS - 160
    assert escrow.stakable_credits(payer.pk) == CREDITS - 100
