"""The log of who signed in and what was refused: by id, without tokens and typed texts."""

import logging

from django.http import HttpRequest

logger = logging.getLogger("security")


def note(event: str, request: HttpRequest, user_id: int | None = None) -> None:
    """Log an event, the name of the page and a user's id: `user_id`, else that of the request."""
    page = request.resolver_match.view_name if request.resolver_match else "no page"
    user = getattr(request, "user", None)
    logger.info("%s: user %s at %s", event, user_id or (user and user.pk), page)
