"""Each achievement is reached by the matches that earn it, and not by fewer or other ones."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from games.bots.opponents import OPPONENTS
from stats.achievements.definitions import ACHIEVEMENTS, BY_CODE, LEVELS, reached_by
from stats.achievements.facts import Deeds, GameFacts, MatchFacts

DAY = date(2026, 5, 1)
MATCH = MatchFacts("short", 1, True, (1, 0), DAY, opponent=1)
WON, LOST = GameFacts(1, False, 1), GameFacts(-1, False, 1)
DRAWN = GameFacts(0, False, 1, is_drawn=True)


def played(*matches):
    deeds = Deeds()
    reached = set()
    for match in matches:
        deeds.add(match)
        reached.update(reached_by(deeds, match))
    return reached


def times(number, match=MATCH, **changes):
    return [replace(match, **changes) for _ in range(number)]


def on_days(number):
    return [replace(MATCH, day=DAY + timedelta(days=each)) for each in range(number)]


def with_members(number):
    return [replace(MATCH, opponent=each) for each in range(number)]


LENGTH_11 = replace(MATCH, length=11, score=(11, 4))
BEHIND_4 = replace(MATCH, length=5, score=(5, 4), games=(LOST,) * 4 + (WON,) * 5)
BEHIND_8 = replace(MATCH, length=11, score=(11, 8), games=(LOST,) * 8 + (WON,) * 11)
BRINK = replace(MATCH, length=5, score=(5, 4), games=(WON, WON, *(LOST,) * 4, WON, WON, WON))
COMPUTER = replace(MATCH, opponent=None, level="club")
# By code: matches that earn the achievement, and matches that do not.
EARNED = {
    "first_match": (times(1, is_won=False), []),
    "first_win": (times(1), times(3, is_won=False) + times(1, COMPUTER)),
    "both_games": ([*times(1), replace(MATCH, variant="long")], times(5)),
    "people_10": (times(10, is_won=False), times(9) + times(5, COMPUTER)),
    "people_100": (times(100), times(99)),
    "people_1000": (times(1000), times(999)),
    "wins_10": (times(10), times(9) + times(20, is_won=False)),
    "wins_50": (times(50), times(49)),
    "wins_250": (times(250), times(249)),
    "opponents_5": (with_members(5), with_members(4) * 3),
    "opponents_25": (with_members(25), with_members(24)),
    "opponents_100": (with_members(100), with_members(99)),
    "days_7": (on_days(7), on_days(6) * 2),
    "days_30": (on_days(30), on_days(29)),
    "days_100": (on_days(100), on_days(99)),
    "length_5": (times(1, length=5), times(1, length=4) + times(1, COMPUTER, length=5)),
    "length_11": (times(1, LENGTH_11), times(1, LENGTH_11, is_won=False)),
    "length_21": (times(1, length=21), times(1, length=20)),
    "shutout_5": (times(1, length=5, score=(5, 0)), times(1, length=5, score=(3, 0))),
    "shutout_11": (times(1, length=11, score=(12, 0)), times(1, length=11, score=(11, 1))),
    "comeback_4": ([BEHIND_4], [replace(BEHIND_4, games=BEHIND_4.games[1:])]),
    "comeback_8": ([BEHIND_8], [BEHIND_4, replace(BEHIND_8, is_won=False)]),
    "from_the_brink": ([BRINK], [replace(BRINK, is_won=False), LENGTH_11]),
    "games_100": (times(50, games=(WON, WON)), times(99, games=(WON, LOST))),
    "mars_10": (
        times(10, games=(GameFacts(2, True, 1),)), times(10, games=(GameFacts(-2, True, 1),)),
    ),
    "cube_4": (
        times(1, games=(GameFacts(4, False, 4),)), times(1, games=(GameFacts(-4, False, 4),)),
    ),
    "club_short": (times(1, COMPUTER), times(1, COMPUTER, is_won=False)),
    "club_long": (times(1, COMPUTER, variant="long"), times(1, COMPUTER)),
    "master_short": (times(1, COMPUTER, level="master"), times(1, COMPUTER)),
    "master_long": (
        times(1, COMPUTER, level="master", variant="long"), times(1, COMPUTER, level="master"),
    ),
    "all_levels": (
        [replace(COMPUTER, level=each, variant=variant) for each in LEVELS
         for variant in ("short", "long")],
        [replace(COMPUTER, level=each) for each in LEVELS],
    ),
    "tournament": (times(1, is_tournament=True, is_won=False), times(9)),
    "tournament_wins_10": (times(10, is_tournament=True), times(9, is_tournament=True)),
    "friendly_10": (times(10, is_friendly=True), times(9, is_friendly=True)),
}  # fmt: skip


@pytest.mark.parametrize("code", BY_CODE)
def test_an_achievement_is_reached_only_by_matches_that_earn_it(code):
    earning, less = EARNED[code]
    assert code in played(*earning)
    assert code not in played(*less)


def test_drawn_games_give_points_in_a_comeback_and_do_not_count_as_wins():
    games = (DRAWN, DRAWN, LOST, LOST, WON, WON, WON)
    match, deeds = replace(BRINK, games=games), Deeds()
    assert "from_the_brink" in played(match)
    deeds.add(match)
    assert deeds.games_won == 3


def test_each_achievement_has_its_own_code_and_name():
    assert len(BY_CODE) == len(ACHIEVEMENTS) == len({str(each.name) for each in ACHIEVEMENTS})
    assert len(ACHIEVEMENTS) >= 30


def test_achievements_know_every_level_of_the_computer():
    assert tuple(each.value for each in OPPONENTS) == LEVELS


def test_deeds_are_the_same_after_a_round_trip_through_json():
    deeds = Deeds()
    for match in [*with_members(3), BEHIND_4, COMPUTER]:
        deeds.add(match)
    assert Deeds.from_json(deeds.to_json()) == deeds
