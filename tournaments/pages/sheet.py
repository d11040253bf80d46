"""Everything that the page of one tournament shows, in a fixed number of queries.

The cache keeps the large parts until `stamp` changes (templatetags/tournaments.py). So the rows of
all entrants and fixtures, which only these parts need, are loaded on demand.
"""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

from django.core.cache import caches
from django.db.models import Count, Exists, F, Q, Subquery

from accounts.models import User
from accounts.people.names import shown_name
from accounts.shared.refusals import Refused
from tournaments import states
from tournaments.exports.draw_file import draw_file
from tournaments.exports.share_picture import Shown
from tournaments.formats import FORMATS, Played, PlayedRound
from tournaments.models import Entrant, Fixture, TimelineEntry, Tournament
from tournaments.pages import tables, texts
from tournaments.pages.expected import expected_end, expected_minutes
from tournaments.pages.open_tables import OpenTable, RoundEnd, open_tables, round_end
from tournaments.selectors import declared_winners, played_of
from tournaments.services.entering import is_removed

# With at most this many entrants, the page shows the bracket of a knock-out at once, and no list of
# the viewer's own matches.
FEW = 16
# Seconds for which the scores are kept if more than FEW tables are open.
SCORES_S = 5
# All that the page shows of an entrant: the ids, the state, and the fields of `player_link`.
ENTRANT_FIELDS = (
    "pk", "user_id", "state", "user__public_id", "user__username", "user__closed_at",
    "user__profile__avatar", "user__profile__avatar_file", "user__profile__crest",
    "user__profile__country", "user__profile__shows_country",
)  # fmt: skip


class OwnEntrant(NamedTuple):
    pk: int
    state: str


