"""Send no body in answer to HEAD.

Django sends one, and Daphne drops its first piece only: the rest would be read as the next answer
of the connection.
"""

from config.http.asgi_scope import Application, Event, Receive, Scope, Send


class WithoutBody:
    """End each answer to HEAD after its headers."""

    def __init__(self, inner: Application) -> None:
        self._inner = inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._inner(scope, receive, _headers_of(send) if scope["method"] == "HEAD" else send)


def _headers_of(send: Send) -> Send:
    async def send_headers(message: Event) -> None:
        if message["type"] != "http.response.body":
            await send(message)
        elif not message.get("more_body", False):
            await send({"type": "http.response.body", "body": b""})

    return send_headers
