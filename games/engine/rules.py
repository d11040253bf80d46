"""The rules of one match: chosen at creation, stored with it, never changed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, Self

from games.engine.errors import InvalidRules

MAX_LENGTH = 25  # points
MAX_AUTO_DOUBLES = 3  # in one game
RULES_VERSION = 1  # increased by a change after which old logs would be read differently
_MINUTE_MS = 60_000
LEAST_RESERVE_MS = 2 * _MINUTE_MS
# Length from which a reserve can shrink. The default reserve of a shorter match is already
# `LEAST_RESERVE_MS`.
SHRINKS_FROM_LENGTH = 3  # points


class Variant(StrEnum):
    SHORT = "short"
    LONG = "long"


class HeadRule(StrEnum):
    """The rolls on which a second checker may leave the head on a side's first turn (long)."""

    EFFECT = "effect"  # if more dice can be played with two checkers than with one
    FIXED = "fixed"  # on 3-3, 4-4 and 6-6


class BlockRule(StrEnum):
    """The moment at which a forbidden block of six is refused (long)."""

    EVERY_MOVE = "every_move"
    END_OF_TURN = "end_of_turn"


class HitRule(StrEnum):
    """Permission for a checker that hit to go on to safety in the same turn (short)."""

    FREE = "free"
    NO_HIT_AND_RUN = "no_hit_and_run"


