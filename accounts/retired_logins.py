"""Logins of closed accounts: given to nobody else.

Who knew a person by the login would take the next one for him. So the row of a closed account
bears a fingerprint of its login instead: the login cannot be read from it, only asked for.
"""

from django.utils.crypto import salted_hmac

from accounts.models import User

# No login has a hyphen, nor as many characters.
_CLOSED = "closed-"


def retired_name(login: str) -> str:
    """What stands in place of the login of a closed account; as unique as the login was."""
    return _CLOSED + salted_hmac("accounts.closed_login", login.lower()).hexdigest()[:32]


def is_retired(login: str) -> bool:
    return User.objects.filter(username=retired_name(login)).exists()
