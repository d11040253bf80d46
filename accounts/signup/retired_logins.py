"""Logins of closed accounts, which nobody can take again.

Others would mistake a new owner of the login for the old one. So the row of a closed account has a
keyed fingerprint of its login instead, which can be compared but not reversed.
"""

from django.utils.crypto import salted_hmac

from accounts.models import User

# No login can have a hyphen or this length.
_CLOSED = "closed-"


def retired_name(login: str) -> str:
    """Return the username of a closed account; as unique as the login was."""
    return _CLOSED + salted_hmac("accounts.closed_login", login.lower()).hexdigest()[:32]


def is_retired(login: str) -> bool:
    return User.objects.filter(username=retired_name(login)).exists()
