"""What the site as a whole does when somebody signs in."""

from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.translation import activate, get_language

from accounts.models import User
from accounts.profile import preferences
from accounts.selectors import preferences_of


@receiver(user_logged_in)
def speak_his_language(sender: Any, request: HttpRequest, user: User, **_: Any) -> None:
    """The rest of the answer, and by its cookie all that follow, are in the member's language.

    Who has chosen none yet is taken by the page that he signs in on.
    """
    language = preferences_of(user).language
    if not language:
        language = (get_language() or "")[:2]
        preferences.choose(user.pk, language=language)
    activate(language)
    request.members_language = language  # type: ignore[attr-defined]
