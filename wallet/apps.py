from django.apps import AppConfig
from django.utils.translation import pgettext_lazy


class WalletConfig(AppConfig):
    name = "wallet"
    verbose_name = pgettext_lazy("administration", "Credits")

    def ready(self) -> None:
        from wallet import receivers  # noqa: F401
