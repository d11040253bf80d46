from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ShopConfig(AppConfig):
    name = "shop"
    verbose_name = _("Shop")

    def ready(self) -> None:
        from shop.gift_terms import CAUSE
        from wallet import causes

        causes.register(CAUSE, _("Gift"), causes.GIFTS)
