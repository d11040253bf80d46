"""Emails to the sender of a request, in the language in which they wrote."""

from typing import Any

from accounts.mail import member_emails
from chat.models import Ticket
from chat.support.selectors import address_of


def confirm(ticket: Ticket) -> None:
    """Send the link to somebody without an account.

    The email quotes nothing of what they wrote, because the mailbox may be another person's.
    """
    _write(ticket, "support_received")


def tell_answer(ticket: Ticket, text: str) -> None:
    _write(ticket, "support_answered", answer=text)


def _write(ticket: Ticket, name: str, **context: Any) -> None:
    context = {"path": address_of(ticket), **context}
    if ticket.user_id is None:
        member_emails.write_to(ticket.email, ticket.language, name, context)
    else:
        member_emails.write(ticket.user_id, name, context)
