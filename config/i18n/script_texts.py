"""The translated texts of scripts, as a small script.

A page with many scripts names a set. Such a page gets the texts of the modules that it loads first,
and the rest later. A page without a set gets all texts at once.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

import brotli
import polib
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.utils.safestring import mark_safe
from django.utils.translation.trans_real import DjangoTranslation
from django.views.i18n import JavaScriptCatalog

from config.storage import modules

CONTENT_TYPE = "text/javascript; charset=utf-8"
# The scripts that a page loads first, by the name of its set.
SETS = {
    "table": ("js/table/main.js",),
    "coached-table": ("js/table/main.js", "js/table/coach.js"),
}
Translation = str | list[str]


class Script(NamedTuple):
    plain: bytes
    compressed: bytes  # by Brotli


def response(request: HttpRequest, language: str, of: str, *, is_rest: bool) -> HttpResponse:
    """Return the texts of the set `of` in a language; all texts if there is no such set.

    With `is_rest`, return only the texts that the first scripts of the set do not need.
    """
    script = _script(language, of if of in SETS else "", is_rest and of in SETS)
    if "br" not in request.headers.get("Accept-Encoding", ""):
        return HttpResponse(script.plain, content_type=CONTENT_TYPE)
    answer = HttpResponse(script.compressed, content_type=CONTENT_TYPE)
    answer["Content-Encoding"] = "br"
    patch_vary_headers(answer, ["Accept-Encoding"])
    return answer


def _script(language: str, of: str, is_rest: bool) -> Script:
    make = _make if settings.DEBUG else _kept
    return make(language, of, is_rest)


def _make(language: str, of: str, is_rest: bool) -> Script:
    catalog = _Catalog(language)
    texts = catalog.texts(_keys(of, is_rest))
    names = {
        "texts": mark_safe(_json(texts)),
        "plural": mark_safe(str(catalog.get_plural() or "n != 1")),
        "is_first": not is_rest,
    }
    plain = render_to_string("script_texts.js", names).encode()
    return Script(plain, brotli.compress(plain))


_kept = cache(_make)


class _Catalog(JavaScriptCatalog):
    def __init__(self, language: str) -> None:
        super().__init__()
        # An empty list of folders leaves those of LOCALE_PATHS.
        self.translation = DjangoTranslation(language, domain="djangojs", localedirs=[])

    def texts(self, keys: Iterable[str]) -> dict[str, Translation]:
        """Return the translations that differ from the text in the script itself."""
        catalog = self.get_catalog()
        sources = _sources()
        return {
            key: catalog[key]
            for key in keys
            if key in catalog and catalog[key] != sources[key].text
        }


class _Source(NamedTuple):
    files: frozenset[str]
    text: Translation


@cache
def _sources() -> Mapping[str, _Source]:
    """Return each text of the scripts with the modules that use it, by its key in a catalog."""
    folder = settings.LOCALE_DIR / settings.LANGUAGE_CODE / "LC_MESSAGES"
    found = {}
    for entry in polib.pofile(str(folder / "djangojs.po")):
        key = f"{entry.msgctxt}\x04{entry.msgid}" if entry.msgctxt else entry.msgid
        files = frozenset(name.removeprefix("static/") for name, _ in entry.occurrences)
        text = [entry.msgid, entry.msgid_plural] if entry.msgid_plural else entry.msgid
        found[key] = _Source(files, text)
    return found


def _keys(of: str, is_rest: bool) -> list[str]:
    sources = _sources()
    if not of:
        return list(sources)
    scripts = modules()
    first = {name for entry in SETS[of] for name in (*scripts.modules_of(entry), entry)}
    later = {name for entry in SETS[of] for name in scripts.whole(entry)}
    keys = [key for key, source in sources.items() if source.files & first]
    if not is_rest:
        return keys
    known = set(keys)
    return [key for key, source in sources.items() if source.files & later and key not in known]


def _json(texts: Mapping[str, Translation]) -> str:
    return json.dumps(texts, ensure_ascii=False, separators=(",", ":"))
