"""Compute both players' rating changes by one match; reads the match, writes nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from games.engine.sides import Side
from games.models import Match
from stats.models import RatedMatch, RatingChange
from stats.rating import Standing, chance, change, played_weight, weight_of


@dataclass(frozen=True, slots=True)
class Result:
    """The data of a match for the formula. `results` by user id: 1 won, 0.5 drawn, 0 lost.

    `turns` are those of the side that played fewer. `day` is the day of the end in UTC.
    """

    rated: RatedMatch
    variant: str
    length: int
    day: date
    results: Mapping[int, float]
    net_credits: Mapping[int, int]
    turns: int

    @property
    def pair(self) -> tuple[int, ...]:
        return tuple(sorted(self.results))


def result_of(row: RatedMatch) -> Result:
    """Read the result of a match and its turns."""
    match = row.match
    length = match.match_rules.length
    assert length is not None  # a session without a length is not rated
    seats = [(seat.user_id, seat.engine_side) for seat in match.seats.all() if seat.user_id]
    turns = match.actions.turns_by_side()
    return Result(
        rated=row,
        variant=match.variant,
        length=length,
        day=row.finished_at.date(),
        results={user_id: _result(match, side) for user_id, side in seats},
        net_credits={user_id: match.net_credits_of(side) for user_id, side in seats},
        turns=min(turns.get(side.value, 0) for side in Side),
    )


def changes_by(
    result: Result, standings: Mapping[int, Standing], number_of_pair: int
) -> list[RatingChange]:
    """Return the unsaved changes of both players; `standings` are those before the match.

    `number_of_pair` is the match's number (from 1) among the pair's matches of the day.
    """
    of_pair = weight_of(number_of_pair)
    changes = []
    for user_id, other_id in zip(result.pair, reversed(result.pair), strict=True):
        own, other, scored = standings[user_id], standings[other_id], result.results[user_id]
        played = played_weight(result.turns, scored)
        weight = of_pair * played
        made = RatingChange(
            rated=result.rated,
            user_id=user_id,
            variant=result.variant,
            length=result.length,
            result=Decimal(str(scored)),
            before=own.rating,
            opponent_before=other.rating,
            experience_before=own.experience,
            chance=Decimal(chance(own.rating, other.rating, result.length)).quantize(
                Decimal("0.0001")
            ),
            weight=Decimal(weight).quantize(Decimal("0.000001")),
            played_weight=Decimal(str(played)),
            change=change(own, other, result.length, scored, weight),
            net_credits=result.net_credits[user_id],
        )
        changes.append(made)
    return changes


def _result(match: Match, side: Side) -> float:
    return 0.5 if not match.winner else float(match.winner == side)
