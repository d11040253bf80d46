"""Rows and other parts of pages that are rendered once and shown many times.

Lists of a hundred rows took most of their time in templates whose output never changed. Each
process keeps the newest parts in its cache `pages`. The lowest app holds this because the pages of
every app have such rows. Of large parts that change, one version is kept, identified by a stamp.
"""

import hashlib
import zlib
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

HOUR_S = 3600


def render_kept(
    template: str, about: tuple[object, ...], context: Callable[[], dict[str, Any]]
) -> SafeString:
    """Return the template rendered with `context()`, from the cache for up to an hour.

    The `repr` of `about` must differ wherever the output does: `about` holds each value that the
    template prints, or the id of a row that never changes. The language is added to `about`.
    """
    if settings.DEBUG:  # templates are being written
        return render_to_string(template, context())
    key = _key(template, about)
    html = caches["pages"].get(key)
    if html is None:
        html = str(render_to_string(template, context()))
        caches["pages"].set(key, html, HOUR_S)
    return mark_safe(html)


def render_stamped(
    template: str, about: tuple[object, ...], stamp: str, context: Callable[[], dict[str, Any]]
) -> SafeString:
    """Return a large part, kept for up to an hour; render it again if the kept `stamp` differs.

    `about` names the part and the kind of reader; the language is added to `about`. A newer version
    replaces the older one in memory.
    """
    if settings.DEBUG:
        return render_to_string(template, context())
    key = _key(template, about)
    kept_stamp, packed = caches["large_parts"].get(key, ("", b""))
    if kept_stamp == stamp:
        return mark_safe(zlib.decompress(packed).decode())
    html = str(render_to_string(template, context()))
    caches["large_parts"].set(key, (stamp, zlib.compress(html.encode(), 1)), HOUR_S)
    return mark_safe(html)


def _key(template: str, about: tuple[object, ...]) -> str:
    identity = repr((template, get_language(), about))
    return hashlib.sha256(identity.encode()).hexdigest()
