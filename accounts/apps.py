from django.apps import AppConfig
from django.utils.translation import pgettext_lazy


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = pgettext_lazy("administration", "Members")

    def ready(self) -> None:
        from accounts import receivers  # noqa: F401
        from accounts.signin import logged_steps  # noqa: F401
