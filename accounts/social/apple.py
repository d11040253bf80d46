"""Receive Apple's answer: unlike those of other sites, it is a form that Apple's page sends."""

from typing import Any

from allauth.socialaccount.models import SocialLogin, SocialToken
from allauth.socialaccount.providers.apple.views import AppleOAuth2Adapter
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView, OAuth2LoginView
from allauth.utils import get_request_param
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

LONGEST = 2000  # characters of one value


class AppleAdapter(AppleOAuth2Adapter):
    """Ask Apple's server for the id token, so that nothing of the browser's form is stored.

    allauth stores the form in a new session; anybody could fill the database that way.
    """

    login_cancelled_error = "user_cancelled_authorize"

    def get_access_token_data(
        self, request: HttpRequest, app: Any, client: Any, pkce_code_verifier: str | None = None
    ) -> dict[str, Any]:
        data: dict[str, Any] = client.get_access_token(get_request_param(request, "code"))
        if "id_token" not in data:
            raise OAuth2Error("the answer has no id token")
        return data

    def complete_login(
        self, request: HttpRequest, app: Any, token: SocialToken, **kwargs: Any
    ) -> SocialLogin:
        return self.get_provider().sociallogin_from_response(request, token.user_data)


@csrf_exempt
@require_POST
def answer(request: HttpRequest) -> HttpResponse:
    """Redirect to the view `finish`, since this request of Apple's page has none of our cookies.

    The state, which belongs to the session, is checked there.
    """
    values = {name: request.POST.get(name, "")[:LONGEST] for name in ("code", "state", "error")}
    query = urlencode({name: value for name, value in values.items() if value})
    return redirect(f"{reverse('apple_finish_callback')}?{query}")


login = OAuth2LoginView.adapter_view(AppleAdapter)
finish = OAuth2CallbackView.adapter_view(AppleAdapter)
