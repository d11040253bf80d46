"""Reduce texts that people typed to a form in which they can be compared."""

import unicodedata


def comparable(text: str) -> str:
    """Return the text without case, accents and marks; the Turkish dotless i becomes i."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(each for each in letters if not unicodedata.combining(each))
    return plain.replace("\u0131", "i")
