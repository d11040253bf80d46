"""The staff's list of words that typed messages may not contain."""

import re
from dataclasses import dataclass

from django.core.cache import cache

from accounts.shared.plain_text import comparable
from chat.models import RefusedWord

KEY = "chat:refused_words"
# Seconds until a process without a shared cache sees a change of the list.
KEPT_S = 60
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class WordList:
    words: frozenset[str]
    beginnings: tuple[str, ...]

    def refuses(self, text: str) -> bool:
        """Return whether the text has one of the words, regardless of capitals and accents."""
        found = _WORD.findall(comparable(text))
        return any(each in self.words or each.startswith(self.beginnings) for each in found)


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
