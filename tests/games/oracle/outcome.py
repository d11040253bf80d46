"""Find the kind of a win by code written from the rules alone, to compare with the engine.

The query is an input line of ``python -m games.engine outcome``; the answer holds the ``kind`` and
the ``points`` that this command prints.
"""

from __future__ import annotations

from typing import Any

# The worth of a win, in units of the cube's value.
WORTH = {"single": 1, "gammon": 2, "backgammon": 3}


def outcome(query: dict[str, Any]) -> dict[str, Any]:
    """Return the ``kind`` and ``points`` of the win of ``query["winner"]``."""
    variant = query["variant"]
    rules = query.get("rules") or {}
    profile = rules.get("profile", "classic")
    koks_default = variant == "short" or profile == "federation"
    mars_on = rules.get("mars", True)
    koks_on = rules.get("koks", koks_default)
    kind = full_kind(query, variant, profile)
    if kind == "backgammon" and not koks_on:
        kind = "gammon"
    if not mars_on:
        kind = "single"
    return {"kind": kind, "points": WORTH[kind]}


def full_kind(query: dict[str, Any], variant: str, profile: str) -> str:
    """Return the kind of the win if mars and koks both count."""
    position = query["position"]
    loser = "black" if query["winner"] == "white" else "white"
    checkers_at = dict(zip(range(1, 25), position[loser], strict=True))
    off = position["off"][loser]
    bar = (position.get("bar") or {}).get(loser, 0)
    # Checkers on the bar or in the loser's first quarter: points 19 to 24 of the loser's numbering.
    in_first_quarter = bar + sum(checkers_at[p] for p in range(19, 25))
    if profile == "manual":
        if in_first_quarter:
            return "backgammon"
        outside = sum(checkers_at[p] for p in range(7, 25))
        return "gammon" if outside else "single"
    if off:
        return "single"
    if profile == "federation" and variant == "long":
        koks_checkers = sum(checkers_at[p] for p in range(13, 19))
    else:
        koks_checkers = in_first_quarter
    return "backgammon" if koks_checkers else "gammon"
