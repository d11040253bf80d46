"""Choose the running game to show first to spectators. Pure."""

from collections.abc import Container, Iterable
from decimal import Decimal

from games.models import Match
from stats.rating import Standing

# Minimum number of games; with fewer there is nothing to choose from.
LEAST_GAMES = 2


def featured_of(matches: Iterable[Match], friend_ids: Container[int] = ()) -> Match | None:
    """Return the game that is best by rating and pot together; games of friends come first.

    Of equal games the older one is returned.

    The games come from `selectors.with_standings`. A game's rank is the number of games with higher
    ratings plus the number of games with a larger pot, so that neither unit outweighs the other.
    """
    found = list(matches)
    if len(found) < LEAST_GAMES:
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
