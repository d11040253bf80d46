"""Wins and tie-breaks of tables (round robin, Swiss).

A win counts one, played or not: a bye of a Swiss tournament and a walkover count as wins. Sums
over opponents (Buchholz, Sonneborn-Berger) are in halves of wins. In these sums of a Swiss
tournament, an opponent's unplayed rounds count half a win each, and an entrant's own unplayed
rounds count nothing (rule 34E of the US Chess Federation's Official Rules of Chess, 7th edition).
In a round robin, where everyone meets everyone, walkovers count as played.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from tournaments.formats.values import Played, PlayedRound, Standing


class Table:
    def __init__(
        self, entrants: Sequence[int], rounds: Sequence[PlayedRound], *, is_swiss: bool
    ) -> None:
        """Take everyone who entered, also those who withdrew, in their order of entry."""
        self.is_swiss = is_swiss
        self.entrants = entrants
        self.rounds = rounds
        self.wins = dict.fromkeys(entrants, 0)
        self.losses = dict.fromkeys(entrants, 0)
        self._points = dict.fromkeys(entrants, 0)
        self._won: dict[int, list[int]] = defaultdict(list)
        self._met: dict[int, list[int]] = defaultdict(list)
        self._played_wins = dict.fromkeys(entrants, 0)
        for played_round in rounds:
            for played in played_round:
                self._count(played)

    def standings(self, tie_breaks: Mapping[int, tuple[int, ...]]) -> list[Standing]:
        keys = {entrant: (self.wins[entrant], *tie_breaks[entrant]) for entrant in self.entrants}
        table = [
            Standing(
                place=1 + sum(other > keys[entrant] for other in keys.values()),
                entrant=entrant,
                wins=self.wins[entrant],
                losses=self.losses[entrant],
                tie_breaks=tie_breaks[entrant],
            )
            for entrant in self.entrants
        ]
        return sorted(table, key=lambda standing: standing.place)

    def adjusted(self, entrant: int) -> int:
        """Return the entrant's wins as they count for opponents, in halves."""
        if not self.is_swiss:
            return 2 * self.wins[entrant]
        unplayed = len(self.rounds) - len(self._met[entrant])
        return 2 * self._played_wins[entrant] + unplayed

    def buchholz(self, entrant: int) -> int:
        """Return the adjusted wins of all opponents met (the rule book's Solkoff), in halves."""
        return sum(self.adjusted(opponent) for opponent in self._met[entrant])

    def sonneborn_berger(self, entrant: int) -> int:
        """Return the adjusted wins of the opponents beaten, in halves."""
        return sum(self.adjusted(opponent) for opponent in self._won[entrant])

    def cumulative(self, entrant: int) -> int:
        """Return the sum of the wins after each round, less one for each unplayed win."""
        total = score = 0
        for played_round in self.rounds:
            for played in played_round:
                if played.winner == entrant:
                    score += 1
                    total -= not _is_played(played)
            total += score
        return total

    def encounters(self, entrant: int) -> int:
        """Return the wins against those with equally many wins, walkovers included."""
        equals = {other for other in self.entrants if self.wins[other] == self.wins[entrant]}
        return sum(
            played.winner == entrant and {played.first, played.second} <= equals
            for played_round in self.rounds
            for played in played_round
        )

    def point_difference(self, entrant: int) -> int:
        return self._points[entrant]

    def _count(self, played: Played) -> None:
        if played.winner is not None and (self.is_swiss or played.second is not None):
            self.wins[played.winner] += 1
        if played.second is None:
            return
        gain = played.points[0] - played.points[1]
        for entrant, other, sign in (
            (played.first, played.second, 1),
            (played.second, played.first, -1),
        ):
            if played.winner != entrant:
                self.losses[entrant] += 1
            if _is_played(played) or not self.is_swiss:
                self._points[entrant] += sign * gain
                self._met[entrant].append(other)
                if played.winner == entrant:
                    self._played_wins[entrant] += 1
                    self._won[entrant].append(other)


def _is_played(played: Played) -> bool:
    return played.second is not None and not played.walkover and played.winner is not None
