"""A break, limit or ban withdraws a member's entry and game while somebody joins the game."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from types import ModuleType

import pytest
from django.db import connection
from django.utils import timezone

from accounts.members import services as membership
from accounts.models import User
from accounts.shared.refusals import Refused
from games.models import Match
from lobby.models import Seek
from lobby.services import announcing, ending, joining, withdrawing
from tests.games.factories import give_history
from tests.lobby.factories import announcement
from tests.support.races import LOCK_WAIT_S
from tests.tournaments.factories import announced
from tests.wallet.factories import assert_books_balance, player
from tournaments.services import entering, purse
from wallet.limits import exclusions, services
from wallet.limits.rules import Kind
from wallet.selectors import funds_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]

Act = Callable[[], object]
Leave = Callable[[User], object]

# Each function withdraws a member's entry and announced game. The tests call this "leaving".
LEAVING: list[Leave] = [
    lambda anna: exclusions.begin(anna.pk, "day", timezone.now()),
    lambda anna: services.set_limits(anna.pk, {Kind.STAKE: 50}, timezone.now()),
    lambda anna: membership.ban(anna.pk),
]


@contextmanager
def meanwhile(
    monkeypatch: pytest.MonkeyPatch, place: tuple[ModuleType, str], act: Act, *, after: bool
) -> Iterator[list[str | Exception]]:
    """Run `act` in a thread that starts just before or after the block calls the function `place`.

    `place` = the function's module and name. The thread waits for the locks of the block. Yield a
    list of the codes of the thread's refusals and of its other errors; the end of the block joins
    the thread.
    """
    call = getattr(*place)
    raised: list[str | Exception] = []

    def do() -> None:
        try:
            act()
        except Refused as refusal:
            raised.append(refusal.code)
        except Exception as error:
            raised.append(error)
        connection.close()

    other = Thread(target=do)

    def start() -> None:
        if other.ident is None:
            other.start()
            other.join(LOCK_WAIT_S)

    def paused(*args: object) -> object:
        if not after:
            start()
        result = call(*args)
        if after:
            start()
        return result

    monkeypatch.setattr(*place, paused)
    yield raised
    other.join()


@pytest.fixture
def anna() -> User:
    """Return a member who has entered a tournament for 100 and announced a game for 100."""
    member = player("anna6")
    give_history(member)
    now = timezone.now()
    entering.enter(announced(now).public_id, member, now)
    announcing.announce(member, announcement(100), now)
    return member


@pytest.fixture
def boris() -> User:
    return player("boris6")


def funds(*members: User) -> list[tuple[int, int]]:
    found = [funds_of(member.pk) for member in members]
    return [(each.total, each.reserved) for each in found]


@pytest.mark.parametrize("leave", LEAVING, ids=["break", "limit", "ban"])
def test_a_member_who_leaves_first_gets_stake_and_fee_back(
    leave: Leave, anna: User, boris: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    seek = Seek.objects.get()
    fee_release = (purse, "release_fees")

    def join() -> None:
        joining.join(seek.public_id, boris, timezone.now())

    with meanwhile(monkeypatch, fee_release, join, after=True) as raised:
        leave(anna)
    assert raised == ["gone"]
    seek.refresh_from_db()
    assert seek.state == Seek.State.CANCELED
    assert funds(anna, boris) == [(1000, 0), (1000, 0)]
    assert_books_balance()


@pytest.mark.parametrize("leave", LEAVING, ids=["break", "limit", "ban"])
def test_a_member_who_leaves_while_the_game_begins_gets_only_the_fee_back(
    leave: Leave, anna: User, boris: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    seek = Seek.objects.get()
    account_locking = (joining, "lock_accounts_and_new_seeks")
    with meanwhile(monkeypatch, account_locking, lambda: leave(anna), after=False) as raised:
        joining.join(seek.public_id, boris, timezone.now())
    assert raised == []
    assert Match.objects.filter(seek=seek).exists()
    assert funds(anna, boris) == [(900, 0), (900, 0)]
    assert_books_balance()


@pytest.mark.parametrize("leave", LEAVING, ids=["break", "limit", "ban"])
def test_a_game_skipped_by_its_owners_withdrawal_does_not_begin(
    leave: Leave, anna: User, boris: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Simulate a row that the joiner has locked, so that the withdrawal skips it."""
    with monkeypatch.context() as joined_meanwhile:
        joined_meanwhile.setattr(ending, "lock_open", lambda owner_ids: [])
        joined_meanwhile.setattr(withdrawing, "_take_back", lambda user_id, now: None)
        leave(anna)
    seek = Seek.objects.get()
    with pytest.raises(Refused, match="gone"):
        joining.join(seek.public_id, boris, timezone.now())
    assert not Match.objects.filter(seek=seek).exists()
    assert_books_balance()
