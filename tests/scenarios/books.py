"""Checks of each match's log, pot and rake, and of the sum of credits, after every scenario."""

from django.db.models import Sum

from games.engine.sides import Side
from games.models import Match
from tests.games.factories import assert_log_folds
from tests.wallet.factories import assert_books_balance
from wallet.models import Account, Entry
from wallet.money import House

# House accounts whose transfers create or destroy credits of players.
SOURCES = (House.GIFTS, House.BOUGHT, House.CORRECTION)


def moved(key: str) -> dict[str, int]:
    """Return the amounts of one transfer by the account's code or the user's name."""
    entries = Entry.objects.filter(transfer__key=key).select_related("account__user")
    return {
        entry.account.user.username if entry.account.user else entry.account.code: int(
            entry.amount_credits
        )
        for entry in entries
    }


def assert_site_is_consistent() -> None:
    assert_books_balance()
    for match in Match.objects.all():
        assert_log_folds(match)
        if match.policy.is_staked:
            assert_pot(match)
    assert_sum_is_what_was_given()


def assert_sum_is_what_was_given() -> None:
    """Assert that players, pots and the rake together hold what the house accounts SOURCES gave."""
    from_play = Entry.objects.filter(transfer__cause__startswith="stake", account__code__in=SOURCES)
    assert not from_play.exists(), "a match made or burnt credits"
    kept = Account.objects.exclude(kind=Account.Kind.HOUSE).aggregate(sum=Sum("balance_credits"))
    rake = Entry.objects.filter(account__code=House.RAKE).aggregate(sum=Sum("amount_credits"))
    given = Entry.objects.filter(account__code__in=SOURCES).aggregate(sum=Sum("amount_credits"))
    assert (kept["sum"] or 0) + (rake["sum"] or 0) == -(given["sum"] or 0)


def assert_pot(match: Match) -> None:
    """Assert that the pot keeps both stakes until the end; a winner gets them less the rake.

    The rake is a tenth of one stake. Without a winner each player gets the stake back.
    """
    stake, pot = match.stake_credits, f"match:{match.public_id}"
    users = {Side(seat.side): seat.user.username for seat in match.seats.select_related("user")}
    assert moved(f"stake:{match.public_id}") == {
        pot: 2 * stake,
        **dict.fromkeys(users.values(), -stake),
    }
    if not match.is_finished:
        expected = {}
    elif match.winner:
        rake = stake // 10
        expected = {pot: -2 * stake, users[Side(match.winner)]: 2 * stake - rake}
        expected |= {House.RAKE: rake} if rake else {}
    else:
        expected = {pot: -2 * stake, **dict.fromkeys(users.values(), stake)}
    settled = moved(f"settle:{match.public_id}")
    assert settled == expected, f"settled {settled}, by the rule {expected}"
