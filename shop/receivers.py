"""Receivers of the account signals."""

from typing import Any

from django.dispatch import receiver
from django.utils.translation import gettext_lazy as _

from accounts.shared.refusals import Refused
from accounts.signals import member_closing, member_closing_asked
from shop.payments import selectors


@receiver([member_closing, member_closing_asked])
def refuse_closing_while_a_payment_is_open(sender: Any, user_id: int, **more: Any) -> None:
    """Refuse to close an account whose payment may still come; a debt does not prevent closing."""
    if selectors.has_open_payment(user_id):
        raise Refused(
            "payment_open",
            why=_(
                "One of your payments is still open. You can close the account once it is "
                "settled, in an hour at most."
            ),
        )
