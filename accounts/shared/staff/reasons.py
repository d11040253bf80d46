"""Ready reasons: what staff choose from, and the text that the members concerned read."""

from collections import Counter
from collections.abc import Collection

from django.conf import settings
from django.utils.translation import get_language

from accounts.models import Preferences, ReadyReason

# Most characters of a reason: the length of the shortest column that stores one.
LONGEST = 200
BETWEEN = " / "


def choices(occasion: str) -> list[tuple[str, str]]:
    """Return the names of the occasion's reasons with their texts in the active language."""
    language = get_language() or settings.LANGUAGE_CODE
    return [(name, _in(language, texts)) for name, texts in _texts(occasion).items()]


def text_for(occasion: str, name: str, user_ids: Collection[int | None]) -> str:
    """Return the text in the languages of these members, the most frequent one first.

    A further language is left out if its text does not fit. Without members the text is in the
    site's own language.
    """
    texts = _texts(occasion)[name]
    known = Preferences.objects.filter(user__in=[each for each in user_ids if each])
    spoken = Counter(
        each or settings.LANGUAGE_CODE for each in known.values_list("language", flat=True)
    )
    wanted = [language for language, _count in spoken.most_common()] or [settings.LANGUAGE_CODE]
    text = ""
    for part in dict.fromkeys(_in(language, texts) for language in wanted):
        longer = f"{text}{BETWEEN}{part}" if text else part
        text = longer if len(longer) <= LONGEST else text
    return text


def _texts(occasion: str) -> dict[str, dict[str, str]]:
    """Return the texts of each name by language."""
    texts: dict[str, dict[str, str]] = {}
    for row in ReadyReason.objects.filter(occasion=occasion):
        texts.setdefault(row.name, {})[row.language] = row.text
    return texts


def _in(language: str, texts: dict[str, str]) -> str:
    return texts.get(language) or texts.get(settings.LANGUAGE_CODE) or next(iter(texts.values()))
