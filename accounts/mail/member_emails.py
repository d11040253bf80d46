"""Emails to a member about their account, payments and requests, in their language and time zone.

`write_to` writes to a person without an account, about their request to support.
"""

from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.utils.translation import get_language, override

from accounts.mail.backend import emails_of
from accounts.mail.site_url import site_url
from accounts.models import User
from accounts.times.zones import written_for


def write(user_id: int, name: str, context: dict[str, Any]) -> None:
    """Write the email of `templates/account/notices/<name>_*.txt`; it is sent after the commit.

    Nothing is written for a member without an email address, who finds the same news on the site.
    """
    user = User.objects.select_related("preferences").get(pk=user_id)
    if not user.email:
        return
    language = user.preferences.language or get_language() or settings.LANGUAGE_CODE
    with override(language), written_for(user.preferences), emails_of(user.pk):
        _send(user.email, name, {"user": user, **context})


def write_to(email: str, language: str, name: str, context: dict[str, Any]) -> None:
    """Write an email to somebody without an account; their time zone is not known."""
    with override(language):
        _send(email, name, context)


def _send(email: str, name: str, context: dict[str, Any]) -> None:
    full = {"site_url": site_url(), **context}
    subject = render_to_string(f"account/notices/{name}_subject.txt", full).strip()
    text = render_to_string(f"account/notices/{name}_message.txt", full).strip()
    EmailMessage(subject, text, to=[email]).send()
