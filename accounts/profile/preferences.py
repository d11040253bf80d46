"""Write a member's preferences."""

from typing import Any

from accounts.models import Preferences
from accounts.people.locks import lock_unclosed
from accounts.shared.transactions import write_transaction


def choose(user_id: int, **choices: Any) -> None:
    """Write validated choices, named as the model's fields; do nothing for a closed account."""
    with write_transaction():
        if lock_unclosed(user_id):
            Preferences.objects.filter(user_id=user_id).update(**choices)
