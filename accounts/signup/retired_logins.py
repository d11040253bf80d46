"""Logins of closed accounts, which nobody can take again.

Others would mistake a new owner of the login for the old one. So the row of a closed account has a
keyed hash of its login instead, which can be compared but not reversed. The keys are
IDENTITY_KEYS: the first makes new hashes; lookups try all of them.
"""

from django.conf import settings
from django.utils.crypto import salted_hmac

from accounts.models import User

# No login can have a hyphen, or be as long as a name with this beginning.
_CLOSED = "closed-"


def retired_name(login: str) -> str:
    """Return the username of a closed account; as unique as the login was."""
    return _name(login, settings.IDENTITY_KEYS[0])


def is_retired(login: str) -> bool:
    names = [_name(login, key) for key in settings.IDENTITY_KEYS]
    return User.objects.filter(username__in=names).exists()


def _name(login: str, key: str) -> str:
    mark = salted_hmac("accounts.closed_login", login.lower(), secret=key)
    return _CLOSED + mark.hexdigest()[:32]
