"""What a person is called on pages."""

from django.utils.translation import gettext

from accounts.models import User


def shown_name(user: User) -> str:
    """The login; of a closed account, only that it is one."""
    return gettext("Closed account") if user.closed_at else user.get_username()
