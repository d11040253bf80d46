"""Notices by email, and the link in each that unsubscribes from all of them."""

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.signing import BadSignature, Signer
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import override

from accounts.mail.backend import emails_of
from accounts.mail.sender import UNSUBSCRIBE
from accounts.mail.site_url import site_url
from accounts.models import Notice, User
from accounts.notices.texts import words
from accounts.times.zones import written_for

_SIGNER = Signer(salt="accounts.notices.stop")


def write(user: User, notice: Notice) -> None:
    """Store the email in the caller's transaction."""
    preferences = user.preferences
    with override(preferences.language or settings.LANGUAGE_CODE), written_for(preferences):
        title, text = words(notice, names_offset=True)
        stop_url = site_url() + reverse("people:stop_emails", args=[token_of(user)])
        context = {
            "user": user,
            "site_url": site_url(),
            "text": text,
            "url": site_url() + notice.path,
            "stop_url": stop_url,
        }
        body = render_to_string("profile/notice_email.txt", context).strip()
        message = EmailMessage(title, body, to=[user.email], headers={UNSUBSCRIBE: f"<{stop_url}>"})
        with emails_of(user.pk):
            message.send()


def token_of(user: User) -> str:
    return _SIGNER.sign(user.public_id)


def find_user(token: str) -> User | None:
    """Return the member whom a link names; None if we did not sign it or the account is closed."""
    try:
        public_id = _SIGNER.unsign(token)
    except BadSignature:
        return None
    return User.objects.filter(public_id=public_id, closed_at__isnull=True).first()
