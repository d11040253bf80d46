"""What games does when others announce something."""

from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest

from accounts import guests
from accounts.models import User
from accounts.signals import member_activated
from chat.signals import message_hidden
from games.services import adoption, talking


@receiver(member_activated)
def adopt_guest(sender: Any, user_id: int, **_: Any) -> None:
    guest = User.objects.values_list("guest", flat=True).get(pk=user_id)
    if guest is not None:
        adoption.adopt(guest, user_id)


@receiver(user_logged_in)
def leave_guest(sender: Any, request: HttpRequest | None, user: User, **_: Any) -> None:
    """The browser that was the guest is the member's now: it is no guest any more.

    What it played between the activation on another device and this sign-in comes along. Another
    guest's matches do not: the browser may be somebody else's.
    """
    guest = guests.guest_of(request.session) if request is not None else None
    if request is None or guest is None or guest != user.guest or user.activated_at is None:
        return
    adoption.adopt(guest, user.pk)
    del request.session[guests.KEY]


@receiver(message_hidden)
def take_message_away(sender: Any, message_id: int, **_: Any) -> None:
    talking.tell_hidden(message_id)
