"""allauth's adapter for accounts: limits, sign-in, emails."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.utils import build_absolute_uri
from django.http import HttpRequest, HttpResponse
from django.urls import reverse, translate_url
from django.utils.translation import get_language, get_language_from_path, override
from django.utils.translation import gettext_lazy as _

from accounts.mail.backend import emails_of
from accounts.models import Preferences, User
from accounts.second_factor import limits as second_factor_limits
from accounts.sessions import services as sessions
from accounts.shared import rate_limits
from accounts.shared.client_address import known_address
from accounts.shared.own_urls import is_own
from accounts.signin import attempts, known_devices
from accounts.signup.allauth_hooks import SignUpHooks
from accounts.signup.login_rules import normalize_email
from accounts.times.zones import written_for

NO_SUCH_PAIR = _("Wrong login or password.")
DEAD_LINK = _("This link is no longer valid.")
BANNED = "banned"  # session key: the id of the banned user who has just proved who they are


class AccountAdapter(SignUpHooks, DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | {
        # The same text for a wrong login and a wrong password, so that neither is revealed.
        "username_password_mismatch": NO_SUCH_PAIR,
        "email_password_mismatch": NO_SUCH_PAIR,
        "invalid_login": NO_SUCH_PAIR,
        "invalid_password_reset": DEAD_LINK,
    }

    # --- Limits ------------------------------------------------------------------------------

    def get_client_ip(self, request: HttpRequest) -> str:
        """Count limits by the address that our own proxies saw."""
        return known_address(request)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count the attempt; beyond the limit, answer with a page instead of a form error.

        allauth takes the count back after a right password.
        """
        typed = credentials.get("email") or credentials.get("username") or ""
        try:
            usage = rate_limits.count(request, attempts.of_sign_in(request, typed))
        except rate_limits.TooMany as error:
            refusal = rate_limits.refuse(request, error.limit.action, error.limit.key)
            raise ImmediateHttpResponse(refusal) from None
        self._login_failed_rl_usage = usage

    def forget_failures(self, request: HttpRequest, user: User) -> None:
        """Unlock an account after its password was changed."""
        addresses = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
        attempts.forget_failures(request, [user.get_username(), *addresses])
        second_factor_limits.forget(request, user)

    # --- Sign-in ----------------------------------------------------------------------------

    def get_login_stages(self) -> list[str]:
        """Ask for the second step last, by our own stage in place of allauth's."""
        stages = [each for each in super().get_login_stages() if ".mfa." not in each]
        return [*stages, "accounts.second_factor.stage.SecondFactorStage"]

    def is_ajax(self, request: HttpRequest) -> bool:
        """Answer with pages only."""
        return False

    def is_safe_url(self, url: str) -> bool:
        """Redirect only to this host."""
        return is_own(self.request, url)

    def login(self, request: HttpRequest, user: User) -> None:
        """Rotate the session key and end the old session."""
        before = request.session.session_key
        super().login(request, user)
        if before and before != request.session.session_key:
            sessions.end(before)

    def respond_user_inactive(self, request: HttpRequest, user: User) -> HttpResponse:
        """Let the next page tell the owner of a banned account what was decided about it."""
        request.session[BANNED] = user.pk
        response: HttpResponse = super().respond_user_inactive(request, user)
        return response

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        """Return to the previous page in the member's language; remember the device."""
        url = kwargs.get("redirect_url")
        if url:
            with override(get_language_from_path(url) or get_language()):
                kwargs["redirect_url"] = translate_url(url, language_of(user))
        response: HttpResponse = super().post_login(request, user, **kwargs)
        known_devices.remember(request, response, user.pk)
        return response

    # --- Email ------------------------------------------------------------------------------

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Write in the receiver's language and zone, or the page's if the address is unknown."""
        user = context.get("user") or _owner(email)
        more = {
            "user": user,
            "site_url": build_absolute_uri(self.request, "/"),
            "password_reset_page": build_absolute_uri(
                self.request, reverse("account_reset_password")
            ),
        }
        preferences = Preferences.objects.filter(user=user).first()
        account = emails_of(user.pk if user else None)
        with override(language_of(user)), written_for(preferences), account:
            super().send_mail(template_prefix, email, {**more, **context})


def language_of(user: User | None) -> str:
    """Return the member's chosen language, else the active one."""
    chosen = Preferences.objects.filter(user=user).values_list("language", flat=True).first()
    return chosen or get_language() or ""


def _owner(email: str) -> User | None:
    known = EmailAddress.objects.filter(email=normalize_email(email), verified=True)
    address = known.select_related("user").first()
    return address.user if address else None
