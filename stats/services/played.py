"""The rows of played matches: written when a seat is counted, and compared by a rebuild."""

from collections.abc import Collection

from games.engine.board.win_kind import WinKind
from games.engine.match.state import MatchCause
from games.engine.sides import Side
from games.models import Match, Seat
from stats.models import CountedSeat, PlayedMatch
from stats.services.logs import ReadLog, Roll

# Rows written or deleted at once.
CHUNK = 500
_MARS = (WinKind.GAMMON.value, WinKind.BACKGAMMON.value)
_FIELDS = [
    field.attname
    for field in PlayedMatch._meta.concrete_fields
    if field.attname not in ("id", "seat_id")
]


class PlayedRows:
    """The rows of some seats that differ from the stored ones."""

    def __init__(self) -> None:
        self._differing: list[PlayedMatch] = []

    def compare(self, made: Collection[PlayedMatch]) -> None:
        """Collect the rows that differ from the stored ones."""
        ids = [row.seat_id for row in made]
        stored = {row.seat_id: row for row in PlayedMatch.objects.filter(seat__in=ids)}
        self._differing += [row for row in made if _values(stored.get(row.seat_id)) != _values(row)]

    def replace(self) -> int:
        """Store the differing rows, delete rows of uncounted seats; return the number of both."""
        write(self._differing)
        strays = PlayedMatch.objects.exclude(
            seat__in=CountedSeat.objects.filter(place__isnull=False).values("seat")
        )
        ids = list(strays.values_list("pk", flat=True))
        for start in range(0, len(ids), CHUNK):
            PlayedMatch.objects.filter(pk__in=ids[start : start + CHUNK]).delete()
        return len(self._differing) + len(ids)


def write(rows: list[PlayedMatch]) -> None:
    """Store the rows, replacing existing rows of the same seats."""
    PlayedMatch.objects.bulk_create(
        rows,
        batch_size=CHUNK,
        update_conflicts=True,
        unique_fields=["seat"],
        update_fields=[name.removesuffix("_id") for name in _FIELDS],
    )


def row_of(seat: Seat, log: ReadLog) -> PlayedMatch:
    """Return the unsaved row of a member's seat in a finished match."""
    match = seat.match
    assert match.finished_at is not None
    assert seat.user_id is not None
    side = seat.engine_side
    other = next(each for each in match.seats.all() if each.pk != seat.pk)
    score = dict(zip(Side, match.snapshot["score"], strict=True))
    own, result = log.rolls.get(seat.side, []), _result(match, seat)
    return PlayedMatch(
        seat=seat,
        user_id=seat.user_id,
        match=match,
        finished_at=match.finished_at,
        variant=match.variant,
        category=match.policy.category.value,
        against=_against(other),
        level=other.bot,
        opponent_id=other.user_id,
        is_public=match.is_public,
        result=result,
        length=match.rules["length"] or 0,
        own_score=score[side],
        other_score=score[side.other],
        **_games(match, side),
        rolls=len(own),
        doublets=sum(first == second for first, second in own),
        pips=sum(map(_pips, own)),
        all_rolls=sum(map(len, log.rolls.values())),
        net_credits=match.net_credits_of(side),
        fee_credits=match.rake_credits if result == PlayedMatch.Result.WON else 0,
    )


def _values(row: PlayedMatch | None) -> list[object]:
    return [] if row is None else [getattr(row, name) for name in _FIELDS]


def _against(other: Seat) -> str:
    against = PlayedMatch.Against
    return {"bot": against.COMPUTER, "user": against.MEMBER}.get(other.kind, against.GUEST)


def _result(match: Match, seat: Seat) -> str:
    result = PlayedMatch.Result
    if match.outcome == MatchCause.VOID:
        return result.VOID
    if not match.winner:
        return result.DRAWN
    return result.WON if match.winner == seat.side else result.LOST


def _games(match: Match, side: Side) -> dict[str, int]:
    """Return the counts of games won and lost, and of those won and lost by mars or more.

    A game cut short by the end of the match counts for neither side, as in achievements.
    """
    ended = [game for game in match.games.all() if game.winner and game.points]
    won = [game for game in ended if game.winner == side.value]
    lost = [game for game in ended if game.winner != side.value]
    return {
        "games_won": len(won),
        "games_lost": len(lost),
        "mars_won": sum(game.kind in _MARS for game in won),
        "mars_lost": sum(game.kind in _MARS for game in lost),
    }


def _pips(roll: Roll) -> int:
    first, second = roll
    return 4 * first if first == second else first + second
