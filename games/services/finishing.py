"""Effects of the end of a match, in the transaction that ends it."""

from collections.abc import Mapping
from datetime import datetime

from games import signals
from games.conduct import strikes
from games.engine.sides import Side
from games.models import Match, Seat
from games.stakes import escrow, history


def finish(
    match: Match, seats: Mapping[Side, Seat], now: datetime, ruling: escrow.Ruling | None
) -> None:
    """Free the players for their next match, add strikes, notify the apps above, move credits.

    The credits come last: the wallet is locked after everything else.
    """
    match.seats.filter(is_live_stake=True).update(is_live_stake=False)
    strikes.add(match, seats)
    signals.match_finished.send(Match, match_id=match.pk)
    history.count(match, seats, now)
    escrow.settle(match, seats, now, ruling)
