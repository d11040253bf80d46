"""Tournaments of every size, drawn from many secrets, keep the promises of their format."""

import random
from collections import Counter
from itertools import combinations

import pytest

from tests.support.lengths import length
from tests.tournaments.checkers import is_right
from tests.tournaments.played import file_of, play_out, results_of, secrets_of, stream_of
from tournaments.draw import DrawStream
from tournaments.exports.draw_file import check_draw
from tournaments.formats import FORMATS, Pairing, Played, PlayedRound
from tournaments.formats.knockout import columns
from tournaments.formats.matching import grow

SIZES = range(2, 65)


def in_round(played_round: PlayedRound) -> list[int]:
    return [
        entrant
        for played in played_round
        for entrant in (played.first, played.second)
        if entrant is not None
    ]


def check_knockout(size: int, rounds: list[PlayedRound]) -> None:
    assert len(rounds) == (size - 1).bit_length()
    assert sorted(in_round(rounds[0])) == list(range(1, size + 1))
    byes = [played for played in rounds[0] if played.second is None]
    assert len(byes) == 2 ** len(rounds) - size
    left = set(range(1, size + 1))
    for number, played_round in enumerate(rounds):
        inside = in_round(played_round)
        assert set(inside) == left
        assert len(inside) == len(left)
        if number:
            assert all(played.second for played in played_round)
        left = {played.winner for played in played_round if played.winner}
        assert (len(left) == 1) == (number == len(rounds) - 1)
    table = FORMATS["KNOCKOUT"].standings(range(1, size + 1), rounds)
    assert [(line.entrant, line.place) for line in table[:1]] == [(left.pop(), 1)]
    assert Counter(line.place for line in table)[2] == 1


def check_round_robin(size: int, rounds: list[PlayedRound], legs: int) -> None:
    meetings = Counter(
        frozenset((played.first, played.second))
        for each in rounds
        for played in each
        if played.second
    )
    assert meetings == dict.fromkeys(map(frozenset, combinations(range(1, size + 1), 2)), legs)
    rests = Counter(played.first for each in rounds for played in each if not played.second)
    assert set(rests.values()) == ({legs} if size % 2 else set())
    for played_round in rounds:
        assert sorted(in_round(played_round)) == list(range(1, size + 1))
    firsts = Counter(played.first for each in rounds for played in each if played.second)
    if legs == 2:
        assert set(firsts.values()) == {size - 1}


def check_swiss(size: int, rounds: list[PlayedRound]) -> None:
    assert len(rounds) == (size - 1).bit_length()
    pairs = [frozenset((played.first, played.second)) for each in rounds for played in each]
    assert len(set(pairs)) == len(pairs)  # a second bye would be {entrant, None} twice
    for played_round in rounds:
        assert sorted(in_round(played_round)) == list(range(1, size + 1))
        assert sum(played.second is None for played in played_round) == size % 2


def check_promises(kind: str, size: int, rounds: list[PlayedRound]) -> None:
    if kind == "KNOCKOUT":
        check_knockout(size, rounds)
    elif kind == "SWISS":
        check_swiss(size, rounds)
    else:
        check_round_robin(size, rounds, legs=2 if kind == "DOUBLE_ROUND_ROBIN" else 1)


@pytest.mark.parametrize("kind", FORMATS)
def test_every_size_is_drawn_and_played_to_its_end(kind: str) -> None:
    for size, secret in zip(SIZES, secrets_of(f"sizes {kind}"), strict=False):
        rounds = play_out(kind, size, secret, random.Random(size))
        check_promises(kind, size, rounds)
        data = file_of(kind, size, secret, rounds)
        check = check_draw(data)
        assert check.is_over
        assert not check.faults
        assert is_right(data)


@pytest.mark.parametrize("kind", FORMATS)
def test_draws_from_random_secrets_keep_the_promises(kind: str) -> None:
    """Play a tournament of random size for each of 10,000 secrets; 300 in the short form.

    A fault in one draw of 100 is missed with a probability of 5 % (0.99^300) by the short form and
    of 10^-44 by the long form; a fault in one draw of 1,000 with 74 % and 0.005 %.
    """
    rng = random.Random(f"secrets {kind}")
    top = 64 if kind in ("KNOCKOUT", "SWISS") else 24
    for _, secret in zip(range(length(300, 10_000)), secrets_of(f"many {kind}"), strict=False):
        size = rng.randint(2, top)
        rounds = play_out(kind, size, secret, rng)
        check_promises(kind, size, rounds)
        assert is_right(file_of(kind, size, secret, rounds)), (size, secret.hex())


