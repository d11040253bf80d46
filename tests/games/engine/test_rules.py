"""The rules of a match: defaults and refusals."""

from typing import Any

import pytest

from games.engine.errors import InvalidRules
from games.engine.rules import BlockRule, HeadRule, HitRule, Profile, Rules, Variant


@pytest.mark.parametrize(
    ("variant", "profile", "koks", "head"),
    [
        ("short", "classic", True, HeadRule.EFFECT),
        ("short", "federation", True, HeadRule.EFFECT),
        ("short", "manual", True, HeadRule.EFFECT),
        ("long", "classic", False, HeadRule.EFFECT),
        ("long", "federation", True, HeadRule.FIXED),
        ("long", "manual", False, HeadRule.EFFECT),
    ],
)
def test_a_profile_sets_the_rules_that_were_not_chosen(
    variant: str, profile: str, koks: bool, head: HeadRule
) -> None:
    rules = Rules.of(variant, profile)
    assert (rules.koks, rules.head) == (koks, head)
    assert rules.mars
    assert not rules.parity
    assert rules.block is BlockRule.EVERY_MOVE
    assert rules.hit is HitRule.FREE


@pytest.mark.parametrize(("length", "cube"), [(1, False), (2, False), (3, True), (None, True)])
def test_cube_is_on_by_default_from_three_points(length: int | None, cube: bool) -> None:
    rules = Rules.of("short", length=length)
    assert rules.cube is cube
    assert rules.crawford is (length is not None)


@pytest.mark.parametrize("length", [1, 2, 3, 7])
def test_long_nardy_has_no_cube_unless_it_is_chosen(length: int) -> None:
    assert not Rules.of("long", length=length).cube


def test_the_cube_may_be_chosen_at_two_points() -> None:
    assert Rules.of("long", length=2, cube=True).cube


def test_koks_is_off_if_mars_is_off() -> None:
    assert not Rules.of("short", mars=False).koks


@pytest.mark.parametrize(("length", "reserve"), [(1, 120_000), (2, 120_000), (7, 420_000)])
def test_the_reserve_is_a_minute_per_point_and_at_least_two(length: int, reserve: int) -> None:
    assert Rules.of("short", length=length, delay_ms=30_000).reserve_ms == reserve
    assert Rules.of("short", length=length).reserve_ms is None


@pytest.mark.parametrize(
    ("code", "fields"),
    [
        ("koks_without_mars", {"mars": False, "koks": True}),
        ("cube_in_one_point_match", {"length": 1, "cube": True}),
        ("money_session_only", {"length": 5, "jacoby": True}),
        ("money_session_only", {"length": 5, "beaver": True}),
        ("money_session_only", {"length": 5, "auto_doubles": 1}),
        ("cube_needed", {"length": None, "cube": False, "jacoby": True}),
        ("match_only", {"length": None, "crawford": True}),
        ("clock_incomplete", {"reserve_ms": 1000}),
        ("clock_incomplete", {"delay_ms": 1000, "reserve_ms": None}),
        ("clock_needed", {"length": 5, "reserve_shrinks": True}),
        ("reserve_cannot_shrink", {"length": 2, "delay_ms": 1000, "reserve_shrinks": True}),
        ("reserve_cannot_shrink", {"length": None, "delay_ms": 1000, "reserve_shrinks": True}),
        ("rules_reserve_shrinks", {"reserve_shrinks": 1}),
        ("rules_length", {"length": 0}),
        ("rules_length", {"length": 26}),
        ("rules_length", {"length": True}),
        ("rules_length", {"length": "5"}),
        ("rules_auto_doubles", {"length": None, "auto_doubles": 4}),
        ("rules_auto_doubles", {"length": None, "auto_doubles": -1}),
        ("rules_delay_ms", {"delay_ms": -1}),
        ("rules_mars", {"mars": 1}),
        ("rules_head", {"head": "never"}),
        ("rules_profile", {"profile": "club"}),
        ("rules_version", {"version": 2}),
        ("rules_unknown", {"color": "red"}),
    ],
)
def test_invalid_rules_are_refused_with_a_code(code: str, fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidRules) as refused:
        Rules.of("short", **fields)
    assert refused.value.code == code


@pytest.mark.parametrize("variant", Variant)
@pytest.mark.parametrize("profile", Profile)
def test_rules_round_trip(variant: Variant, profile: Profile) -> None:
    for fields in ({"length": 5, "delay_ms": 30_000}, {"length": None, "jacoby": True}):
        rules = Rules.of(variant, profile, **fields)
        data = rules.to_dict()
        assert all(type(value) in (str, bool, int, type(None)) for value in data.values())
        assert Rules.from_dict(data) == rules


def test_shrinking_reserve_round_trips_and_is_stored_only_if_it_is_on() -> None:
    plain = Rules.of("short", length=5, delay_ms=30_000)
    shrinking = Rules.of("short", length=5, delay_ms=30_000, reserve_shrinks=True)
    assert "reserve_shrinks" not in plain.to_dict()  # like rules stored before the switch existed
    assert Rules.from_dict(shrinking.to_dict()) == shrinking
    assert shrinking != plain


@pytest.mark.parametrize("data", [{}, [], {"variant": "medium"}, {"variant": None}])
def test_unreadable_rules_are_refused(data: Any) -> None:
    with pytest.raises(InvalidRules):
        Rules.from_dict(data)
