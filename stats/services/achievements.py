"""Count the deeds of members in counted seats, and award the achievements that they reach."""

from collections import defaultdict
from datetime import UTC

from games.engine.board.win_kind import WinKind
from games.engine.match.state import MatchCause
from games.engine.sides import Side
from games.models import Game, Match, Seat
from games.models.kind import Category
from stats.achievements.definitions import reached_by
from stats.achievements.facts import Deeds, GameFacts, MatchFacts
from stats.models import Award, MemberDeeds
from stats.services import stored
from stats.services.logs import ReadLog


class Achieved:
    """The deeds of some members and their new awards; seats are added in the order of counting."""

    def __init__(self) -> None:
        self._deeds: dict[int, Deeds] = defaultdict(Deeds)
        self._awards: dict[tuple[int, str], Award] = {}
        self._known: set[tuple[int, str]] = set()

    def load(self, user_id: int | None) -> None:
        """Read the member's stored deeds and awards."""
        assert user_id is not None
        row = MemberDeeds.objects.filter(pk=user_id).first()
        if row is not None:
            self._deeds[user_id] = Deeds.from_json(row.data)
        codes = Award.objects.filter(user_id=user_id).values_list("code", flat=True)
        self._known.update((user_id, code) for code in codes)

    def add(self, seat: Seat, log: ReadLog) -> None:
        """Count the seat's match, unless it was void or `log.is_played` is False."""
        match = seat.match
        if match.outcome == MatchCause.VOID or not log.is_played:
            return
        assert seat.user_id is not None
        assert match.finished_at is not None
        facts, deeds = facts_of(seat), self._deeds[seat.user_id]
        deeds.add(facts)
        for code in reached_by(deeds, facts):
            key = (seat.user_id, code)
            if key not in self._known:
                self._known.add(key)
                self._awards[key] = Award(
                    user_id=seat.user_id, code=code, match=match, reached_at=match.finished_at
                )

    def write_new(self) -> None:
        """Store deeds and new awards. The caller has locked the ladder."""
        for user_id, deeds in self._deeds.items():
            MemberDeeds.objects.update_or_create(pk=user_id, defaults={"data": deeds.to_json()})
        Award.objects.bulk_create(self._awards.values(), ignore_conflicts=True)

    def replace(self, user_id: int | None = None) -> int:
        """Replace the stored rows, all or one member's; return how many differed.

        The caller has locked the ladder.
        """
        deeds = {(user_id,): {"data": deeds.to_json()} for user_id, deeds in self._deeds.items()}
        awards = {
            key: {"match_id": award.match_id, "reached_at": award.reached_at}
            for key, award in self._awards.items()
        }
        of = {} if user_id is None else {"user": user_id}
        return stored.replace(
            MemberDeeds, ("user_id",), deeds, MemberDeeds.objects.filter(**of)
        ) + stored.replace(Award, ("user_id", "code"), awards, Award.objects.filter(**of))


def facts_of(seat: Seat) -> MatchFacts:
    """Return the facts of a finished match for this seat."""
    match = seat.match
    assert match.finished_at is not None
    other = next(each for each in match.seats.all() if each.pk != seat.pk)
    score = dict(zip(Side, match.snapshot["score"], strict=True))
    side = seat.engine_side
    return MatchFacts(
        variant=match.match_rules.variant.value,
        length=match.match_rules.length or 0,
        is_won=match.winner == seat.side,
        score=(score[side], score[side.other]),
        day=match.finished_at.astimezone(UTC).date(),
        opponent=other.user_id,
        level=other.bot,
        is_friendly=match.policy.category is Category.FRIENDLY,
        is_tournament=match.policy.is_of_tournament,
        games=_games(match, seat.side),
    )


def _games(match: Match, side: str) -> tuple[GameFacts, ...]:
    games = sorted(match.games.all(), key=lambda each: each.number)
    return tuple(_facts_of_game(game, side) for game in games if game.cause)


def _facts_of_game(game: Game, side: str) -> GameFacts:
    if not game.winner:
        return GameFacts(0, is_mars=False, cube=game.cube, is_drawn=True)
    return GameFacts(
        points=game.points if game.winner == side else -game.points,
        is_mars=game.kind in (WinKind.GAMMON, WinKind.BACKGAMMON),
        cube=game.cube,
    )
