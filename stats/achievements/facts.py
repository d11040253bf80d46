"""A finished match as one member played it, and counts of all their matches so far. Pure."""

from dataclasses import asdict, dataclass, field
from datetime import date
from itertools import accumulate
from typing import Any, Self

# Limits on the different opponents and days that are stored; no achievement needs more.
MOST_OPPONENTS = 100
MOST_DAYS = 100


@dataclass(frozen=True, slots=True)
class GameFacts:
    """`points` are signed: negative if the member lost the game, 0 if it was cut short or drawn."""

    points: int
    is_mars: bool  # also for koks
    cube: int
    is_drawn: bool = False  # one point to each


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """`opponent` is a member's id or None; `level` is that of a computer opponent or "".

    `length` is 0 for a money session.
    """

    variant: str
    length: int
    is_won: bool
    score: tuple[int, int]  # the member's and the opponent's
    day: date
    opponent: int | None = None
    level: str = ""
    is_friendly: bool = False
    is_tournament: bool = False
    games: tuple[GameFacts, ...] = ()

    @property
    def is_against_person(self) -> bool:
        return not self.level

    @property
    def deepest_deficit(self) -> int:
        """Return the largest number of points by which the member was behind; 0 if never behind."""
        # Two zeros, since `max` needs two arguments if there are no games.
        return max(0, *(-lead for lead in accumulate(game.points for game in self.games)), 0)

    @property
    def won_from_the_brink(self) -> bool:
        """Return whether the member won after they needed 3 points or more and the opponent 1."""
        own = other = 0
        for game in self.games:
            own += max(0, game.points) + game.is_drawn
            other += max(0, -game.points) + game.is_drawn
            if other == self.length - 1 and own <= self.length - 3:
                return self.is_won
        return False


@dataclass(slots=True)
class Deeds:
    """Counts over a member's finished matches; their order does not matter."""

    matches: int = 0
    with_people: int = 0
    won_from_people: int = 0
    friendly: int = 0
    tournament: int = 0
    tournament_won: int = 0
    games_won: int = 0
    mars: int = 0
    variants_won: list[str] = field(default_factory=list)
    levels_beaten: list[str] = field(default_factory=list)  # such as "short master"
    opponents: list[int] = field(default_factory=list)
    days: list[int] = field(default_factory=list)  # ordinals

    def add(self, match: MatchFacts) -> None:
        self.matches += 1
        self.games_won += sum(game.points > 0 for game in match.games)
        self.mars += sum(game.points > 0 and game.is_mars for game in match.games)
        self.friendly += match.is_friendly
        self.tournament += match.is_tournament
        self.tournament_won += match.is_tournament and match.is_won
        _note(self.days, match.day.toordinal(), MOST_DAYS)
        if match.is_against_person:
            self.with_people += 1
            self.won_from_people += match.is_won
            if match.opponent is not None:
                _note(self.opponents, match.opponent, MOST_OPPONENTS)
        if match.is_won:
            _note(self.variants_won, match.variant)
            if match.level:
                _note(self.levels_beaten, f"{match.variant} {match.level}")

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        return cls(**data)


def _note(found: list[Any], value: Any, most: int = 1000) -> None:
    """Append a new value unless there are `most` already; variants and levels never reach 1000."""
    if value not in found and len(found) < most:
        found.append(value)
