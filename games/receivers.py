"""Reactions to signals of accounts and chat."""

from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from accounts.members import guests
from accounts.models import User
from accounts.shared.channels import messages_lost
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from accounts.signals import member_activated, member_closing, member_closing_asked
from chat.signals import message_hidden
from games.lessons import progress
from games.lessons import services as lessons
from games.live.open_tables import OPEN_TABLES
from games.selectors import has_live_stake
from games.services import chat
from games.services import guests as guest_matches
from games.signals import guest_leaving


@receiver(member_activated)
def adopt_guest(sender: Any, user_id: int, **_: Any) -> None:
    guest = User.objects.values_list("guest", flat=True).get(pk=user_id)
    if guest is not None:
        guest_matches.adopt(guest, user_id)


@receiver(user_logged_in)
def leave_guest(sender: Any, request: HttpRequest | None, user: User, **_: Any) -> None:
    """Give the guest's matches to the member who signs in, and forget the guest in the session.

    A guest who became the member on another device may have played on in this browser. The matches
    of any other guest stay with that guest: people may share the browser. The guest's invitation
    and search always end. They end before the matches are adopted, so that a match that one of
    them begins meanwhile is adopted too.
    """
    guest = guests.guest_of(request.session) if request is not None else None
    if request is None or guest is None:
        return
    with write_transaction():
        guest_leaving.send(User, guest=guest)
    if guest != user.guest or user.activated_at is None:
        return
    guest_matches.adopt(guest, user.pk)
    del request.session[guests.KEY]


@receiver(user_logged_in)
def keep_lessons(sender: Any, request: HttpRequest | None, user: User, **_: Any) -> None:
    if request is not None and user.is_member:
        progress.save(request.session, user.pk)


@receiver([member_closing, member_closing_asked])
def refuse_closing_while_playing(sender: Any, user_id: int, **_: Any) -> None:
    """Refuse to close the account: the opponent must be able to finish the match and be paid."""
    if has_live_stake(user_id):
        raise Refused(
            "playing",
            why=gettext_lazy("You are in a match for credits. Finish it first."),
        )


@receiver(member_closing)
def forget_lessons(sender: Any, user_id: int, **_: Any) -> None:
    lessons.forget(user_id)


@receiver(messages_lost)
def check_tables(sender: Any, **_: Any) -> None:
    OPEN_TABLES.check_soon()


@receiver(message_hidden)
def take_message_away(sender: Any, message_id: int, **_: Any) -> None:
    chat.withdraw(message_id)
