"""Warn a member who signs out while their announced game waits."""

from collections.abc import Iterator
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.sessions.unfinished import Unfinished
from lobby import selectors


def unfinished(user: User, now: datetime) -> Iterator[Unfinished]:
    seek = selectors.open_seek_of(user)
    if seek is not None:
        text = _(
            "Your open game keeps waiting. If someone joins and you are not back within 30 "
            "seconds, the match is called off, and this goes on your record."
        )
        url = reverse("lobby:seek", args=[seek.public_id])
        yield Unfinished(text, url, _("Back to the waiting room"))
