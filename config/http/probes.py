"""Let a balancer or a container ask for the health of a process by its address."""

from django.conf import settings

from config.http.asgi_scope import Application, Receive, Scope, Send

PROBES = frozenset({"/healthz", "/readyz"})


class ProbesByAddress:
    """Give the two health pages a host of the site: Django refuses `Host: 127.0.0.1:8000`.

    Neither page writes the host anywhere.
    """

    def __init__(self, inner: Application) -> None:
        self._inner = inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        allowed = settings.ALLOWED_HOSTS
        # With "*" every host is allowed, but the star itself is no name of a host.
        if scope.get("path") in PROBES and allowed and "*" not in allowed:
            host = allowed[0].lstrip(".").encode()
            others = [(name, value) for name, value in scope["headers"] if name != b"host"]
            scope = {**scope, "headers": [*others, (b"host", host)]}
        await self._inner(scope, receive, send)
