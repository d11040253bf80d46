"""Send text compressed: pages shrink to a fifth. Static files are compressed beforehand."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

COMPRESSED = ("text/", "application/json", "application/manifest+json")


class Compression(GZipMiddleware):
    """Compress whole texts; pictures and streams are sent as they are.

    The size of a compressed page reveals little about the secrets in it: Django masks CSRF tokens
    differently each time and adds up to 100 random bytes.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if response.streaming or not response.get("Content-Type", "").startswith(COMPRESSED):
            return response
        return super().process_response(request, response)
