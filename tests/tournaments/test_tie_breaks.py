"""Tie-breaks: published worked examples, then short examples of our own."""

from tournaments.formats import FORMATS, Played, PlayedRound
from tournaments.formats.tie_breaks import Table

A, B, C, D = 1, 2, 3, 4


def rounds_of(results: str) -> list[PlayedRound]:
    """Read rounds, one per line, from results such as `1-2`, with the winner first."""
    rounds = []
    for line in results.strip().splitlines():
        pairs = [pair.split("-") for pair in line.split()]
        rounds.append(tuple(Played(int(won), int(lost), int(won), (3, 1)) for won, lost in pairs))
    return rounds


def test_sonneborn_berger_orders_a_round_robin_of_two_legs() -> None:
    """The table of "Sonneborn-Berger" in Sensei's Library: 4, 4, 3, 1 wins score 11, 9, 6, 4."""
    rounds = rounds_of(
        """
        1-2 3-4
        1-3 2-4
        1-4 2-3
        2-1 3-4
        1-3 2-4
        4-1 3-2
        """
    )
    table = Table([A, B, C, D], rounds, is_swiss=False)
    assert [table.wins[player] for player in (A, B, C, D)] == [4, 4, 3, 1]
    assert [table.sonneborn_berger(player) / 2 for player in (A, B, C, D)] == [11, 9, 6, 4]
    standings = FORMATS["DOUBLE_ROUND_ROBIN"].standings([A, B, C, D], rounds)
    assert [(line.place, line.entrant) for line in standings] == [(1, A), (2, B), (3, C), (4, D)]


def test_an_opponent_who_withdrew_counts_as_the_rule_book_says() -> None:
    """US Chess Federation, Official Rules of Chess, 7th edition, rule 34E1.

    "An opponent who won the first two games, lost the third, withdrew and did not play rounds
    four or five would have an adjusted score of 3 points (1+1+0+0.5+0.5 = 3)."
    """
    rounds = rounds_of("1-2 3-4\n1-3 2-4\n4-1 2-3\n2-4\n3-4")
    table = Table([A, B, C, D], rounds, is_swiss=True)
    assert table.wins[A] == 2
    assert table.adjusted(A) / 2 == 3


def test_sonneborn_berger_sums_of_two_players_with_three_wins() -> None:
    """The first example of "Sonneborn-Berger" of the Hult Chess Club: 6 against 5.

    A met opponents with 1, 3, 2, 2, 2 wins, B with 1, 2, 2, 2, 2; both beat the first three.
    """
    wins = {10: 1, 11: 3, 12: 2, 13: 2, 14: 2, 20: 1, 21: 2, 22: 2, 23: 2, 24: 2}
    own = {A: [10, 11, 12, 13, 14], B: [20, 21, 22, 23, 24]}
    rounds: list[list[Played]] = []
    for player, opponents in own.items():
        for number, opponent in enumerate(opponents):
            winner = player if number < 3 else opponent
            rounds.append([Played(player, opponent, winner, (1, 0))])
            wins[opponent] -= winner == opponent
    # The opponents' other wins, each against a further entrant, numbered from 100 on.
    spare = 100
    for opponent, more in wins.items():
        for _ in range(more):
            rounds.append([Played(opponent, spare, opponent, (1, 0))])
            spare += 1
    entrants = [A, B, *wins, *range(100, spare)]
    table = Table(entrants, [tuple(each) for each in rounds], is_swiss=False)
    assert [table.sonneborn_berger(player) / 2 for player in (A, B)] == [6, 5]


def test_wins_in_early_rounds_count_more() -> None:
    """The example of the US Chess forum on rule 34E3: 1+2+3+3+3 = 12 and 1+1+2+2+3 = 9."""
    rounds = rounds_of("1-3 2-4\n1-4 3-2\n1-5 2-6\n3-1 4-2\n4-1 2-3")
    table = Table(range(1, 7), rounds, is_swiss=True)
    assert [table.wins[player] for player in (A, B)] == [3, 3]
    assert [table.cumulative(player) for player in (A, B)] == [12, 9]


def test_an_unplayed_win_counts_less() -> None:
    """Rule 34E3 takes a point off for each bye and walkover."""
    rounds = [(Played(1, None, 1, walkover=True),), (Played(1, 2, 1, (3, 1)),)]
    table = Table([1, 2], rounds, is_swiss=True)
    assert table.wins[1] == 2
    assert table.cumulative(1) == 1 + 2 - 1


def test_players_with_equal_wins_are_ordered_by_their_matches_against_each_other() -> None:
    rounds = rounds_of("2-1 3-4\n1-3 2-4\n1-4 3-2")
    standings = FORMATS["ROUND_ROBIN"].standings([1, 2, 3, 4], rounds)
    assert [line.wins for line in standings] == [2, 2, 2, 0]
    assert {line.tie_breaks[0] for line in standings[:3]} == {1}
    rounds = rounds_of("1-2 4-3\n3-1 2-4\n4-1 3-2")
    standings = FORMATS["ROUND_ROBIN"].standings([1, 2, 3, 4], rounds)
    assert [(line.place, line.entrant) for line in standings] == [(1, 4), (2, 3), (3, 1), (4, 2)]


def test_players_equal_in_every_tie_break_share_a_place() -> None:
    rounds = [tuple(Played(a, b, a, (3, 1)) for a, b in pairs) for pairs in CIRCLE_OF_THREE]
    standings = FORMATS["ROUND_ROBIN"].standings([1, 2, 3], rounds)
    assert [line.place for line in standings] == [1, 1, 1]


CIRCLE_OF_THREE = [[(1, 2)], [(2, 3)], [(3, 1)]]


def test_a_rest_of_a_round_robin_is_no_win() -> None:
    rounds = [(Played(1, 2, 1, (3, 1)), Played(3, None, 3, walkover=True))]
    standings = FORMATS["ROUND_ROBIN"].standings([1, 2, 3], rounds)
    assert {line.entrant: line.wins for line in standings} == {1: 1, 2: 0, 3: 0}
