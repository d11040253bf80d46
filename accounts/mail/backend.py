"""Django's email backend of this site: store each email for the worker to send."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone
from django.utils.translation import get_language

from accounts.mail.sender import EMAILS, UNSUBSCRIBE
from accounts.models import OutgoingEmail
from accounts.shared import deadlines

_account: ContextVar[int | None] = ContextVar("account", default=None)


@contextmanager
def emails_of(user_id: int | None) -> Iterator[None]:
    """Store the emails written in this block as those of the account.

    Inside another such block, the emails belong to the outer block's account, if it has one.
    """
    token = _account.set(_account.get() or user_id)
    try:
        yield
    finally:
        _account.reset(token)


class StoringBackend(BaseEmailBackend):
    """Store in the caller's transaction: a rollback sends nothing."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        now = timezone.now()
        emails = [
            OutgoingEmail(
                to=to,
                user_id=_account.get(),
                subject=str(message.subject),
                text=str(message.body),
                language=get_language() or "",
                unsubscribe_url=message.extra_headers.get(UNSUBSCRIBE, "").strip("<>"),
                created_at=now,
                due_at=now,
            )
            for message in email_messages
            for to in message.recipients()
        ]
        OutgoingEmail.objects.bulk_create(emails)
        deadlines.note(EMAILS, now)
        return len(emails)
