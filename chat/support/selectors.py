"""Queries for requests to support."""

from django.core.signing import BadSignature, Signer
from django.db.models import Q, QuerySet
from django.urls import reverse

from accounts.models import User
from chat.models import Ticket, TicketMessage

_SIGNER = Signer(salt="chat.support.ticket")


def tickets_of(user_id: int) -> QuerySet[Ticket]:
    """Return a member's requests, the latest first; those merged into another are left out."""
    return Ticket.objects.filter(user_id=user_id, merged_into__isnull=True)


def find_own(user_id: int, public_id: str) -> Ticket | None:
    own = Ticket.objects.filter(user_id=user_id, public_id=public_id)
    return own.select_related("merged_into").first()


def find_by_token(token: str) -> Ticket | None:
    """Return the request of an emailed link, or the one it was merged into, else None.

    Only senders without an account get such a link; members sign in.
    """
    try:
        public_id = _SIGNER.unsign(token)
    except BadSignature:
        return None
    without_account = Ticket.objects.filter(user__isnull=True, public_id=public_id)
    found = without_account.select_related("merged_into").first()
    return found.merged_into or found if found else None


def address_of(ticket: Ticket) -> str:
    """Return the path of the request's page: a member's own, or that of the signed link."""
    if ticket.user_id is not None:
        return reverse("support:ticket", args=[ticket.public_id])
    return reverse("support:by_link", args=[_SIGNER.sign(ticket.public_id)])


def messages_of(ticket: Ticket) -> QuerySet[TicketMessage]:
    return ticket.messages.select_related("staff")


def belonging_to(user: User) -> Q:
    """Return the condition for a member's requests, also those sent by email address alone."""
    return Q(user=user) | Q(email=user.email) if user.email else Q(user=user)
