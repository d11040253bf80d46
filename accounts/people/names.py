"""Names of members on pages."""

from django.utils.translation import gettext

from accounts.models import User


def shown_name(user: User) -> str:
    """Return the username, or a neutral text for a closed account."""
    return gettext("Closed account") if user.closed_at else user.get_username()