@dataclass
class Sheet:
    """The contents of the page of a tournament for one viewer."""

    tournament: Tournament
    viewer: User | None
    now: datetime

    @cached_property
    def shown_rows(self) -> list[tuple[Any, ...]]:
        """Return the ENTRANT_FIELDS of each entrant who has not withdrawn, in order of entry."""
        return list(self._present().values_list(*ENTRANT_FIELDS))

    def _present(self) -> Any:
        found = Entrant.objects.filter(tournament=self.tournament)
        return found.exclude(state=Entrant.State.WITHDRAWN).order_by("pk")

    @property
    def entrant_count(self) -> int:
        return len(self.shown_rows)

    @cached_property
    def round_count(self) -> int:
        return self.tournament.rounds.count()

    @cached_property
    def open_tables(self) -> list[OpenTable]:
        return open_tables(self.tournament)

    @property
    def round_end(self) -> RoundEnd | None:
        return round_end(self.open_tables, self.tournament.match_rules, self.now)

    @cached_property
    def stamp(self) -> str:
        """Return a key that changes whenever the refreshed parts of the page change."""
        latest, *closings = self._stamped_timeline()
        facts = (self.tournament.state, self.tournament.starts_at, latest, closings)
        text = repr((facts, self.shown_rows, self._stamped_scores(latest)))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def _stamped_timeline(self) -> tuple[int | None, datetime | None, int]:
        """Return the latest entry's id, and which accounts of those named are closed.

        These are the time at which the proposer's account was closed, and the number of closed
        accounts of entrants, those who withdrew included: the timeline still names them.
        """
        latest = self.tournament.timeline.order_by("-pk").values("pk")[:1]
        proposer, entrants = "created_by__closed_at", Count("entrants__user__closed_at")
        # Without `values` each column of the tournament would be compared.
        found = Tournament.objects.filter(pk=self.tournament.pk).values(proposer)
        return found.values_list(Subquery(latest), proposer, entrants).get()

    def _stamped_scores(self, latest: int | None) -> list[tuple[Any, ...]]:
        """Return the scores of the open tables.

        With more than FEW tables they may be SCORES_S old, but never older than the latest entry of
        the timeline, such as the end of a match.
        """
        scores = [(each.match, each.score) for each in self.open_tables]
        if len(scores) <= FEW:
            return scores
        key = f"tournament-scores:{self.tournament.pk}:{latest}"
        return caches["large_parts"].get_or_set(key, scores, SCORES_S) or scores

    @cached_property
    def entrants(self) -> list[Entrant]:
        return list(self._present().select_related("user__profile"))

    @cached_property
    def rounds(self) -> list[list[Fixture]]:
        """Return the fixtures of each round, with the entrants' rows and live scores on them."""
        found = _with_tables(Fixture.objects.filter(round__tournament=self.tournament))
        by_round: dict[int, list[Fixture]] = {}
        for fixture in found.order_by("round_number", "number"):
            fixture.first = self.by_id[fixture.first_id]
            fixture.second = self.by_id[fixture.second_id] if fixture.second_id else None
            _set_score(fixture)
            by_round.setdefault(fixture.round_number, []).append(fixture)
        return list(by_round.values())

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
    def own(self) -> OwnEntrant | None:
        user_id = self.viewer.pk if self.viewer else None
        own = (OwnEntrant(row[0], row[2]) for row in self.shown_rows if row[1] == user_id)
        return next(own, None)

    @cached_property
    def removal(self) -> str:
        """Return the sentence that staff removed the viewer; "" if they did not."""
        if not self.is_open or self.viewer is None or self.own is not None:
            return ""
        removed = is_removed(self.tournament, self.viewer.pk)
        return texts.of_error(Refused("removed")) if removed else ""

    @property
    def is_large(self) -> bool:
        return self.entrant_count > FEW

    @cached_property
    def own_path(self) -> list[Fixture]:
        """Return the viewer's own fixtures in a large tournament, the latest first."""
        if self.own is None or not self.is_large:
            return []
        own = Q(first=self.own.pk) | Q(second=self.own.pk)
        found = _with_tables(Fixture.objects.filter(own)).select_related(
            "first__user", "second__user"
        )
        fixtures = list(found.order_by("-round_number"))
        for fixture in fixtures:
            _set_score(fixture)
        return fixtures

    @property
    def is_open(self) -> bool:
        return self.tournament.state == states.ANNOUNCED

    @property
    def is_full(self) -> bool:
        return self.entrant_count >= self.tournament.max_entrants

    @property
    def own_table(self) -> str | None:
        """Return the public id of the viewer's open match."""
        if self.own is None:
            return None
        own = (each.match for each in self.open_tables if self.own.pk in each[:2] and each.match)
        return next(own, None)

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

    @property
    def still_playing(self) -> int:
        """Return the number of matches of the round that are not over."""
        return len(self.open_tables)

    @cached_property
    def winners(self) -> list[Entrant]:
        if self.tournament.state != states.FINISHED:
            return []
        declared = set(declared_winners(self.tournament))
        return [entrant for entrant in self.entrants if entrant.user_id in declared]

    @property
    def rounds_at_most(self) -> int:
        size = len(self.tournament.entrant_ids) or max(
            self.entrant_count, self.tournament.min_entrants
        )
        return FORMATS[self.tournament.format].rounds_at_most(size)

    @cached_property
    def organizer(self) -> User | None:
        """Return the member who proposed the tournament; None if staff announced it."""
        if self.tournament.created_by_id is None:
            return None
        proposed = self.tournament.timeline.filter(event=TimelineEntry.Event.PROPOSED)
        found = User.objects.filter(Exists(proposed), pk=self.tournament.created_by_id)
        return found.select_related("profile").first()

    @property
    def minutes(self) -> int:
        return expected_minutes(self.tournament, self.entrant_count)

    @property
    def ends_at(self) -> Any:
        return expected_end(self.tournament, self.entrant_count)

    @property
    def prize(self) -> int:
        """Return the credits of the prize at the moment: the fees grow with each entrant."""
        return self.tournament.prize_of(self.tournament.fee_credits * self.entrant_count)

    @property
    def picture(self) -> Shown:
        return Shown(
            is_knockout=self.is_knockout,
            is_open=self.is_open,
            is_finished=self.tournament.state == states.FINISHED,
            entrants=self.entrant_count,
            most_entrants=self.tournament.max_entrants,
            prize_credits=self.prize,
        )

    @property
    def draw(self) -> dict[str, Any]:
        """Return the contents of the draw file: all rounds that have begun."""
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


def _with_tables(found: Any) -> Any:
    """Annotate fixtures with the number of their round, their match's public id and score."""
    return found.annotate(
        round_number=F("round__number"),
        table_id=F("match__public_id"),
        live_score=F("match__snapshot__score"),
    )


def _set_score(fixture: Any) -> None:
    fixture.score = _score_of(fixture, None if fixture.finished_at else fixture.live_score)


def _score_of(fixture: Fixture, live: list[int] | None) -> tuple[int, int]:
    """Return the points of the first and the second entrant, with those of a match in play.

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
