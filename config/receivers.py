"""Apply the member's language at sign-in."""

from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.translation import activate, get_language

from accounts.models import User
from accounts.profile import preferences
from accounts.selectors import preferences_of


@receiver(user_logged_in)
def use_members_language(sender: Any, request: HttpRequest, user: User, **_: Any) -> None:
    """Use the member's language for this answer and, by a cookie, for all later ones.

    A member without a language gets that of the sign-in page.
    """
    language = preferences_of(user).language
    if not language:
        language = get_language() or ""
        preferences.choose(user.pk, language=language)
    activate(language)
    request.members_language = language  # type: ignore[attr-defined]
