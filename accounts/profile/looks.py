"""The looks of board and checkers that a member may wear: the free ones, and those they own.

In its `ready()` the shop registers how to find the looks that a member owns, since accounts imports
no app above it.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from accounts.models import Preferences
from accounts.models.looks import FREE_LOOKS, Board, Checkers
from accounts.shared.transactions import write_transaction

# Kind of look -> code -> title; the kinds are names of fields of Preferences.
Titles = dict[str, dict[str, Any]]
Source = Callable[[int], Iterable[tuple[str, str, Any]]]

LOOKS: Mapping[str, type[Board] | type[Checkers]] = {"board": Board, "checkers": Checkers}
DEFAULTS = {"board": Board.CLASSIC.value, "checkers": Checkers.CLASSIC.value}

_sources: list[Source] = []


def add_source(source: Source) -> None:
    """Register `source`, which returns the looks that a user owns as (kind, code, title)."""
    _sources.append(source)


def wearable(user_id: int | None) -> Titles:
    """Return the looks that the user (None: a guest) may wear, the free ones first."""
    titles: Titles = {
        kind: {code: LOOKS[kind](code).label for code in codes}
        for kind, codes in FREE_LOOKS.items()
    }
    if user_id is not None:
        for source in _sources:
            for kind, code, title in source(user_id):
                titles[kind][code] = title
    return titles


def lock_worn(user_id: int) -> Preferences:
    """Lock the user's looks, so that choosing one and refunding it happen one after the other."""
    return Preferences.objects.select_for_update().get(user_id=user_id)


def not_wearable(user_id: int, chosen: Mapping[str, Any]) -> set[str]:
    """Return the chosen fields whose look the user may not wear.

    The caller must hold the lock of `lock_worn`, so that no good is refunded meanwhile.
    """
    kinds = {kind for kind in LOOKS if kind in chosen and chosen[kind] not in FREE_LOOKS[kind]}
    if not kinds:
        return set()
    titles = wearable(user_id)
    return {kind for kind in kinds if chosen[kind] not in titles[kind]}


def take_off(user_id: int, kind: str, code: str) -> bool:
    """Reset a kind to its default if the user wears this look; return whether they did."""
    with write_transaction():
        worn = lock_worn(user_id)
        if getattr(worn, kind) != code:
            return False
        Preferences.objects.filter(pk=worn.pk).update(**{kind: DEFAULTS[kind]})
        return True
