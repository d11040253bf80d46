"""Country names in each language of the site, in its alphabetical order.

The codes are those of django-countries. Its Russian and Turkish names are partly in the wrong case
or missing, and it sorts them by Latin letters. So names and order come from CLDR 48 (Unicode
license, https://www.unicode.org/license.txt), with the usual short name for a few countries.
"""

import json
from functools import cache
from pathlib import Path

from django.conf import settings
from django.utils.translation import get_language

_FILE = Path(__file__).with_name("country_names.json")


@cache
def _names() -> dict[str, dict[str, str]]:
    names: dict[str, dict[str, str]] = json.loads(_FILE.read_text(encoding="utf-8"))
    return names


def names_of_countries() -> dict[str, str]:
    """Return names by code, in the alphabetical order of the active language."""
    language = (get_language() or settings.LANGUAGE_CODE)[:2]
    return _names().get(language, _names()[settings.LANGUAGE_CODE])


def country_name(code: str) -> str:
    """Return the country's name, or "" for no country."""
    return names_of_countries().get(code, "")
