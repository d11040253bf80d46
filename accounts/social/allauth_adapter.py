"""allauth's adapter for sign-in through other sites."""

import logging
from contextlib import suppress
from typing import Any

from allauth.account.internal.emailkit import valid_email_or_none
from allauth.account.utils import get_login_redirect_url
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import (
    DefaultSocialAccountAdapter,
    _build_apps_from_settings,
)
from allauth.socialaccount.internal.flows.login import record_authentication
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialLogin
from allauth.socialaccount.providers.base import AuthProcess
from django.contrib import messages
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.members.guests import guest_of
from accounts.models import User
from accounts.shared.rate_limits import TooMany
from accounts.shared.reauthentication import ask
from accounts.social import added_email, services, sites

logger = logging.getLogger(__name__)


class SocialAdapter(DefaultSocialAccountAdapter):
    error_messages = DefaultSocialAccountAdapter.error_messages | {
        "no_password": _("Set a password first: this is your only way to sign in."),
        "no_verified_email": _(
            "Add an email first: without one, you cannot replace a lost password."
        ),
        "connected_other": _(
            "Your account at the other site is already connected to another account here."
        ),
    }

    def list_apps(
        self, request: HttpRequest, provider: str | None = None, client_id: str | None = None
    ) -> list[SocialApp]:
        """Use the apps of the settings only, never those of the database."""
        found = _build_apps_from_settings(provider=provider, client_id=client_id)
        return [app for apps in found.values() for app in apps]

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Confirm a signed-in member who comes back as themselves, without a new sign-in.

        A member who comes back as somebody else is asked again. In both cases allauth would sign
        the member out first: their table would close, and their device would get no more notices.
        """
        is_sign_in = sociallogin.state.get("process") == AuthProcess.LOGIN
        if not is_sign_in or not request.user.is_authenticated:
            return
        back = get_login_redirect_url(request, sociallogin.get_redirect_url(request))
        if sociallogin.is_existing and request.user == sociallogin.user:
            record_authentication(request, sociallogin)
            raise ImmediateHttpResponse(redirect(back))
        text = gettext("That %(site)s account is not connected to your account here.")
        messages.error(request, text % {"site": sites.name_of(sociallogin.account.provider)})
        raise ImmediateHttpResponse(ask(back))

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: Any) -> User:
        """Keep only the person's ID at the other site; the form suggests the email known there."""
        sociallogin.account.extra_data = {}
        sociallogin.phone = None
        sociallogin.email_addresses = []
        user: User = sociallogin.user
        user.email = valid_email_or_none(data.get("email")) or ""
        return user

    def save_user(self, request: HttpRequest, sociallogin: SocialLogin, form: Any = None) -> User:
        """Activate at once: the other site vouches for the person."""
        user: User = sociallogin.user
        user.username, user.email = form.cleaned_data["username"], ""
        user.guest = guest_of(request.session)
        accepted = form.cleaned_data.get("accepts")
        services.sign_up(user, sociallogin.account, accepted, timezone.now())
        email = form.cleaned_data.get("email")
        if email:
            # Above the limits nothing is sent; the member can add the address later.
            with suppress(TooMany):
                added_email.offer(request, user, email)
        return user

    def validate_disconnect(self, account: SocialAccount, accounts: Any) -> None:
        """Keep one way of signing in that works: other connections may be to sites without keys."""
        others = accounts.exclude(pk=account.pk).values_list("provider", flat=True)
        if not account.user.has_usable_password() and not any(map(sites.is_on, others)):
            raise self.validation_error("no_password")

    def on_authentication_error(self, request: HttpRequest, provider: Any, **what: Any) -> None:
        logger.info(
            "no sign-in through %s: %s", provider.id, what.get("exception") or what["error"]
        )
