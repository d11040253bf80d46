from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ShopConfig(AppConfig):
    name = "shop"
    verbose_name = _("Shop")

    def ready(self) -> None:
        from accounts.models import NoticeKind
        from accounts.notices import conditions
        from accounts.profile import looks
        from shop import (
            receivers,  # noqa: F401
            selectors,
        )
        from shop.causes import PURCHASES, name_causes
        from shop.gift_terms import CAUSE
        from shop.goods import buying, statement_texts
        from shop.goods.selectors import owned_looks
        from wallet import causes

        causes.register(CAUSE, _("Gift"), causes.GIFTS)
        causes.register(
            buying.CAUSE,
            _("Board or checkers"),
            PURCHASES,
            statement_texts.link,
            statement_texts.veto,
            statement_texts.titles,
            flow=causes.Flow.SPENT,
            is_undone_whole=True,
        )
        looks.add_source(owned_looks)
        name_causes()
        conditions.add(NoticeKind.GIFT, selectors.is_gift_ready)
