"""Choices of the last training match, kept in the session to start another one without the form."""

from typing import Any

from django.contrib.sessions.backends.base import SessionBase

from games.bots.opponents import LEVELS, OPPONENTS, Opponent
from games.engine.rules import Variant
from games.forms import NO_LIMIT
from games.training.forms import TrainingForm

# Session key of the choices of the last match.
LAST_CHOICES = "training"


def last_choices(session: SessionBase, variant: str | None = None) -> dict[str, Any]:
    """Return the last choices; a known `variant` replaces the last one.

    An opponent that no longer exists is left out.
    """
    choices = dict(session.get(LAST_CHOICES, {}))
    if choices.get("level") not in dict(LEVELS):
        choices.pop("level", None)
    if variant in set(Variant):
        choices["variant"] = variant
    return choices


def quick_choices(
    session: SessionBase, variant: str | None = None, level: str | None = None
) -> dict[str, Any]:
    """Return the last choices as form data; fields that were never chosen have their defaults.

    A known `level` replaces the last one. The match then has no time limit, as the lessons promise.
    """
    defaults = {name: field.initial for name, field in TrainingForm.base_fields.items()}
    wanted = {"level": level, "seconds": NO_LIMIT} if level in dict(LEVELS) else {}
    return {**defaults, **last_choices(session, variant), **wanted}


def quick_opponent(session: SessionBase) -> Opponent:
    level = quick_choices(session)["level"]
    return next(opponent for opponent in OPPONENTS if opponent.value == level)
