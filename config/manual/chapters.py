"""The chapters of the manual, read from their prose: `locale/<language>/pages/manual/`.

In the prose, `<h1>` is the chapter's title and each `<h2 id="...">` begins a section. The attribute
`data-words` of a heading has further words by which a search finds the section. The search covers
the two pages of rules too, where `<h3>` also begins a section.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, override

from accounts.shared.prose import prose_of
from config.manual.figures import figures
from config.manual.pictures import Picture, picture_of
from config.manual.prose_parser import Section, parse
from config.manual.search import Index
from games.engine.rules import Variant
from games.rulebook.views import render_prose

# In reading order.
SLUGS = (
    "start", "account", "table", "training", "people", "tournaments", "credits", "settings",
    "community", "progress", "dice", "help",
)  # fmt: skip
# The pages of the rules, by the names of their URLs.
RULES = {"rules_short": Variant.SHORT, "rules_long": Variant.LONG}
_FIGURE = re.compile(r"<figure\b.*?</figure>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Chapter:
    slug: str
    language: str  # of the prose: English if the reader's language has none
    title: str
    summary: str
    picture: Picture
    prose: SafeString
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Manual:
    chapters: tuple[Chapter, ...]
    index: Index

    def find(self, slug: str) -> tuple[Chapter | None, Chapter, Chapter | None]:
        """Return the previous chapter, the chapter, and the next one."""
        at = SLUGS.index(slug)
        before = self.chapters[at - 1] if at else None
        after = self.chapters[at + 1] if at + 1 < len(SLUGS) else None
        return before, self.chapters[at], after


def manual_in(language: str) -> Manual:
    """Return the manual in a language; while developing, read from the files each time."""
    return _read(language) if settings.DEBUG else _read_once(language)


def _read(language: str) -> Manual:
    chapters = tuple(_chapter(slug, language) for slug in SLUGS)
    sections = [(chapter.slug, chapter.title, chapter.sections) for chapter in chapters]
    sections += _rules(language)
    found = settings.SITE_LANGUAGES.get(language)
    return Manual(chapters, Index(sections, found.search_ignores if found else ""))


_read_once = cache(_read)


def _rules(language: str) -> Iterator[tuple[str, str, tuple[Section, ...]]]:
    """Yield name, title and sections of both pages of rules; a section of both comes only once."""
    known: set[Section] = set()
    for name, variant in RULES.items():
        prose = prose_of(f"rules/{variant.value}", language)
        with override(prose.language):
            titles = {
                Variant.SHORT: gettext("Rules of short backgammon"),
                Variant.LONG: gettext("Rules of long nardy"),
            }
        text = _FIGURE.sub("", render_prose(variant, prose))
        parsed = parse(f"<h1>{titles[variant]}</h1>{text}")
        sections = tuple(each for each in parsed.sections if each.passages and each not in known)
        known.update(sections)
        yield name, parsed.title, sections


def _chapter(slug: str, language: str) -> Chapter:
    found = prose_of(f"manual/{slug}", language)
    with override(found.language):  # for the names of settings, and URLs
        text = render_to_string(found.template, figures())
    parsed = parse(text)
    # Safe: our own template, escaped by the engine. The page shows the title as its heading.
    prose = mark_safe(text.partition("</h1>")[2])
    return Chapter(
        slug,
        found.language,
        parsed.title,
        parsed.summary,
        picture_of(slug, language),
        prose,
        parsed.sections,
    )
