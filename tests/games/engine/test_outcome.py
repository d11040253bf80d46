"""The kind of a win under every profile and switch, in positions that distinguish them."""

import pytest

from games.engine.board.position import Position
from games.engine.board.win_kind import win_kind
from games.engine.rules import Rules, Variant
from games.engine.sides import Side

FAR, AWAY, NEAR = "24x1,6x14", "13x1,6x14", "7x1,6x14"
ALL_HOME, ONE_OFF_FAR, ON_BAR = "6x15", "24x1,6x13,off1", "6x14,bar1"


def kind(variant: str, loser: str, profile: str = "classic", **toggles: bool) -> str:
    position = Position.from_text(f"W:off15 B:{loser}", Variant(variant))
    return win_kind(position, Side.WHITE, Rules.of(variant, profile, **toggles)).value


@pytest.mark.parametrize(
    ("loser", "expected"),
    [
        (FAR, "backgammon"),
        (ON_BAR, "backgammon"),
        ("19x1,6x14", "backgammon"),
        ("18x1,6x14", "gammon"),
        (ALL_HOME, "gammon"),
        (ONE_OFF_FAR, "single"),
        ("6x13,bar1,off1", "single"),
    ],
)
@pytest.mark.parametrize("profile", ["classic", "federation"])
def test_kind_of_win_in_short_backgammon(profile: str, loser: str, expected: str) -> None:
    assert kind("short", loser, profile) == expected


@pytest.mark.parametrize(
    ("loser", "expected"),
    [
        (FAR, "backgammon"),
        (ON_BAR, "backgammon"),
        (ONE_OFF_FAR, "backgammon"),
        (AWAY, "gammon"),
        (NEAR, "gammon"),
        ("7x1,6x13,off1", "gammon"),
        (ALL_HOME, "single"),
        ("6x14,off1", "single"),
    ],
)
def test_kind_of_win_by_the_manual_ignores_checkers_borne_off(loser: str, expected: str) -> None:
    assert kind("short", loser, "manual") == expected


@pytest.mark.parametrize(
    ("profile", "loser", "expected"),
    [
        ("classic", FAR, "gammon"),
        ("classic", ALL_HOME, "gammon"),
        ("classic", ONE_OFF_FAR, "single"),
        ("federation", FAR, "gammon"),
        ("federation", AWAY, "backgammon"),
        ("federation", "18x1,6x14", "backgammon"),
        ("federation", "12x1,6x14", "gammon"),
        ("federation", "19x1,6x14", "gammon"),
        ("federation", "13x1,6x13,off1", "single"),
        ("manual", FAR, "gammon"),
        ("manual", ALL_HOME, "single"),
    ],
)
def test_koks_in_long_nardy_follows_the_profile(profile: str, loser: str, expected: str) -> None:
    assert kind("long", loser, profile) == expected


@pytest.mark.parametrize("profile", ["classic", "manual"])
def test_koks_switched_on_counts_in_long_nardy(profile: str) -> None:
    assert kind("long", FAR, profile, koks=True) == "backgammon"
    assert kind("long", AWAY, profile, koks=True) == "gammon"


@pytest.mark.parametrize("profile", ["classic", "federation", "manual"])
@pytest.mark.parametrize("variant", ["short", "long"])
def test_wins_count_less_without_koks_and_without_mars(variant: str, profile: str) -> None:
    for loser in (FAR, AWAY):
        assert kind(variant, loser, profile, koks=False) == "gammon"
        assert kind(variant, loser, profile, mars=False) == "single"


def test_kind_of_win_is_the_same_for_black() -> None:
    position = Position.from_text(f"W:{FAR} B:off15", Variant.SHORT)
    assert win_kind(position, Side.BLACK, Rules.of("short")) == "backgammon"
