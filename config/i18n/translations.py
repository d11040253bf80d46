"""The translation files of the site: their paths, compilation, tidying and checks.

polib compiles them, so that the site runs in all its languages without GNU gettext. Only collecting
new texts (`manage.py makelocale`) needs GNU gettext.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile

import polib
from django.conf import settings

from config.i18n.languages import Language

DOMAINS = ("django", "djangojs")
SOURCE_LANGUAGE = "en"
LINE_WIDTH = 100  # characters of a line in a catalog

PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")
TAG = re.compile(r"</?[a-zA-Z][^>]*>")


def catalog_paths() -> Iterator[tuple[str, Path]]:
    """Yield (language, file) of every catalog of the site, existing or not."""
    for language in settings.SITE_LANGUAGES:
        for domain in DOMAINS:
            yield language, settings.LOCALE_PATHS[0] / language / "LC_MESSAGES" / f"{domain}.po"


def compile_catalogs() -> int:
    """Write the .mo file of every catalog; return their number."""
    written = 0
    for _, path in catalog_paths():
        if path.exists():
            _replace_file(path.with_suffix(".mo"), polib.pofile(str(path)).to_binary())
            written += 1
    return written


def _replace_file(path: Path, content: bytes) -> None:
    """Replace the file atomically: a process that starts meanwhile reads the old or the new one.

    The unfinished file has the suffix `.mo`, which Git ignores, and its name begins with a dot, so
    that a test which copies the site skips it.
    """
    with NamedTemporaryFile(dir=path.parent, prefix=".", suffix=path.suffix, delete=False) as part:
        part.write(content)
    Path(part.name).chmod(0o644)
    Path(part.name).replace(path)


def tidy(language: str, path: Path) -> None:
    """Normalize a freshly collected catalog.

    The header gets no dates and names, which would change at every run. English, the language of
    the source, is filled in from the source.
    """
    catalog = polib.pofile(str(path), wrapwidth=LINE_WIDTH)
    catalog.header = "5Stars Gammon. See locale/README.md for the words to use."
    catalog.metadata = {
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": settings.SITE_LANGUAGES[language].plural_forms,
    }
    catalog.metadata_is_fuzzy = False
    if language == SOURCE_LANGUAGE:
        for entry in catalog:
            _fill_from_source(entry)
    catalog.save(str(path))


def _fill_from_source(entry: polib.POEntry) -> None:
    if entry.msgid_plural:
        entry.msgstr_plural = {0: entry.msgid, 1: entry.msgid_plural}
    else:
        entry.msgstr = entry.msgid
    entry.flags = [flag for flag in entry.flags if flag != "fuzzy"]


def counts(path: Path) -> tuple[int, int]:
    """Return the numbers of (translated, all) entries of a catalog."""
    catalog = [entry for entry in polib.pofile(str(path)) if not entry.obsolete]
    return sum(1 for entry in catalog if not _is_incomplete(entry, path)), len(catalog)


def problems(language: str, path: Path) -> list[str]:
    """Return the reasons why a catalog is not complete, each as `file: text: reason`."""
    if not path.exists():
        return [f"{_short(path)}: the file is missing; run manage.py makelocale"]
    catalog = polib.pofile(str(path))
    found = [f"header: {what}" for what in _header_problems(language, catalog)]
    for entry in catalog:
        found += [f'"{entry.msgid[:60]}": {what}' for what in _entry_problems(entry, path)]
    return [f"{_short(path)}: {what}" for what in found]


def _short(path: Path) -> str:
    return f"{path.parent.parent.name}/{path.name}"


def _header_problems(language: str, catalog: polib.POFile) -> Iterator[str]:
    if catalog.metadata.get("Language") != language:
        yield f"Language is not {language}"
    if catalog.metadata.get("Plural-Forms") != settings.SITE_LANGUAGES[language].plural_forms:
        yield "Plural-Forms are not those of the language"
    if catalog.metadata_is_fuzzy:
        yield "is marked fuzzy"


def _language(path: Path) -> Language:
    return settings.SITE_LANGUAGES[path.parent.parent.name]


def _translations(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


def _is_incomplete(entry: polib.POEntry, path: Path) -> bool:
    expected = _language(path).plural_count if entry.msgid_plural else 1
    texts = _translations(entry)
    return entry.fuzzy or len(texts) != expected or not all(texts)


def _entry_problems(entry: polib.POEntry, path: Path) -> Iterator[str]:
    if entry.obsolete:
        yield "is not used any more; run manage.py makelocale"
        return
    if entry.fuzzy:
        yield "is marked fuzzy"
    if _is_incomplete(entry, path):
        yield "is not translated in every form"
        return
    for text in _translations(entry):
        sources = [entry.msgid, entry.msgid_plural] if entry.msgid_plural else [entry.msgid]
        if not any(_has_same(PLACEHOLDER, source, text) for source in sources):
            yield f"other placeholders in {text!r}"
        if not any(_has_same(TAG, source, text) for source in sources):
            yield f"other tags in {text!r}"
        if _edges(text) != _edges(entry.msgid):
            yield f"other spaces at the ends of {text!r}"
        # Tags are left out: their quotation marks delimit attributes.
        if foreign := set(TAG.sub("", text)) & set(_language(path).foreign_quotes):
            yield f"foreign quotation marks or apostrophes {sorted(foreign)} in {text!r}"


def _has_same(pattern: re.Pattern[str], source: str, text: str) -> bool:
    return Counter(pattern.findall(source)) == Counter(pattern.findall(text))


def _edges(text: str) -> tuple[bool, bool]:
    return text[:1].isspace(), text[-1:].isspace()
