"""Find the players who caused a match to be void."""

from collections.abc import Collection

from games.engine.match.state import MatchCause, MatchState
from games.engine.sides import Side
from games.models import Match
from games.models.void_cause import VoidCause


def void_cause_of(match: Match) -> VoidCause | None:
    """Return why the match is void, as its log says; None for any other match."""
    if match.outcome != MatchCause.VOID:
        return None
    return VoidCause(match.actions.values_list("data__cause", flat=True).get(verb="void"))


def missing_sides(match: Match) -> frozenset[Side]:
    """Return the sides that gave up before the first roll or did not do their part in time.

    A side that still waited for the other's hash has done its part, even without entropy.
    """
    match void_cause_of(match):
        case VoidCause.LEFT:
            side = match.actions.values_list("side", flat=True).get(verb="void")
            return frozenset({Side(side)})
        case VoidCause.NO_START:
            bots = {seat.engine_side for seat in match.seats.all() if seat.bot}
            people = [side for side in Side if side not in bots]
            return frozenset(
                side for side in people if not _has_done_its_part(match.state, side, bots)
            )
        case _:
            return frozenset()


def _has_done_its_part(state: MatchState, side: Side, bots: Collection[Side]) -> bool:
    """Return whether the side sent its hash and, if it could, its entropy.

    Entropy is sent once the hashes of both people are in; bots send nothing.
    """
    has_hash = state.proof.hashes[side] is not None
    is_waiting = state.proof.hashes[side.other] is None and side.other not in bots
    return has_hash and (is_waiting or state.proof.entropy[side] is not None)
