"""Where allauth asks us."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.utils import build_absolute_uri
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import translate_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language, get_language_from_path, override
from django.utils.translation import gettext_lazy as _

from accounts import throttling
from accounts.address import known_address
from accounts.models import Preferences, User
from accounts.services import sessions

NO_SUCH_PAIR = _("This login and this password do not belong together.")
DEAD_LINK = _("This link is not valid any more.")


class AccountAdapter(DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | {
        # One and the same, whichever of the two is wrong and whatever was typed.
        "username_password_mismatch": NO_SUCH_PAIR,
        "email_password_mismatch": NO_SUCH_PAIR,
        "invalid_login": NO_SUCH_PAIR,
        "invalid_password_reset": DEAD_LINK,
    }

    # --- Limits ------------------------------------------------------------------------------

    def get_client_ip(self, request: HttpRequest) -> str:
        """Limits count by the address that our own proxies saw."""
        return known_address(request)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """By what was typed alone: allauth adds the Host header, whose port anybody may vary."""
        typed: str = credentials.get("email") or credentials.get("username") or ""
        return typed.lower()

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Too many failures: a page of its own, not one more error on the form."""
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError:
            key = self._get_login_attempts_cache_key(request, **credentials)
            raise ImmediateHttpResponse(
                throttling.refuse(request, "login_failed", key)
            ) from None

    def forget_failures(self, request: HttpRequest, user: User) -> None:
        """A new password opens an account that wrong ones have locked."""
        addresses = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
        for typed in (user.get_username(), *addresses):
            self._delete_login_attempts_cached_email(request, username=typed)

    # --- Coming and going --------------------------------------------------------------------

    def is_safe_url(self, url: str) -> bool:
        """Only this site's own addresses are gone back to."""
        request = self.request
        return url_has_allowed_host_and_scheme(url, {request.get_host()}, request.is_secure())

    def login(self, request: HttpRequest, user: User) -> None:
        """The session gets a new key; whoever was signed in under the old one is so no more."""
        before = request.session.session_key
        super().login(request, user)
        if before and before != request.session.session_key:
            sessions.end(before)

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        """Back to the page that one came from, in the language that is now the member's."""
        address = kwargs.get("redirect_url")
        if address:
            with override(get_language_from_path(address) or get_language()):
                kwargs["redirect_url"] = translate_url(address, language_of(user))
        return super().post_login(request, user, **kwargs)

    # --- Letters -----------------------------------------------------------------------------

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """In the receiver's language; who is not known here gets the language of the page."""
        user = context.get("user") or _owner(email)
        more = {"user": user, "site_url": build_absolute_uri(self.request, "/")}
        with override(language_of(user)):
            super().send_mail(template_prefix, email, {**more, **context})


class SocialAdapter(DefaultSocialAccountAdapter):
    pass


def language_of(user: User | None) -> str:
    """What a member has chosen, else what the page speaks."""
    chosen = Preferences.objects.filter(user=user).values_list("language", flat=True).first()
    return chosen or get_language() or ""


def _owner(email: str) -> User | None:
    known = EmailAddress.objects.filter(email=email.lower()).order_by("-verified")
    address = known.select_related("user").first()
    return address.user if address else None
