"""What every page request passes beside Django's own middleware. Sockets: config/guard.py."""

import secrets
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import get_language_from_path

from config import logs


class LogIds(MiddlewareMixin):
    """Every log line of a request bears its id; a page of a match also the match's."""

    def process_request(self, request: HttpRequest) -> None:
        logs.request_id.set(secrets.token_hex(6))
        logs.match_id.set("")

    def process_view(
        self,
        request: HttpRequest,
        view: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> None:
        logs.match_id.set(kwargs.get("public_id", ""))

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        response["X-Request-Id"] = logs.request_id.get()
        return response


class LanguageFollowsAddress(MiddlewareMixin):
    """Reading /ru/ and going on to a page without a language in its address stays Russian."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        language = get_language_from_path(request.path_info)
        is_page = response.status_code == 200 and request.method == "GET"
        if language and is_page and request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME) != language:
            response.set_cookie(
                settings.LANGUAGE_COOKIE_NAME,
                language,
                max_age=settings.LANGUAGE_COOKIE_AGE,
                secure=settings.LANGUAGE_COOKIE_SECURE,
                samesite="Lax",
            )
        return response
