from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ShopConfig(AppConfig):
    name = "shop"
    verbose_name = _("Shop")

    def ready(self) -> None:
        from accounts.models import NoticeKind
        from accounts.notices import conditions
        from shop import (
            receivers,  # noqa: F401
            selectors,
        )
        from shop.causes import name_causes
        from shop.gift_terms import CAUSE
        from wallet import causes

        causes.register(CAUSE, _("Gift"), causes.GIFTS)
        name_causes()
        conditions.add(NoticeKind.GIFT, selectors.is_gift_ready)
