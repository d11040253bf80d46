"""Requests to support for tests, created by the services."""

from datetime import datetime
from uuid import UUID, uuid4

from django.utils import timezone

from accounts.models import User
from chat.models import Ticket
from chat.support import handling, services
from chat.support.selectors import address_of
from chat.support.services import NO_DETAILS, Details, Question


def asked(
    sender: User | str,
    text: str = "My credits are gone.",
    *,
    topic: Ticket.Topic = Ticket.Topic.CREDITS,
    language: str = "en",
    room: str = "",
    details: Details = NO_DETAILS,
    once: UUID | None = None,
    now: datetime | None = None,
) -> Ticket:
    question = Question(topic, text, language, once or uuid4(), room, details)
    return services.ask(sender, question, now or timezone.now())


def answered(ticket: Ticket, staff: User, text: str = "We are sorry.") -> Ticket:
    handling.answer(ticket, staff, text, uuid4(), timezone.now())
    ticket.refresh_from_db()
    return ticket


def token_of_request(ticket: Ticket) -> str:
    """Return the token of the link that somebody without an account gets by email."""
    return address_of(ticket).rstrip("/").rpartition("/")[2]
