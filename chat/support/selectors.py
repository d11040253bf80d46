"""Queries for requests to support."""

from uuid import UUID

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
    return own.select_related("merged_into", "user").first()


def find_by_token(token: str) -> Ticket | None:
    """Return the request of an emailed link, or the one it was merged into, else None."""
    try:
        public_id = _SIGNER.unsign(token)
    except BadSignature:
        return None
    rows = Ticket.objects.select_related("user", "merged_into__user")
    found = rows.filter(public_id=public_id).first()
    return found.merged_into or found if found else None


def is_link_of(token: str, ticket: Ticket) -> bool:
    """Return whether the link names this request itself, not one that was merged into it."""
    return _SIGNER.unsign(token) == ticket.public_id


def address_of(ticket: Ticket) -> str:
    """Return the path of the request's page: a member's own, or that of the signed link.

    Senders who have no account or are banned cannot sign in; they read their request by the link.
    """
    if may_sign_in(ticket):
        return reverse("support:ticket", args=[ticket.public_id])
    return reverse("support:by_link", args=[_SIGNER.sign(ticket.public_id)])


def may_sign_in(ticket: Ticket) -> bool:
    """Return whether the request is that of a member who can sign in to read it."""
    return ticket.user is not None and ticket.user.is_active


def has_request(once: UUID) -> bool:
    """Return whether the form of a new request with this `once` was stored before."""
    return Ticket.objects.filter(once=once).exists()


def has_message(once: UUID) -> bool:
    """Return whether a message with this `once` was stored before."""
    return TicketMessage.objects.filter(once=once).exists()


def newest_message() -> int:
    """Return the id of the newest message of all requests; 0 if there is none."""
    newest = TicketMessage.objects.order_by("-pk").values_list("pk", flat=True).first()
    return newest or 0


def messages_of(ticket: Ticket) -> QuerySet[TicketMessage]:
    return ticket.messages.select_related("staff")


def belonging_to(user: User) -> Q:
    """Return the condition for a member's requests, also those sent by email address alone."""
    return Q(user=user) | Q(email=user.email) if user.email else Q(user=user)
