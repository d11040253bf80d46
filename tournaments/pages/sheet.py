"""Everything that the page of one tournament shows, in a fixed number of queries."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.db.models import F

from accounts.models import User
from accounts.people.names import shown_name
from games.models import Match
from tournaments import states
from tournaments.exports.draw_file import draw_file
from tournaments.formats import FORMATS, Played, PlayedRound
from tournaments.models import Entrant, Fixture, Tournament
from tournaments.pages import tables
from tournaments.pages.expected import expected_end, expected_minutes
from tournaments.selectors import played_of


@dataclass
class Sheet:
    tournament: Tournament
    viewer: User | None
    entrants: list[Entrant] = field(init=False)
    rounds: list[list[Fixture]] = field(init=False)

    def __post_init__(self) -> None:
        found = Entrant.objects.filter(tournament=self.tournament)
        present = found.exclude(state=Entrant.State.WITHDRAWN).order_by("pk")
        self.entrants = list(present.select_related("user__profile"))
        self.rounds = self._fixtures()

    def _fixtures(self) -> list[list[Fixture]]:
        """Return the fixtures of each round, with the entrants' rows and live scores on them."""
        found = Fixture.objects.filter(round__tournament=self.tournament)
        found = found.annotate(round_number=F("round__number"), table_id=F("match__public_id"))
        fixtures = list(found.order_by("round_number", "number"))
        open_ids = [each.match_id for each in fixtures if each.match_id and not each.finished_at]
        live = Match.objects.filter(pk__in=open_ids).values_list("pk", "snapshot__score")
        scores = dict(live)
        by_round: dict[int, list[Fixture]] = {}
        for fixture in fixtures:
            fixture.first = self.entrant(fixture.first_id)
            fixture.second = self.entrant(fixture.second_id) if fixture.second_id else None
            live_score = scores.get(fixture.match_id or 0)
            fixture.score = _score_of(fixture, live_score)  # type: ignore[attr-defined]
            by_round.setdefault(fixture.round_number, []).append(fixture)
        return list(by_round.values())

    def entrant(self, entrant_id: int) -> Entrant:
        return self.by_id[entrant_id]

    @cached_property
    def by_id(self) -> dict[int, Entrant]:
        return {entrant.pk: entrant for entrant in self.entrants}

    @cached_property
    def played(self) -> list[PlayedRound]:
        """Return the rounds whose fixtures are all decided."""
        return [
            tuple(played_of(fixture) for fixture in each)
            for each in self.rounds
            if all(fixture.finished_at for fixture in each)
        ]

    @cached_property
    def own(self) -> Entrant | None:
        user_id = self.viewer.pk if self.viewer else None
        return next((each for each in self.entrants if each.user_id == user_id), None)

    @property
    def is_open(self) -> bool:
        return self.tournament.state == states.ANNOUNCED

    @property
    def is_full(self) -> bool:
        return len(self.entrants) >= self.tournament.max_entrants

    @cached_property
    def own_fixture(self) -> Fixture | None:
        """Return the viewer's open fixture that has a table."""
        if self.own is None or not self.rounds:
            return None
        return next(
            (
                fixture
                for fixture in self.rounds[-1]
                if self.own.pk in (fixture.first_id, fixture.second_id)
                and fixture.match_id
                and not fixture.finished_at
            ),
            None,
        )

    @property
    def is_knockout(self) -> bool:
        return self.tournament.format == Tournament.Format.KNOCKOUT

    @cached_property
    def bracket(self) -> list[list[tables.Cell]]:
        if not self.is_knockout:
            return []
        return tables.bracket(self.rounds, self.played, self.by_id)

    @cached_property
    def table(self) -> list[tables.Line]:
        if self.is_knockout or not self.rounds:
            return []
        return tables.table(self.tournament, self.rounds, self.played, self.by_id)

    @property
    def is_swiss(self) -> bool:
        return self.tournament.format == Tournament.Format.SWISS

    @cached_property
    def still_playing(self) -> int:
        """Return how many matches of the round are not over."""
        last = self.rounds[-1] if self.rounds else []
        return sum(not fixture.finished_at for fixture in last)

    @cached_property
    def winners(self) -> list[Entrant]:
        if self.tournament.state != states.FINISHED:
            return []
        due = {prize.entrant_id for prize in self.tournament.prizes.all()}
        if due:
            return [entrant for entrant in self.entrants if entrant.pk in due]
        rules = FORMATS[self.tournament.format]
        standings = rules.standings(self.tournament.entrant_ids, self.played)
        return [self.by_id[line.entrant] for line in standings if line.place == 1]

    @property
    def rounds_at_most(self) -> int:
        size = len(self.tournament.entrant_ids) or max(
            len(self.entrants), self.tournament.min_entrants
        )
        return FORMATS[self.tournament.format].rounds_at_most(size)

    @property
    def minutes(self) -> int:
        return expected_minutes(self.tournament, len(self.entrants))

    @property
    def ends_at(self) -> Any:
        return expected_end(self.tournament, len(self.entrants))

    @property
    def prize(self) -> int:
        """Return the prize as it stands: the pool grows with each entrant."""
        return self.tournament.prize_of(self.tournament.fee_credits * len(self.entrants))

    @property
    def draw(self) -> dict[str, Any]:
        """Return the file of the draw, of every round that has begun."""
        number = {entrant: place for place, entrant in enumerate(self.tournament.entrant_ids, 1)}
        rounds = [
            tuple(_numbered(played_of(fixture), number) for fixture in each) for each in self.rounds
        ]
        return draw_file(
            tournament_id=self.tournament.public_id,
            kind=self.tournament.format,
            secret=bytes.fromhex(self.tournament.secret),
            entrants=[shown_name(self.by_id[each].user) for each in self.tournament.entrant_ids],
            rounds=rounds,
        )

    @property
    def stamp(self) -> str:
        """Return a text that changes with everything that the page refreshes."""
        latest = self.tournament.timeline.order_by("-pk").values_list("pk", flat=True).first()
        last = self.rounds[-1] if self.rounds else []
        scores = [fixture.score for fixture in last]  # type: ignore[attr-defined]
        return f"{latest}-{hash(tuple(scores)) & 0xFFFFFF:x}"


def _score_of(fixture: Fixture, live: list[int] | None) -> tuple[int, int]:
    """Return the points of first and second, those of a match in play included.

    The first entrant is White; in the deciding game Black.
    """
    points = (fixture.first_points, fixture.second_points)
    if live is None:
        return points
    white, black = live
    first, second = (white, black) if fixture.drawn_match_id is None else (black, white)
    return points[0] + first, points[1] + second


def _numbered(played: Played, number: dict[int, int]) -> Played:
    return Played(
        first=number[played.first],
        second=number[played.second] if played.second else None,
        winner=number[played.winner] if played.winner else None,
        points=played.points,
        walkover=played.walkover,
    )