@pytest.mark.parametrize("kind", FORMATS)
def test_a_tournament_goes_on_when_players_are_absent(kind: str) -> None:
    rng = random.Random(f"absent {kind}")
    for size, secret in zip(SIZES, secrets_of(f"absent {kind}"), strict=False):
        rounds = play_out(kind, size, secret, rng, absent=0.3)
        assert is_right(file_of(kind, size, secret, rounds))
        table = FORMATS[kind].standings(range(1, size + 1), rounds)
        assert sorted(line.entrant for line in table) == list(range(1, size + 1))
        assert table[0].place == 1
        if kind == "KNOCKOUT":
            assert all(
                played.second for each in rounds[1:] for played in each if not played.walkover
            )


def chi_square(counts: Counter, categories: list) -> float:
    expected = counts.total() / len(categories)
    assert set(counts) <= set(categories)
    return sum((counts[category] - expected) ** 2 / expected for category in categories)


@pytest.mark.parametrize("kind", ["KNOCKOUT", "SWISS", "ROUND_ROBIN"])
@pytest.mark.parametrize("entrant", [1, 4, 8])
def test_first_opponents_are_uniform(kind: str, entrant: int) -> None:
    """Test the first opponents of the first, a middle and the last of eight entrants.

    A chi-square of six degrees of freedom exceeds 33.1 with a probability of 10^-5. An opponent
    twice as likely as the others is found with a power above 0.99 in the short form (1,000 draws),
    and one 20 % more likely with a power of 0.91 in the long form (10,000 draws). Both powers were
    computed by 20,000 simulations.
    """
    counts: Counter = Counter()
    entrants = range(1, 9)
    for _, secret in zip(range(length(1_000, 10_000)), secrets_of("uniform"), strict=False):
        drawn = FORMATS[kind].first_round(entrants, stream_of(secret, 1))
        pair = next(pair for pair in drawn if entrant in (pair.first, pair.second))
        counts[pair.second if pair.first == entrant else pair.first] += 1
    assert chi_square(counts, [other for other in entrants if other != entrant]) < 33.1


@pytest.mark.parametrize("kind", ["KNOCKOUT", "SWISS", "ROUND_ROBIN"])
def test_byes_are_uniform(kind: str) -> None:
    """Test which of seven entrants has the bye or rests first: six degrees of freedom, as above."""
    counts: Counter = Counter()
    for _, secret in zip(range(length(1_000, 10_000)), secrets_of("byes"), strict=False):
        drawn = FORMATS[kind].first_round(range(1, 8), stream_of(secret, 1))
        counts.update(pair.first for pair in drawn if pair.second is None)
    assert chi_square(counts, list(range(1, 8))) < 33.1


def test_pairs_with_a_bye_are_uniform() -> None:
    """Test which of the four pairs of seven entrants has the bye: three degrees of freedom."""
    counts: Counter = Counter()
    for _, secret in zip(range(length(1_000, 10_000)), secrets_of("places"), strict=False):
        drawn = FORMATS["KNOCKOUT"].first_round(range(1, 8), stream_of(secret, 1))
        counts[[pair.second for pair in drawn].index(None)] += 1
    assert chi_square(counts, [0, 1, 2, 3]) < 25.9  # exceeded with a chance of 10^-5


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("entrants", [[], [1], [1, 2, 1]])
def test_a_draw_needs_two_different_entrants(kind: str, entrants: list[int]) -> None:
    with pytest.raises(ValueError, match="two or more"):
        FORMATS[kind].first_round(entrants, stream_of(bytes(32), 1))


class TestKnockout:
    rules = FORMATS["KNOCKOUT"]
    stream = DrawStream(bytes(32), "A", 2)

    def test_the_opponent_of_a_place_left_empty_advances_without_a_match(self) -> None:
        first = (both_out(1, 2), Played(3, 4, 3, (5, 1)))
        assert self.rules.next_round([1, 2, 3, 4], [first], self.stream) == (Pairing(3, None),)
        final = (Played(3, None, 3),)
        assert self.rules.next_round([3], [first, final], self.stream) is None
        assert places(self.rules.standings([1, 2, 3, 4], [first, final])) == {
            3: 1,
            4: 2,
            1: 2,
            2: 2,
        }

    def test_two_empty_places_of_a_pair_leave_an_empty_place_in_the_next_round(self) -> None:
        first = (both_out(1, 2), both_out(3, 4), Played(5, 6, 6, (1, 5)), Played(7, 8, 7, (5, 2)))
        second = (Played(6, 7, 6, (5, 0)),)
        assert self.rules.next_round([5], [first], self.stream) == (Pairing(6, 7),)
        assert columns([first, second])[1:] == [((None, None), (6, 7)), ((None, 6),)]
        assert self.rules.next_round([6], [first, second], self.stream) == (Pairing(6, None),)

    def test_two_absent_finalists_share_the_first_place(self) -> None:
        rounds = [(Played(1, 2, 1, (5, 0)), Played(3, 4, 3, (5, 0))), (both_out(1, 3),)]
        assert self.rules.next_round([], rounds, self.stream) is None
        assert places(self.rules.standings([1, 2, 3, 4], rounds)) == {1: 1, 3: 1, 2: 3, 4: 3}

    def test_a_knockout_ends_when_nobody_is_left(self) -> None:
        assert self.rules.next_round([], [(both_out(1, 2), both_out(3, 4))], self.stream) is None

    def test_a_walkover_counts_as_a_win_and_a_bye_does_not(self) -> None:
        first = (Played(1, None, 1, walkover=True), Played(2, 3, 2, walkover=True))
        table = self.rules.standings([1, 2, 3], [first])
        assert {line.entrant: line.wins for line in table} == {1: 0, 2: 1, 3: 0}


