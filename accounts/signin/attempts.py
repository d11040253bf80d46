"""The limits against which an attempt to sign in or to ask for a new password counts.

A typed login or email is counted together with the network that it comes from, so that strangers
elsewhere cannot lock the owner out. All networks together have a higher limit, against guessing
from many networks.
"""

from django.http import HttpRequest

from accounts.mail.mailboxes import one_mailbox
from accounts.shared import rate_limits
from accounts.shared.rate_limits import Limit
from accounts.signin.known_devices import device_of, typed_key


def of_sign_in(request: HttpRequest, typed: str) -> list[Limit]:
    return _limits(request, typed, "login_failed")


def of_reset(request: HttpRequest, email: str) -> list[Limit]:
    # All spellings of a mailbox count together: even a mailbox without an account gets the email.
    mailbox = one_mailbox(typed_key(email))
    return _limits(request, email, "reset_password", mailbox)


def forget_failures(request: HttpRequest, names: list[str]) -> None:
    """Reset the counts of wrong passwords for an account's names, on this network and on all.

    The count of the network for all names stays: attempts from there may concern other accounts.
    """
    for typed in names:
        for limit in (*of_sign_in(request, typed), *_of_network(request, typed, "login_failed")):
            rate_limits.forget(request, limit)


def _limits(
    request: HttpRequest, typed: str, action: str, counted: str | None = None
) -> list[Limit]:
    """Return limits by the device if it is known, else by `counted`, else by the typed name."""
    device = device_of(request, typed)
    if device is None:
        return _of_network(request, counted or typed, action)
    return [Limit(f"{action}_known", f"{typed_key(typed)} on {device}")]


def _of_network(request: HttpRequest, typed: str, action: str) -> list[Limit]:
    key = typed_key(typed)
    here = rate_limits.from_network(request, key)
    return [Limit(action, here), Limit(f"{action}_anywhere", key)]
