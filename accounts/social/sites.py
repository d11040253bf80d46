"""The other sites through which people sign in: their names, and which of them are on."""

from dataclasses import dataclass

from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts.models import User

# Each name as the site calls its accounts. Brands are the same in all languages, except Yandex.
NAMES: dict[str, str | Promise] = {
    "google": "Google",
    "apple": "Apple",
    "facebook": "Facebook",
    "telegram": "Telegram",
    "vk": "VK ID",
    "yandex": _("Yandex ID"),
}
# Orders by language where they differ from that of NAMES; the most used site comes first.
ORDERS = {"ru": ["vk", "yandex", "telegram", "google", "apple", "facebook"]}


@dataclass(frozen=True)
class Site:
    """A site with keys. Its code is allauth's name of the provider."""

    code: str

    @property
    def name(self) -> str:
        return name_of(self.code)


def name_of(code: str) -> str:
    return str(NAMES.get(code, code))


def is_on(code: str) -> bool:
    return code in settings.SOCIALACCOUNT_PROVIDERS


def sites_on() -> list[Site]:
    """Return the sites with keys in the order of the reader's language."""
    order = ORDERS.get(get_language() or "", list(NAMES))
    return [Site(code) for code in order if is_on(code)]


def sites_of(user: User) -> list[Site]:
    """Return the sites through which a member can sign in now."""
    connected = set(SocialAccount.objects.filter(user=user).values_list("provider", flat=True))
    return [site for site in sites_on() if site.code in connected]
