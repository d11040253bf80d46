"""The page for a lost connection and the service worker that keeps it on the device.

The service worker keeps only this page and its hashed files, so that no page is stale after a
deploy. Both URLs name the language of the page that asked, since the kept page may be shown at any
URL.
"""

import hashlib
import json

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.safestring import mark_safe
from django.utils.translation import override
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_cookie

from accounts.shared.prose import reader_language
from config.storage import needed_by, styles_of

# Files that templates/offline.html and its parent load; `service_worker` adds the base styles and
# the imports of the script.
SCRIPT = "js/site/offline.js"
FILES = ("img/icon.svg", SCRIPT)
ICON = "img/icon-192.png"  # icon of pushed notices


@vary_on_cookie
@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Render without the request: the page stays on the device, where others may see it."""
    return _never_stale(HttpResponse(_page(_language(request))))


@vary_on_cookie
@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the script; it changes with the page and its files, so that browsers replace it."""
    language = _language(request)
    page = f"{reverse('offline')}?language={language}"
    files = [static(name) for name in (*FILES, *styles_of("base"), *needed_by(SCRIPT))]
    kept = json.dumps([language, _page(language), files])
    cache = f"offline-{hashlib.sha256(kept.encode()).hexdigest()[:16]}"
    # Safe: all names and paths are the site's, none come from the visitor.
    names = {"cache": cache, "page": page, "files": files, "icon": static(ICON)}
    worker = mark_safe(json.dumps(names))
    script = render_to_string("service_worker.js", {"worker": worker})
    return _never_stale(HttpResponse(script, content_type="text/javascript; charset=utf-8"))


def _page(language: str) -> str:
    with override(language):
        return render_to_string("offline.html")


def _language(request: HttpRequest) -> str:
    asked = request.GET.get("language", "")
    return asked if asked in dict(settings.LANGUAGES) else reader_language()


def _never_stale(response: HttpResponse) -> HttpResponse:
    patch_cache_control(response, no_cache=True)
    return response
