"""Texts with markup, and a reader that finds the parts of a page that would run because of them."""

from html.parser import HTMLParser

# Every text of the corpus has this mark; nothing else on a page does.
MARK = "x9k"
CORPUS = [
    f"<script>{MARK}()</script>",
    f"<img src=x onerror={MARK}()>",
    f'"><svg onload={MARK}()>',
    f"' autofocus onfocus='{MARK}()",
    f'" onmouseover="{MARK}()',
    f"</textarea><script>{MARK}()</script>",
    f"</title><script>{MARK}()</script>",
    f"--><script>{MARK}()</script>",
    f"javascript:{MARK}()",
    f"<a href='javascript:{MARK}()'>{MARK}</a>",
    f"<iframe srcdoc='<script>{MARK}()</script>'>",
    f"<form action=//{MARK}.example><button>{MARK}",
    f"<meta http-equiv=refresh content='0;url=//{MARK}.example'>",
    f"<style>@import '//{MARK}.example'</style>",
    f"<b hx-get=/sign-out/ hx-trigger=load>{MARK}</b>",
    f"\\u003cscript\\u003e{MARK}()",
    f"%3Cscript%3E{MARK}()%3C/script%3E",
    f"&lt;script&gt;{MARK}()&lt;/script&gt;",
    f"{{{{ {MARK} }}}}{{% {MARK} %}}${{{MARK}}}",
    f"<math><mtext></form><script>{MARK}()</script>",
    f"＜script＞{MARK}()",
    f"\u202e<script>{MARK}()",
]
# The corpus in six texts; a short field takes only the beginning of one.
TEXTS = [" ".join(CORPUS[start::6]) for start in range(6)]
# Attributes whose values a browser neither runs nor loads.
_HARMLESS = {"value", "title", "alt", "aria-label", "placeholder", "content"}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.texts: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag if tag in ("script", "style") else ""
        if MARK in tag or (tag == "meta" and "refresh" in dict(attrs).values()):
            self.found.append(tag)
        for name, value in attrs:
            has_mark = MARK in (value or "").partition("?")[0]  # a query is harmless too
            if name.startswith("on") or MARK in name or (has_mark and name not in _HARMLESS):
                self.found.append(f"{tag} {name}={value}")

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if MARK not in data:
            return
        if self._inside:
            self.found.append(f"<{self._inside}>{data}")
        else:
            self.texts.append(data)


def running(page: str) -> list[str]:
    """Return the tags and attributes of the page that would run, load or post a text's markup."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return reader.found


def shown(page: str) -> str:
    """Return the visible texts of the page that have the mark."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return " ".join(reader.texts)
