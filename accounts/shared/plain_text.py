"""Reduce texts that people typed to a form in which they can be compared, or searched for."""

import unicodedata
from functools import reduce
from operator import or_

from django.db.models import Q

# Marks, format characters such as the joiner of emoji, and unassigned characters: some of these are
# invisible.
_DROPPED = frozenset({"Mn", "Me", "Cf", "Cn"})
# The Hangul fillers, which are invisible letters. NFKD turns U+3164 and U+FFA0 into U+1160.
_FILLERS = frozenset("\u115f\u1160")


def comparable(text: str) -> str:
    """Return the text without case, accents, marks and invisible characters.

    The Turkish dotless i becomes i.
    """
    letters = unicodedata.normalize("NFKD", text).casefold()
    return "".join(filter(_is_kept, letters)).replace("\u0131", "i")


def containing(field: str, text: str) -> Q:
    """Return the condition that a text field contains the text, regardless of capitals.

    SQLite ignores the case of unaccented Latin letters only, and neither database takes the Turkish
    İ for the capital of i. So the condition looks for the text as typed, in small letters, in
    capitals, and with one capital at its start.
    """
    small = text.replace("İ", "i")
    pairs = (
        (small.lower(), text.upper()),
        (small.replace("I", "ı").lower(), text.replace("i", "İ").upper()),
    )
    found = {text, *(each for low, high in pairs for each in (low, high, high[:1] + low[1:]))}
    return reduce(or_, (Q(**{f"{field}__icontains": each}) for each in sorted(found)))


def as_login(typed: str) -> str:
    """Return the text with the Latin i for İ and ı, two Turkish letters that no login has."""
    return typed.replace("İ", "i").replace("ı", "i")


def _is_kept(character: str) -> bool:
    return character not in _FILLERS and unicodedata.category(character) not in _DROPPED
