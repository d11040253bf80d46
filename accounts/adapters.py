"""Where allauth asks us."""

from allauth.account.adapter import DefaultAccountAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.http import HttpRequest

from accounts.address import request_address


class AccountAdapter(DefaultAccountAdapter):
    def get_client_ip(self, request: HttpRequest) -> str:
        """Limits count by the address that our own proxies saw."""
        return request_address(request)


class SocialAdapter(DefaultSocialAccountAdapter):
    pass
