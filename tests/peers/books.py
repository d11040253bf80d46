"""What must hold after every scenario: each match's log, pot and tax, and the sum of credits."""

from django.db.models import Sum

from games.engine.sides import Side
from games.models import Match
from tests.games.factories import assert_log_folds
from tests.wallet.factories import assert_books_balance
from wallet.models import Account, Entry
from wallet.money import House

# What brings credits in or takes them out; the tax only moves them.
SOURCES = (House.GIFTS, House.PURCHASES, House.CLEARING, House.CORRECTION)


def moved(key: str) -> dict[str, int]:
    """The entries of one transfer: credits by the account's code, or the user's name."""
    entries = Entry.objects.filter(transfer__key=key).select_related("account__user")
    return {
        entry.account.user.username if entry.account.user else entry.account.code: int(
            entry.amount_credits
        )
        for entry in entries
    }


def assert_all_is_well() -> None:
    assert_books_balance()
    for match in Match.objects.all():
        assert_log_folds(match)
        if match.policy.is_staked:
            assert_pot(match)
    assert_sum_is_what_was_given()


def assert_sum_is_what_was_given() -> None:
    """What players, pots and the tax have together is what gifts and purchases brought in."""
    from_play = Entry.objects.filter(transfer__cause__startswith="stake", account__code__in=SOURCES)
    assert not from_play.exists(), "a match made or burnt credits"
    kept = Account.objects.exclude(kind=Account.Kind.HOUSE).aggregate(sum=Sum("balance_credits"))
    tax = Entry.objects.filter(account__code=House.RAKE).aggregate(sum=Sum("amount_credits"))
    given = Entry.objects.filter(account__code__in=SOURCES).aggregate(sum=Sum("amount_credits"))
    assert (kept["sum"] or 0) + (tax["sum"] or 0) == -(given["sum"] or 0)


def assert_pot(match: Match) -> None:
    """Both stakes are in the pot until the end, and what left it then is the rule's (10 %)."""
    stake, pot = match.stake_credits, f"match:{match.public_id}"
    users = {Side(seat.side): seat.user.username for seat in match.seats.select_related("user")}
    assert moved(f"stake:{match.public_id}") == {
        pot: 2 * stake,
        **dict.fromkeys(users.values(), -stake),
    }
    if not match.is_finished:
        expected = {}
    elif match.winner:
        tax = stake // 10
        expected = {pot: -2 * stake, users[Side(match.winner)]: 2 * stake - tax}
        expected |= {House.RAKE: tax} if tax else {}
    else:
        expected = {pot: -2 * stake, **dict.fromkeys(users.values(), stake)}
    settled = moved(f"settle:{match.public_id}")
    assert settled == expected, f"settled {settled}, by the rule {expected}"
