"""The exception of services that decline a request."""

from typing import Any, TypeVar

from django.http import HttpResponseBase

# The response header with the code of the refusal, for programs.
HEADER = "Refusal"
Response = TypeVar("Response", bound=HttpResponseBase)


class Refused(Exception):
    """A service declined the request; nothing has changed.

    `code` is for programs: sockets send it, pages put it into words. `details` say more, such as
    the reason code of a rule; on a socket they must be JSON-safe. Subclass it only where callers
    catch one case apart from the others.
    """

    def __init__(self, code: str, **details: Any) -> None:
        super().__init__(code)
        self.code = code
        self.details = details

    def __str__(self) -> str:
        return f"{self.code} {self.details}" if self.details else self.code

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of an error frame."""
        return {"code": self.code, **self.details}


def marked(response: Response, code: str) -> Response:
    """Return the response with the refusal's code in its header."""
    response.headers[HEADER] = code
    return response
