"""The site's middleware for page requests. For sockets see config/sockets/guard.py."""

import secrets
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, ClassVar
from urllib.parse import urljoin

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, resolve_url
from django.utils.cache import add_never_cache_headers
from django.utils.deprecation import MiddlewareMixin
from django.utils.encoding import iri_to_uri
from django.utils.translation import get_language_from_path

from accounts.shared import refusals
from accounts.shared.logs import ids as log_ids
from accounts.shared.own_urls import with_return
from config.return_urls import form_page, partials_page


class LogIds(MiddlewareMixin):
    """Give every log line the request's id, and the match's id on a page of a match.

    The user's id is set when a view first reads the user (accounts/sessions/signed_in.py).
    """

    def process_request(self, request: HttpRequest) -> None:
        log_ids.request_id.set(secrets.token_hex(6))
        log_ids.user_id.set("")
        log_ids.match_id.set("")

    def process_view(
        self,
        request: HttpRequest,
        view: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> None:
        # Outside of games `public_id` is not a match's: it may be a secret, as of an invitation,
        # and may contain a line break. A match's `public_id` is a slug, which contains none.
        found = request.resolver_match
        if found is not None and found.namespace == "games":
            log_ids.match_id.set(kwargs.get("public_id", ""))

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        response["X-Request-Id"] = log_ids.request_id.get()
        return response


class OwnPagesOnly(MiddlewareMixin):
    """Keep other sites from loading our answers, even as images: an answer may be private."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        return response


class RefusalCodes(MiddlewareMixin):
    """Give every answer 422 or 429 a code for programs, unless the view has set one."""

    _CODES: ClassVar = {422: "invalid", 429: "too_fast"}

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        code = self._CODES.get(response.status_code)
        if code is not None:
            response.headers.setdefault(refusals.HEADER, code)
        return response


class NoNulls(MiddlewareMixin):
    """Answer 400 to a NUL in path, query or form: a lookup with it fails on PostgreSQL.

    Leave the body to views that are exempt from CSRF (uploads, answers of other sites).
    """

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> None:
        is_read = request.method == "POST" and not getattr(view, "csrf_exempt", False)
        texts = [
            request.path_info,
            *_texts(request.GET),
            *(_texts(request.POST) if is_read else ()),
        ]
        if any("\0" in text for text in texts):
            raise SuspiciousOperation("NUL in a request")


def _texts(given: QueryDict) -> Iterator[str]:
    for name, values in given.lists():
        yield name
        yield from values


class SiteAddress(MiddlewareMixin):
    """Begin every absolute link with SITE_URL, because the client chooses the Host header.

    The middleware replaces a method of the request, since allauth and Django make links too.
    """

    def process_request(self, request: HttpRequest) -> None:
        if settings.SITE_URL:
            absolute = partial(absolute_uri, request)
            request.build_absolute_uri = absolute  # type: ignore[method-assign]


def absolute_uri(request: HttpRequest, location: str | None = None) -> str:
    """Do what `HttpRequest.build_absolute_uri` does, with SITE_URL as the origin."""
    here = settings.SITE_URL + request.get_full_path()
    return iri_to_uri(here if location is None else urljoin(here, location))


class LanguageCookie(MiddlewareMixin):
    """Remember the language for pages whose URL does not name one.

    A member's language is set at sign-in (config/receivers.py); opening a page in another language
    does not change it. A visitor gets the language of the last page whose URL names one.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        language = getattr(request, "members_language", None) or self._of_page(request, response)
        if language and request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME) != language:
            remember_language(response, language)
        return response

    def _of_page(self, request: HttpRequest, response: HttpResponse) -> str | None:
        if response.status_code != 200 or request.method != "GET":
            return None
        is_chosen = settings.LANGUAGE_COOKIE_NAME in request.COOKIES and is_signed_in(request)
        return None if is_chosen else get_language_from_path(request.path_info)


def remember_language(response: HttpResponse, language: str) -> None:
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        samesite="Lax",
    )


class MembersPages(MiddlewareMixin):
    """Keep members' pages out of caches; if the session has ended, lead back after signing in.

    Without `no-store` the browser's "back" button would show the pages to the device's next user.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if leads_to_sign_in(response):
            response = sign_in_from(request, response)
        if not response.has_header("Cache-Control") and is_signed_in(request):
            add_never_cache_headers(response)
        return response


def sign_in_from(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Redirect to the sign-in, which leads back to a page and not to a partial or a form's URL."""
    if request.htmx:  # type: ignore[attr-defined]
        # htmx cannot put the whole sign-in page in place of a partial: the browser has to load it.
        address = sign_in_address(partials_page(request) or "/")
        return HttpResponse(status=204, headers={"HX-Redirect": address})
    back = form_page(request)
    return redirect(sign_in_address(back)) if back else response


def sign_in_address(back: str) -> str:
    return with_return(resolve_url(settings.LOGIN_URL), back)


def is_signed_in(request: HttpRequest) -> bool:
    """Return whether a member is signed in; False, with no query, if the session was not read."""
    session = getattr(request, "session", None)
    return bool(session is not None and session.accessed and request.user.is_authenticated)


def leads_to_sign_in(response: HttpResponse) -> bool:
    sign_in = resolve_url(settings.LOGIN_URL)
    return response.status_code == 302 and response["Location"].split("?")[0] == sign_in
