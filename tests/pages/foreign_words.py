"""Find text in a language that is not the page's."""

import json
import re
from functools import cache
from html.parser import HTMLParser
from typing import Any

import polib

from config.i18n.translations import catalog_paths

# Common English words that are not Turkish words and do not occur in names of the site.
ENGLISH = re.compile(
    r"\b(?:the|and|your|you|with|have|has|was|were|this|that|please|match|matches|credits?|game|"
    r"games|player|players|from|are|for|will|password|points?|minutes?|won|lost|turn|roll)\b",
    re.IGNORECASE,
)
CYRILLIC = re.compile("[а-яё]{2}", re.IGNORECASE)
TURKISH = re.compile("[ğşıİ]")
SHOWN_ATTRIBUTES = {"alt", "title", "placeholder", "aria-label", "data-text", "data-label"}
UNSEEN = {"script", "style", "template", "pre", "code"}
VOID = {
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr",
}  # fmt: skip
# Names that are the same in every language. Texts of members need no entry: `lang` marks them.
NAMES = re.compile(
    r"^(?:English|Русский|Türkçe)$|GNU Backgammon|XGID|5Stars Gammon|[\w.+-]+@[\w.-]+|https?://\S+"
)


class Texts(HTMLParser):
    """Collect all that should be in the page's language: text, attributes, JSON of scripts."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.language = ""
        self.found: list[str] = []
        self._open: list[tuple[str, bool]] = []  # tag, and whether its text is left out
        self._is_json = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "html":
            self.language = given.get("lang", "")
        is_other = (
            given.get("lang", self.language) != self.language or given.get("translate") == "no"
        )
        is_left_out = self._is_left_out or is_other
        if not is_left_out:
            self.found += [given[name] for name in SHOWN_ATTRIBUTES & set(given)]
            if tag == "meta" and given.get("name") == "description":
                self.found.append(given.get("content", ""))
            if tag == "input" and given.get("type") in ("submit", "button"):
                self.found.append(given.get("value", ""))
        self._is_json = tag == "script" and given.get("type") == "application/json"
        if tag not in VOID:
            self._open.append((tag, is_left_out or tag in UNSEEN))

    def handle_endtag(self, tag: str) -> None:
        self._is_json = False
        if any(name == tag for name, _ in self._open):
            while self._open.pop()[0] != tag:
                pass

    def handle_data(self, data: str) -> None:
        if self._is_json:
            self.found += [text for text in strings_of(json.loads(data)) if " " in text]
        elif not self._is_left_out:
            self.found.append(data)

    @property
    def _is_left_out(self) -> bool:
        return bool(self._open) and self._open[-1][1]


def strings_of(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [text for each in value for text in strings_of(each)] if isinstance(value, list) else []


@cache
def untranslated(language: str) -> re.Pattern[str]:
    """Return a pattern of every English text whose translation differs from it."""
    found = set()
    for code, path in catalog_paths():
        if code != language:
            continue
        for entry in polib.pofile(str(path)):
            pairs = [(entry.msgid, entry.msgstr), (entry.msgid_plural, entry.msgstr_plural.get(1))]
            found |= {_pattern(text) for text, said in pairs if text and said and said != text}
    # An English text may be the right translation of another entry, such as "bot".
    same = {_pattern(text) for text in translations(language)}
    return re.compile("|".join(sorted(found - same)))


@cache
def translations(language: str) -> set[str]:
    return {
        text
        for code, path in catalog_paths()
        if code == language
        for entry in polib.pofile(str(path))
        for text in (entry.msgstr, *entry.msgstr_plural.values())
    }


def _pattern(text: str) -> str:
    parts = re.split(r"%\(\w+\)\w|\{\w*\}|%\w", " ".join(text.split()))
    # A text of placeholders and signs alone says nothing about its language.
    if not re.search("[A-Za-z]{3}", "".join(parts)):
        return "(?!)"
    return ".+".join(re.escape(part) for part in parts)


def foreign(texts: list[str], language: str) -> list[str]:
    """Return the texts that are not in this language."""
    return sorted({text for each in texts if is_foreign(text := " ".join(each.split()), language)})


@cache  # most texts are on many pages, and the pattern has thousands of branches
def is_foreign(text: str, language: str) -> bool:
    text = NAMES.sub("", text).strip()
    if language != "ru" and CYRILLIC.search(text):
        return True
    if language == "en":
        return bool(TURKISH.search(text))
    return bool(ENGLISH.search(text) or untranslated(language).fullmatch(text))


def texts_of(page: str) -> Texts:
    texts = Texts()
    texts.feed(page)
    return texts
