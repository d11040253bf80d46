"""Reduce texts that people typed to a form in which they can be compared."""

import unicodedata

# Marks, format characters such as the joiner of emoji, and what Unicode has not assigned: some of
# these are invisible.
_DROPPED = frozenset({"Mn", "Me", "Cf", "Cn"})
# The Hangul fillers, which are invisible letters. NFKD turns U+3164 and U+FFA0 into U+1160.
_FILLERS = frozenset("\u115f\u1160")


def comparable(text: str) -> str:
    """Return the text without case, accents, marks and invisible characters.

    The Turkish dotless i becomes i.
    """
    letters = unicodedata.normalize("NFKD", text).casefold()
    return "".join(filter(_is_kept, letters)).replace("\u0131", "i")


def _is_kept(character: str) -> bool:
    return character not in _FILLERS and unicodedata.category(character) not in _DROPPED
