"""Read title, sections and passages of a chapter from its HTML. Pure."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

_HEADINGS = ("h1", "h2", "h3")
# A passage is a paragraph, an item of a list, or a term with its description.
_OPENS = ("p", "li", "dt")
_CLOSES = ("p", "li", "dd")


@dataclass(frozen=True, slots=True)
class Passage:
    text: str
    anchor: str = ""  # id of the passage itself; "" if only its section has one


@dataclass(frozen=True, slots=True)
class Section:
    anchor: str
    heading: str
    words: str  # the attribute `data-words` of the heading
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class ParsedChapter:
    title: str
    summary: str
    sections: tuple[Section, ...]


def parse(html: str) -> ParsedChapter:
    """Return the content of a chapter; its first paragraph is the summary."""
    parser = _Parser()
    parser.feed(html)
    parser.close()
    title, *sections = parser.sections
    return ParsedChapter(
        title.heading,
        title.passages[0].text if title.passages else "",
        tuple(
            Section(each.anchor, each.heading, each.words, tuple(each.passages))
            for each in sections
        ),
    )


@dataclass
class _Open:
    """A section that is being read."""

    anchor: str
    words: str
    heading: str = ""
    passages: list[Passage] = field(default_factory=list)


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.sections: list[_Open] = []
        self._text: list[str] | None = None
        self._anchor = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag in _HEADINGS:
            self.sections.append(_Open(values.get("id") or "", values.get("data-words") or ""))
            self._text = []
        elif tag in _OPENS:
            self._text, self._anchor = [], values.get("id") or ""

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "dt" and self._text is not None:
            self._text.append(": ")
        if self._text is None or tag not in (*_HEADINGS, *_CLOSES):
            return
        text = " ".join("".join(self._text).split()).replace(" : ", ": ")
        if tag in _HEADINGS:
            self.sections[-1].heading = text
        else:
            self.sections[-1].passages.append(Passage(text, self._anchor))
        self._text, self._anchor = None, ""
