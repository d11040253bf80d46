"""Choose the match in play to show first to spectators. Pure."""

from collections.abc import Container, Iterable
from decimal import Decimal

from games.models import Match
from stats.rating import Standing

# Minimum number of matches; with fewer there is nothing to choose from.
LEAST_MATCHES = 2


def featured_of(matches: Iterable[Match], friend_ids: Container[int] = ()) -> Match | None:
    """Return the match that is best by rating and pot together; matches of friends come first.

    Of equal matches the older one is returned; None if there are fewer than LEAST_MATCHES.

    The matches come from `selectors.with_standings`. A match's rank is the number of matches with
    a higher sum of ratings plus the number of matches with a larger pot, so that neither unit
    outweighs the other.
    """
    found = list(matches)
    if len(found) < LEAST_MATCHES:
        return None
    ratings = {match.pk: _rating(match) for match in found}

    # The choice must not reveal a hidden stake.
    stakes = {match.pk: 0 if match.hides_stake else match.stake_credits for match in found}

    def rank(match: Match) -> tuple[bool, int, int]:
        higher = sum(rating > ratings[match.pk] for rating in ratings.values())
        larger = sum(stake > stakes[match.pk] for stake in stakes.values())
        return not has_friend(match, friend_ids), higher + larger, match.pk

    return min(found, key=rank)


def has_friend(match: Match, friend_ids: Container[int]) -> bool:
    return any(seat.user_id in friend_ids for seat in match.seats.all())


def _rating(match: Match) -> Decimal:
    standings = (getattr(seat, "standing", Standing()) for seat in match.seats.all())
    return sum((standing.rating for standing in standings), Decimal())
