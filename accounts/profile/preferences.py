"""Write a member's preferences."""

from typing import Any

from accounts.models import Preferences
from accounts.shared.transactions import write_transaction


def choose(user_id: int, **choices: Any) -> None:
    """Write validated choices, named as the model's fields."""
    with write_transaction():
        Preferences.objects.filter(user_id=user_id).update(**choices)
