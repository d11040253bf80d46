"""The achievements: each has a condition on the match just counted and on the member's `Deeds`.

A code is stored, so its meaning never changes. Pages show the texts.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from games.engine.rules import Variant
from stats.achievements.facts import Deeds, MatchFacts

# The computer opponents, the weakest first.
LEVELS = ("beginner", "casual", "club", "strong", "expert", "master")


@dataclass(frozen=True, slots=True)
class Achievement:
    """`is_reached` is called after each counted match; the deeds include that match."""

    code: str
    name: Any
    text: Any
    is_reached: Callable[[Deeds, MatchFacts], bool]


def _won(length: int) -> Callable[[Deeds, MatchFacts], bool]:
    return lambda deeds, match: match.is_won and match.is_against_person and match.length >= length


def _beat(variant: Variant, level: str) -> Callable[[Deeds, MatchFacts], bool]:
    return lambda deeds, match: f"{variant.value} {level}" in deeds.levels_beaten


def _came_back(length: int, deficit: int) -> Callable[[Deeds, MatchFacts], bool]:
    return lambda deeds, match: (
        match.is_won and match.length >= length and match.deepest_deficit >= deficit
    )


def _shut_out(length: int) -> Callable[[Deeds, MatchFacts], bool]:
    return lambda deeds, match: (
        match.is_won
        and match.is_against_person
        and match.length >= length
        and match.score[0] >= match.length
        and match.score[1] == 0
    )


ACHIEVEMENTS = (
    Achievement("first_match", _("First match"), _("Finish a match."), lambda deeds, match: True),
    Achievement(
        "first_win",
        _("First win"),
        _("Win a match against a person."),
        lambda deeds, match: deeds.won_from_people >= 1,
    ),
    Achievement(
        "both_games",
        _("Two games, one board"),
        _("Win a match of short backgammon and one of long nardy."),
        lambda deeds, match: len(deeds.variants_won) == len(Variant),
    ),
    Achievement(
        "people_10",
        _("Good company"),
        _("Play 10 matches against people."),
        lambda deeds, match: deeds.with_people >= 10,
    ),
    Achievement(
        "people_100",
        _("A regular"),
        _("Play 100 matches against people."),
        lambda deeds, match: deeds.with_people >= 100,
    ),
    Achievement(
        "people_1000",
        _("Part of the club"),
        _("Play 1,000 matches against people."),
        lambda deeds, match: deeds.with_people >= 1000,
    ),
    Achievement(
        "wins_10",
        _("Ten wins"),
        _("Win 10 matches against people."),
        lambda deeds, match: deeds.won_from_people >= 10,
    ),
    Achievement(
        "wins_50",
        _("Fifty wins"),
        _("Win 50 matches against people."),
        lambda deeds, match: deeds.won_from_people >= 50,
    ),
    Achievement(
        "wins_250",
        _("Hard to beat"),
        _("Win 250 matches against people."),
        lambda deeds, match: deeds.won_from_people >= 250,
    ),
    Achievement(
        "opponents_5",
        _("New faces"),
        _("Play against 5 different members."),
        lambda deeds, match: len(deeds.opponents) >= 5,
    ),
    Achievement(
        "opponents_25",
        _("Known at every table"),
        _("Play against 25 different members."),
        lambda deeds, match: len(deeds.opponents) >= 25,
    ),
    Achievement(
        "opponents_100",
        _("A hundred opponents"),
        _("Play against 100 different members."),
        lambda deeds, match: len(deeds.opponents) >= 100,
    ),
    Achievement(
        "days_7",
        _("A week of play"),
        _("Finish matches on 7 different days."),
        lambda deeds, match: len(deeds.days) >= 7,
    ),
    Achievement(
        "days_30",
        _("A month of play"),
        _("Finish matches on 30 different days."),
        lambda deeds, match: len(deeds.days) >= 30,
    ),
    Achievement(
        "days_100",
        _("A hundred days"),
        _("Finish matches on 100 different days."),
        lambda deeds, match: len(deeds.days) >= 100,
    ),
    Achievement(
        "length_5", _("Stamina"), _("Win a match to 5 points or more against a person."), _won(5)
    ),
    Achievement(
        "length_11",
        _("Long haul"),
        _("Win a match to 11 points or more against a person."),
        _won(11),
    ),
    Achievement(
        "length_21",
        _("Marathon"),
        _("Win a match to 21 points or more against a person."),
        _won(21),
    ),
    Achievement(
        "shutout_5",
        _("Clean sheet"),
        _("Win a match to 5 points or more against a person without losing a point."),
        _shut_out(5),
    ),
    Achievement(
        "shutout_11",
        _("Spotless"),
        _("Win a match to 11 points or more against a person without losing a point."),
        _shut_out(11),
    ),
    Achievement(
        "comeback_4",
        _("Comeback"),
        _("Win a match to 5 points or more after being 4 points behind."),
        _came_back(length=5, deficit=4),
    ),
    Achievement(
        "comeback_8",
        _("Great comeback"),
        _("Win a match to 11 points or more after being 8 points behind."),
        _came_back(length=11, deficit=8),
    ),
    Achievement(
        "from_the_brink",
        _("Back from the brink"),
        _("Win a match after your opponent needed just one point and you needed three or more."),
        lambda deeds, match: match.won_from_the_brink,
    ),
    Achievement(
        "games_100",
        _("A hundred games"),
        _("Win 100 games."),
        lambda deeds, match: deeds.games_won >= 100,
    ),
    Achievement(
        "mars_10",
        _("Ten mars wins"),
        _("Win 10 games by mars."),
        lambda deeds, match: deeds.mars >= 10,
    ),
    Achievement(
        "cube_4",
        _("Master of the cube"),
        _("Win a game with the cube at 4 or more."),
        lambda deeds, match: any(game.points > 0 and game.cube >= 4 for game in match.games),
    ),
    Achievement(
        "club_short",
        _("Club level, short"),
        _("Beat the computer’s club level in short backgammon."),
        _beat(Variant.SHORT, "club"),
    ),
    Achievement(
        "club_long",
        _("Club level, long"),
        _("Beat the computer’s club level in long nardy."),
        _beat(Variant.LONG, "club"),
    ),
    Achievement(
        "master_short",
        _("Beat the master, short"),
        _("Beat the computer’s highest level in short backgammon."),
        _beat(Variant.SHORT, LEVELS[-1]),
    ),
    Achievement(
        "master_long",
        _("Beat the master, long"),
        _("Beat the computer’s highest level in long nardy."),
        _beat(Variant.LONG, LEVELS[-1]),
    ),
    Achievement(
        "all_levels",
        _("Every level"),
        _("Beat every level of the computer in both games."),
        lambda deeds, match: len(deeds.levels_beaten) >= len(LEVELS) * len(Variant),
    ),
    Achievement(
        "tournament",
        _("Tournament player"),
        _("Play a tournament match."),
        lambda deeds, match: deeds.tournament >= 1,
    ),
    Achievement(
        "tournament_wins_10",
        _("Tournament fighter"),
        _("Win 10 tournament matches."),
        lambda deeds, match: deeds.tournament_won >= 10,
    ),
    Achievement(
        "friendly_10",
        _("Among friends"),
        _("Play 10 friendly matches."),
        lambda deeds, match: deeds.friendly >= 10,
    ),
)
BY_CODE = {each.code: each for each in ACHIEVEMENTS}


def reached_by(deeds: Deeds, match: MatchFacts) -> list[str]:
    """Return the codes of all achievements that hold after the match, in the order above."""
    return [each.code for each in ACHIEVEMENTS if each.is_reached(deeds, match)]
