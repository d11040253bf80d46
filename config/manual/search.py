"""Search the manual by questions, regardless of case, accents and word forms. Pure.

Two words match if they are equal, if one begins with the other, or if they have a stem in common. A
word of five letters or more that matches nothing is compared letter by letter, to find typing
errors. The languages of the site inflect at the end of a word, so the search needs no grammar.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from math import log

from accounts.shared.plain_text import comparable
from config.manual.prose_parser import Passage, Section

_WORD = re.compile(r"\w+")
# Weights of a word in the score of a section, by where the word stands: in the heading, in the
# heading's `data-words`, in the chapter's title or in the text.
_HEADING, _WORDS, _TITLE, _TEXT = 3.0, 3.0, 1.0, 1.0
_MOST_COUNTED = 3  # times that a word counts in one section's text
_LEAST_SHARE = 0.3  # least score of a result, as a share of the best one's
_MOST_RESULTS = 8
_EXCERPT = 220  # characters
MOST_WORDS = 12  # words of a query that are searched


@dataclass(frozen=True, slots=True)
class Result:
    slug: str  # of a chapter, or the name of a page of rules
    title: str
    heading: str
    anchor: str
    # Parts of the text, True for a match; empty if the section consists of its heading.
    excerpt: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class _IndexedSection:
    slug: str
    title: str
    section: Section


def words_of(text: str) -> list[str]:
    return [comparable(word) for word in _WORD.findall(text)]


def likeness(one: str, other: str) -> float:
    """Return the likelihood, 0 to 1 (equal), that two words of `words_of` are forms of one word."""
    if one == other:
        return 1.0
    common = next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
    shorter, longer = sorted((len(one), len(other)))
    if common == shorter and common >= 3 and longer - shorter <= (3 if shorter == 3 else 7):
        return 0.8  # one begins with the other
    # A stem in common, with short endings.
    return 0.6 if common >= 4 and longer - common <= 4 else 0.0


class Index:
    def __init__(
        self, chapters: Iterable[tuple[str, str, Sequence[Section]]], ignored: str
    ) -> None:
        """Index chapters, as (slug, title, sections); `ignored` are stop words."""
        self._ignored = frozenset(words_of(ignored))
        self._indexed = [
            _IndexedSection(slug, title, section)
            for slug, title, found in chapters
            for section in found
        ]
        self._weights: dict[str, dict[int, float]] = defaultdict(dict)
        for at, indexed in enumerate(self._indexed):
            for word, weight in _weights_of(indexed).items():
                self._weights[word][at] = weight

    def find(self, query: str) -> list[Result]:
        """Return the best sections for a query, the best first."""
        asked = self._asked(query)
        matches = {word: self._matches(word) for word in asked}
        rarity = {word: self._rarity(found) for word, found in matches.items() if found}
        if not rarity:
            return []
        scores: dict[int, float] = defaultdict(float)
        covered: dict[int, float] = defaultdict(float)
        for word, value in rarity.items():
            for at, weight in self._sections_with(matches[word]).items():
                scores[at] += value * weight
                covered[at] += value
        total = sum(rarity.values())
        ranked = {at: score * covered[at] / total for at, score in scores.items()}
        least = max(ranked.values()) * _LEAST_SHARE
        best = sorted((at for at in ranked if ranked[at] >= least), key=lambda at: -ranked[at])
        matched = {word: value * rarity[q] for q in rarity for word, value in matches[q].items()}
        return [self._result(at, matched) for at in best[:_MOST_RESULTS]]

    def _asked(self, query: str) -> list[str]:
        """Return the words of a query without stop words; all words if there are no others."""
        words = list(dict.fromkeys(words_of(query)))
        return ([word for word in words if word not in self._ignored] or words)[:MOST_WORDS]

    def _matches(self, asked: str) -> dict[str, float]:
        """Return the indexed words that match, each with its likeness."""
        found = {word: value for word in self._weights if (value := likeness(asked, word))}
        if found or len(asked) < 5:
            return found
        return dict.fromkeys(get_close_matches(asked, self._weights, n=3, cutoff=0.75), 0.5)

    def _sections_with(self, matches: Mapping[str, float]) -> dict[int, float]:
        """Return the best weight of the matches by section."""
        best: dict[int, float] = {}
        for word, value in matches.items():
            for at, weight in self._weights[word].items():
                best[at] = max(best.get(at, 0.0), value * weight)
        return best

    def _rarity(self, matches: Mapping[str, float]) -> float:
        return log(1 + len(self._indexed) / len(self._sections_with(matches)))

    def _result(self, at: int, matched: Mapping[str, float]) -> Result:
        indexed = self._indexed[at]
        passage = _best_passage(indexed.section, matched)
        anchor = passage.anchor or indexed.section.anchor
        excerpt = tuple(_marked(_shortened(passage.text, matched), matched))
        return Result(indexed.slug, indexed.title, indexed.section.heading, anchor, excerpt)


def _weights_of(indexed: _IndexedSection) -> dict[str, float]:
    weights: dict[str, float] = defaultdict(float)
    text = Counter(word for each in indexed.section.passages for word in words_of(each.text))
    for word, times in text.items():
        weights[word] += _TEXT + 0.25 * (min(times, _MOST_COUNTED) - 1)
    for source, weight in (
        (indexed.section.heading, _HEADING),
        (indexed.section.words, _WORDS),
        (indexed.title, _TITLE),
    ):
        for word in set(words_of(source)):
            weights[word] += weight
    return weights


def _best_passage(section: Section, matched: Mapping[str, float]) -> Passage:
    """Return the passage that matches the query best; of equals, the one with the earlier match.

    If the section has no passage, since another heading follows its own, return an empty one.
    """

    def value(passage: Passage) -> tuple[float, int]:
        words = words_of(passage.text)
        first = next((at for at, word in enumerate(words) if word in matched), len(words))
        return sum(matched.get(word, 0.0) for word in set(words)), -first

    return max(section.passages, key=value, default=Passage(""))


def _shortened(text: str, matched: Mapping[str, float]) -> str:
    """Return the part of a long text around its first match, cut between words."""
    if len(text) <= _EXCERPT:
        return text
    first = next((m.start() for m in _WORD.finditer(text) if comparable(m[0]) in matched), 0)
    start = text.rfind(" ", 0, first - _EXCERPT // 3) + 1 if first > _EXCERPT // 2 else 0
    end = text.rfind(" ", start, start + _EXCERPT) if start + _EXCERPT < len(text) else len(text)
    return ("… " if start else "") + text[start:end] + ("…" if end < len(text) else "")


def _marked(text: str, matched: Mapping[str, float]) -> Iterator[tuple[str, bool]]:
    done = 0
    for match in _WORD.finditer(text):
        if comparable(match[0]) not in matched:
            continue
        if match.start() > done:
            yield text[done : match.start()], False
        yield match[0], True
        done = match.end()
    if done < len(text):
        yield text[done:], False
