"""A pseudo-locale: English texts with accents, a third longer, between brackets.

A page in it shows at a glance which texts bypass gettext (they have no accents), which sentences
are put together from pieces (brackets inside a sentence), and where a longer language is clipped.
"""

import re
import shutil
from pathlib import Path

import polib

from config.i18n.translations import DOMAINS, LINE_WIDTH, PLACEHOLDER, SOURCE_LANGUAGE, TAG

# Placeholders, tags and entities stay; so do line breaks, which structure emails.
_KEPT = re.compile(rf"{PLACEHOLDER.pattern}|%%|{TAG.pattern}|&#?\w+;|\n")
_ACCENTS = str.maketrans(
    "AaBCcDdEeGgHhIiJjKkLlNnOoRrSsTtUuWwYyZz", "ÅåƁÇçÐđÉéĜĝĤĥÎîĴĵĶķĻļÑñÖöŔŕŠšŢţÛûŴŵÝýŽž"
)
# The greatest number of letters of a text, and the growth of its translation: short words grow most
# (Play: Играть, Take: Kabul et).
_GROWTH = ((10, 0.6), (30, 0.4))
_LONG_GROWTH = 0.3
_FILLER = "ļörém îpšûm đöļör šîţ åméţ "
# The context of texts that are not words but patterns of Django's `date_format`.
_PATTERNS = "date format"


def pseudo(text: str) -> str:
    """Return the text in the pseudo-locale; spaces at its ends stay there."""
    inner = text.strip()
    if not inner:
        return text
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{before}[{_accented(inner)}{_padding(inner)}]{after}"


def _accented(text: str) -> str:
    pieces, end = [], 0
    for kept in _KEPT.finditer(text):
        pieces += [text[end : kept.start()].translate(_ACCENTS), kept[0]]
        end = kept.end()
    return "".join([*pieces, text[end:].translate(_ACCENTS)])


def _padding(text: str) -> str:
    letters = len(_KEPT.sub("", text))
    growth = next((share for most, share in _GROWTH if letters <= most), _LONG_GROWTH)
    added = round(letters * growth)
    # The filler is a separate word, so that a line may break there; a short text grows by letters.
    filler = _FILLER * (added // len(_FILLER) + 1)
    return filler[:added] if letters <= _GROWTH[0][0] else f" {filler[:added]}".rstrip()


def write_pseudo_locale(source: Path, target: Path) -> None:
    """Copy the languages of the site to a folder, and replace English by the pseudo-locale.

    Raises:
        FileExistsError: the folder is already there.
    """
    shutil.copytree(source, target)
    for domain in DOMAINS:
        path = target / SOURCE_LANGUAGE / "LC_MESSAGES" / f"{domain}.po"
        catalog = polib.pofile(str(path), wrapwidth=LINE_WIDTH)
        for entry in catalog:
            _replace(entry)
        catalog.save(str(path))
        path.with_suffix(".mo").write_bytes(catalog.to_binary())


def _replace(entry: polib.POEntry) -> None:
    if entry.msgctxt == _PATTERNS:
        entry.msgstr = entry.msgid
    elif entry.msgid_plural:
        one, many = pseudo(entry.msgid), pseudo(entry.msgid_plural)
        entry.msgstr_plural = {0: one, 1: many}
    else:
        entry.msgstr = pseudo(entry.msgid)