class Profile(StrEnum):
    """The written rules that are followed where no other field decides."""

    CLASSIC = "classic"
    FEDERATION = "federation"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one match; contradictions raise `InvalidRules`.

    `length` is the match length in points, None for a money session. `delay_ms` is the free
    time of each turn, `reserve_ms` each side's time for the whole match; both None = no limit.
    `reserve_shrinks`: each point scored lowers the limit of both reserves (`reserve_limit_ms`).
    Build one with `Rules.of`, which fills the defaults of the variant and profile.
    """

    variant: Variant
    profile: Profile
    head: HeadRule
    block: BlockRule
    hit: HitRule
    mars: bool
    koks: bool
    parity: bool
    length: int | None
    cube: bool
    crawford: bool
    jacoby: bool
    beaver: bool
    auto_doubles: int
    delay_ms: int | None
    reserve_ms: int | None
    reserve_shrinks: bool = False
    version: int = RULES_VERSION

    def __post_init__(self) -> None:
        _check_ranges(self)
        _check_consistency(self)

    @classmethod
    def of(
        cls, /, variant: Variant | str, profile: Profile | str = Profile.CLASSIC, **overrides: Any
    ) -> Self:
        """Return the rules of a variant and profile, with single fields overridden.

        Fields that are not given follow from those that are: no mars means no koks; money
        sessions, and matches of short backgammon from 3 points on, have a cube; a delay brings a
        reserve of one minute for each point, two at least. Unknown or unreadable fields raise
        `InvalidRules`.

        >>> rules = Rules.of("short", length=5, delay_ms=12_000)
        >>> rules.cube, rules.crawford, rules.reserve_ms
        (True, True, 300000)
        >>> Rules.of("long", length=1, cube=True)
        Traceback (most recent call last):
        games.engine.errors.InvalidRules: a one-point match has no cube
        """
        return cls._filled(dict(overrides, variant=variant, profile=profile))

    @classmethod
    def _filled(cls, chosen: Mapping[str, Any]) -> Self:
        given = _read({"profile": Profile.CLASSIC, **chosen})
        return cls(**{**_defaults(given), **given})

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-safe dict for `from_dict`, without the fields of `_ADDED` that are off."""
        values = [(name, getattr(self, name)) for name in self.__slots__]
        return {
            name: value.value if isinstance(value, StrEnum) else value
            for name, value in values
            if value or name not in _ADDED
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read the dict of `to_dict`; missing fields get their defaults."""
        if not isinstance(data, Mapping) or "variant" not in data:
            raise InvalidRules("rules_variant", "rules name no variant")
        return cls._filled(data)


_ENUMS: dict[str, type[StrEnum]] = {
    "variant": Variant,
    "profile": Profile,
    "head": HeadRule,
    "block": BlockRule,
    "hit": HitRule,
}
_FLAGS = ("mars", "koks", "parity", "cube", "crawford", "jacoby", "beaver", "reserve_shrinks")
# Switches that were added later, so older stored rules do not name them.
_ADDED = frozenset({"reserve_shrinks"})
_OPTIONAL_NUMBERS = ("length", "delay_ms", "reserve_ms")


def _read(given: Mapping[str, Any]) -> dict[str, Any]:
    known = {field.name for field in fields(Rules)}
    for name in given:
        if name not in known:
            raise InvalidRules("rules_unknown", f"no such rule: {name}")
    return {name: _read_enum(name, value) for name, value in given.items()}


def _read_enum(name: str, value: Any) -> Any:
    if name not in _ENUMS:
        return value
    try:
        return _ENUMS[name](value)
    except ValueError as error:
        raise InvalidRules(f"rules_{name}", f"{name} cannot be {value!r}") from error


def _defaults(given: Mapping[str, Any]) -> dict[str, Any]:
    is_long = given["variant"] is Variant.LONG
    is_federation = given["profile"] is Profile.FEDERATION
    mars = given.get("mars", True)
    length = given.get("length", 1)
    cube = length is None or (not is_long and isinstance(length, int) and length >= 3)
    return {
        "head": HeadRule.FIXED if is_long and is_federation else HeadRule.EFFECT,
        "block": BlockRule.EVERY_MOVE,
        "hit": HitRule.FREE,
        "mars": True,
        "koks": bool(mars) and (not is_long or is_federation),
        "parity": False,
        "length": 1,
        "cube": cube,
        "crawford": length is not None,
        "jacoby": False,
        "beaver": False,
        "auto_doubles": 0,
        "delay_ms": None,
        "reserve_ms": _reserve_ms(given),
        "reserve_shrinks": False,
    }


def default_reserve_ms(length: int | None) -> int:
    """Return one minute for each point of the match length, at least two minutes."""
    return max(LEAST_RESERVE_MS, (length or 0) * _MINUTE_MS)


def reserve_limit_ms(rules: Rules, score: Iterable[int]) -> int | None:
    """Return the most that a reserve may hold at this score; None if the reserve does not shrink.

    The limit falls from `reserve_ms` in proportion to the points that both sides together still
    need, but not below two minutes.
    """
    if not rules.reserve_shrinks or rules.length is None or rules.reserve_ms is None:
        return None
    needed = sum(max(0, rules.length - points) for points in score)
    return max(LEAST_RESERVE_MS, rules.reserve_ms * needed // (2 * rules.length))


def _reserve_ms(given: Mapping[str, Any]) -> int | None:
    """Return the default reserve; delay and length are not checked yet and may be unreadable."""
    length = given.get("length", 1)
    is_timed = given.get("delay_ms") is not None
    return default_reserve_ms(length if _is_count(length) else None) if is_timed else None


def _check_ranges(rules: Rules) -> None:
    for name in _FLAGS:
        if not isinstance(getattr(rules, name), bool):
            raise InvalidRules(f"rules_{name}", f"{name} is yes or no")
    for name in _OPTIONAL_NUMBERS:
        value = getattr(rules, name)
        if value is not None and not _is_count(value):
            raise InvalidRules(f"rules_{name}", f"{name} is a whole number")
    if rules.length is not None and not 1 <= rules.length <= MAX_LENGTH:
        raise InvalidRules("rules_length", f"a match is 1 to {MAX_LENGTH} points")
    if not _is_count(rules.auto_doubles) or rules.auto_doubles > MAX_AUTO_DOUBLES:
        raise InvalidRules("rules_auto_doubles", f"automatic doubles: 0 to {MAX_AUTO_DOUBLES}")
    if not _is_count(rules.version) or rules.version != RULES_VERSION:
        raise InvalidRules("rules_version", f"unknown version of the rules: {rules.version!r}")


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _check_consistency(rules: Rules) -> None:
    if rules.koks and not rules.mars:
        raise InvalidRules("koks_without_mars", "koks needs mars")
    if rules.cube and rules.length == 1:
        raise InvalidRules("cube_in_one_point_match", "a one-point match has no cube")
    money_options = rules.jacoby or rules.beaver or rules.auto_doubles > 0
    if money_options and rules.length is not None:
        raise InvalidRules("money_session_only", "Jacoby, beaver, auto-doubles: money sessions")
    if money_options and not rules.cube:
        raise InvalidRules("cube_needed", "Jacoby, beaver and auto-doubles need the cube")
    if rules.crawford and rules.length is None:
        raise InvalidRules("match_only", "Crawford belongs to a match")
    if (rules.delay_ms is None) != (rules.reserve_ms is None):
        raise InvalidRules("clock_incomplete", "delay and reserve come together")
    if rules.reserve_shrinks and rules.reserve_ms is None:
        raise InvalidRules("clock_needed", "a reserve that shrinks needs a clock")
    if rules.reserve_shrinks and (rules.length or 0) < SHRINKS_FROM_LENGTH:
        text = f"a reserve shrinks in matches to {SHRINKS_FROM_LENGTH} points and more"
        raise InvalidRules("reserve_cannot_shrink", text)