class TestSwiss:
    rules = FORMATS["SWISS"]

    def test_a_shrinking_field_repeats_no_more_pairings_than_it_must(self) -> None:
        """Withdraw random players, and compare the draw with every possible pairing."""
        rng = random.Random("shrinking")
        for _, secret in zip(range(length(150, 2_000)), secrets_of("shrinking"), strict=False):
            size = rng.randint(9, 16)
            taking_part = list(range(1, size + 1))
            rounds: list[PlayedRound] = []
            drawn = self.rules.first_round(taking_part, stream_of(secret, 1))
            while drawn is not None:
                rounds.append(results_of(drawn, rng, absent=0.1))
                for leaver in rng.sample(taking_part, min(len(taking_part) - 2, 4)):
                    taking_part.remove(leaver)
                drawn = self.rules.next_round(
                    taking_part, rounds, stream_of(secret, len(rounds) + 1)
                )
                if drawn is not None:
                    assert repeats(drawn, rounds) == fewest_repeats(taking_part, rounds)
            assert is_right(file_of("SWISS", size, secret, rounds))

    def test_a_swiss_tournament_ends_when_one_entrant_is_left(self) -> None:
        first = (Played(1, 2, 1, (5, 0)), Played(3, 4, 3, (5, 0)))
        assert self.rules.next_round([1], [first], stream_of(bytes(32), 2)) is None

    def test_winners_meet_winners(self) -> None:
        first = tuple(Played(n, n + 1, n, (5, 0)) for n in range(1, 16, 2))
        for secret in [bytes([n]) * 32 for n in range(20)]:
            drawn = self.rules.next_round(range(1, 17), [first], stream_of(secret, 2))
            assert drawn is not None
            assert all(pair.second is not None for pair in drawn)
            assert all((pair.first + (pair.second or 0)) % 2 == 0 for pair in drawn)

    def test_the_bye_goes_to_the_lowest_entrant_who_had_none(self) -> None:
        first = (
            Played(1, 2, 1, (5, 0)),
            Played(3, 4, 3, (5, 0)),
            Played(5, None, 5, walkover=True),
        )
        for secret in [bytes([n]) * 32 for n in range(20)]:
            drawn = self.rules.next_round(range(1, 6), [first], stream_of(secret, 2))
            assert drawn is not None
            assert drawn[-1].second is None
            assert drawn[-1].first in (2, 4)


def test_matchings_are_as_large_as_possible() -> None:
    rng = random.Random("graphs")
    for _ in range(length(400, 5_000)):
        size = rng.randint(1, 10)
        density = rng.choice((0.15, 0.3, 0.6))
        edges = [edge for edge in combinations(range(size), 2) if rng.random() < density]
        graph = [{b if a == n else a for a, b in edges if n in (a, b)} for n in range(size)]
        matching: list[int | None] = [None] * size
        alone = grow(graph, matching)
        for vertex, partner in enumerate(matching):
            assert partner is None or (matching[partner] == vertex and partner in graph[vertex])
        assert size - alone == 2 * largest(edges)


def largest(edges: list[tuple[int, int]]) -> int:
    if not edges:
        return 0
    (a, b), rest = edges[0], edges[1:]
    return max(largest(rest), 1 + largest([edge for edge in rest if not {a, b} & set(edge)]))


def both_out(first: int, second: int) -> Played:
    return Played(first, second, None, (0, 0), walkover=True)


def places(table: list) -> dict[int, int]:
    return {line.entrant: line.place for line in table}


def met_in(rounds: list[PlayedRound]) -> set[frozenset]:
    return {frozenset((played.first, played.second)) for each in rounds for played in each}


def repeats(drawn: tuple[Pairing, ...], rounds: list[PlayedRound]) -> int:
    return sum(
        frozenset((pair.first, pair.second)) in met_in(rounds) for pair in drawn if pair.second
    )


def fewest_repeats(entrants: list[int], rounds: list[PlayedRound]) -> int:
    met = met_in(rounds)
    if len(entrants) % 2:
        free = [e for e in entrants if frozenset((e, None)) not in met] or entrants
        return min(_fewest([e for e in entrants if e != bye], met) for bye in free)
    return _fewest(entrants, met)


def _fewest(line: list[int], met: set[frozenset]) -> int:
    if not line:
        return 0
    return min(
        (frozenset((line[0], other)) in met) + _fewest([e for e in line[1:] if e != other], met)
        for other in line[1:]
    )
