"""The staff's list of words that typed messages may not contain."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.core.cache import cache

from accounts.shared.plain_text import comparable
from chat.models import RefusedWord

KEY = "chat:refused_words"
# Seconds until a process without a shared cache sees a change of the list.
KEPT_S = 60
_WORD = re.compile(r"\w+")
# Small letters of the two alphabets that look alike, at least as capitals.
_LATIN, _CYRILLIC = "abcehijkmopstxy", "авсеніјкморѕтху"
_TO_LATIN, _TO_CYRILLIC = str.maketrans(_CYRILLIC, _LATIN), str.maketrans(_LATIN, _CYRILLIC)
_HAS_BOTH = re.compile(r"(?=.*[a-z]).*[\u0400-\u052f]")


@dataclass(frozen=True, slots=True)
class WordList:
    words: frozenset[str]
    beginnings: tuple[str, ...]

    def refuses(self, text: str) -> bool:
        """Return whether the text has one of the words, regardless of capitals and accents.

        A word that mixes Latin and Cyrillic letters is read in both alphabets.
        """
        found = _readings(comparable(text))
        return any(each in self.words or each.startswith(self.beginnings) for each in found)


def _readings(text: str) -> Iterator[str]:
    """Yield the words of a comparable text; an underscore belongs to a word or ends it."""
    for word in _WORD.findall(f"{text} {text.replace('_', ' ')}" if "_" in text else text):
        yield word
        if _HAS_BOTH.match(word):
            yield word.translate(_TO_LATIN)
            yield word.translate(_TO_CYRILLIC)


def word_list() -> WordList:
    """Return the list, at most KEPT_S seconds old."""
    kept: WordList | None = cache.get(KEY)
    if kept is None:
        words = RefusedWord.objects.values_list("word", flat=True)
        # A word of invisible letters alone would be found in every message.
        listed = [each for word in words if (each := comparable(word)).rstrip("*")]
        kept = WordList(
            frozenset(each for each in listed if not each.endswith("*")),
            tuple(each[:-1] for each in listed if each.endswith("*")),
        )
        cache.set(KEY, kept, KEPT_S)
    return kept


def forget_list() -> None:
    """Empty the cache, so that the next message reads the list again."""
    cache.delete(KEY)
