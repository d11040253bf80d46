"""A urllib handler that follows no redirect: the opener raises HTTPError instead."""

import urllib.request
from typing import Any


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any) -> None:
        return None
