"""Staff cannot reverse a stake or correct a pot; they must void the match instead."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.shared.transactions import write_transaction
from games.engine.match.state import MatchCause
from games.engine.sides import Side
from tests.accounts.factories import sign_in, staff
from tests.games.factories import StakeSitting
from tests.wallet.factories import player, total_of
from wallet.errors import Vetoed
from wallet.models import Account, Transfer
from wallet.services import corrections, transfers

pytestmark = pytest.mark.django_db

RUNNING = "The match is still in progress: void it"
SETTLED = "The match is settled"


@pytest.fixture
def sitting() -> StakeSitting:
    return StakeSitting(player("white5"), player("black5"), stake=100).sit().start_game()


@pytest.fixture
def bossy(client: Client) -> Client:
    return sign_in(client, staff("bossy"))


def transfer_of(sitting: StakeSitting, key: str) -> Transfer:
    return Transfer.objects.get(key=f"{key}:{sitting.public_id}")


def pot_of(sitting: StakeSitting) -> Account:
    return Account.objects.get(code=f"match:{sitting.public_id}")


def reverse_by_staff(transfer: Transfer) -> Transfer:
    clerk = staff("clerk")
    with write_transaction():
        return corrections.reverse(transfer.pk, "A mistake.", clerk.pk, timezone.now())


def test_reversal_of_a_stake_of_a_running_match_is_refused(sitting):
    with pytest.raises(Vetoed, match=RUNNING):
        reverse_by_staff(transfer_of(sitting, "stake"))
    sitting.do("resign_match", side=Side.WHITE)
    assert sitting.state.outcome.cause is MatchCause.RESIGN_MATCH
    assert {side: total_of(user) for side, user in sitting.users.items()} == {
        Side.WHITE: 900,
        Side.BLACK: 1090,
    }


@pytest.mark.parametrize("step", [{}, {"confirmed": "1"}])
def test_staff_are_shown_why_a_stake_cannot_be_reversed(bossy, sitting, step):
    page = reverse("admin:wallet_transfer_reverse", args=[transfer_of(sitting, "stake").pk])
    answer = bossy.post(page, {"reason": "A mistake.", **step})
    assert answer.status_code == 422
    assert RUNNING in answer.content.decode()
    assert pot_of(sitting).balance_credits == 200


@pytest.mark.parametrize("key", ["stake", "settle"])
def test_reversal_of_a_transfer_of_a_settled_pot_is_refused(sitting, key):
    sitting.do("resign_match", side=Side.WHITE)
    with pytest.raises(Vetoed, match=SETTLED):
        reverse_by_staff(transfer_of(sitting, key))
    assert pot_of(sitting).balance_credits == 0


@pytest.mark.parametrize("step", [{}, {"confirmed": "1"}])
@pytest.mark.parametrize("credits", [50, -50])
def test_correcting_a_pot_is_refused_with_the_reason(bossy, sitting, credits, step):
    page = reverse("admin:wallet_account_correct", args=[pot_of(sitting).pk])
    form = {"credits": credits, "reason": "Why not.", "key": "6" * 32, **step}
    answer = bossy.post(page, form)
    assert answer.status_code == 422
    assert "The credits in a pot" in answer.content.decode()
    assert pot_of(sitting).balance_credits == 200


def test_reversal_of_a_stake_can_be_reversed(sitting):
    """Older versions could reverse a stake, and such a match cannot end until the stake is back."""
    with write_transaction():
        out = transfers.reverse(transfer_of(sitting, "stake").pk, "Old.", None, timezone.now())
    back = reverse_by_staff(out)
    assert pot_of(sitting).balance_credits == 200
    with pytest.raises(Vetoed, match=RUNNING), write_transaction():
        corrections.reverse(back.pk, "Again.", back.by_id, timezone.now())
    sitting.do("resign_match", side=Side.WHITE)
    assert pot_of(sitting).balance_credits == 0
