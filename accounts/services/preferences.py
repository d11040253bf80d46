"""A member's choices."""

from typing import Any

from accounts.gate import writing
from accounts.models import Preferences


def choose(user_id: int, **choices: Any) -> None:
    """Write choices down; their names are the model's, their values have been checked."""
    with writing():
        Preferences.objects.filter(user_id=user_id).update(**choices)
