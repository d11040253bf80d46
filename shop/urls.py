from django.urls import URLPattern, URLResolver, path, register_converter

from shop import views
from shop.goods import views as goods_views
from shop.goods.kinds import KindInUrl
from shop.payments import sandbox_page, webhooks
from shop.payments import views as payments

app_name = "shop"

register_converter(KindInUrl, "kind")

urlpatterns: list[URLPattern | URLResolver] = [
    path("", goods_views.show_boards, name="shop"),
    path("checkers/", goods_views.show_checkers, name="checkers"),
    path("owned/", goods_views.show_owned, name="owned"),
    path("<kind:kind>/<slug:code>/", goods_views.show_good, name="good"),
    path("<kind:kind>/<slug:code>/buy/", goods_views.buy_good, name="buy"),
    path("<kind:kind>/<slug:code>/wear/", goods_views.wear_look, name="wear"),
    path("gifts/", views.show_gifts, name="gifts"),
    path("gifts/take/", views.take_gift, name="take_gift"),
    path("totals/", views.show_totals, name="totals"),
    path("top-up/", payments.show_packs, name="top_up"),
    path("top-up/start/", payments.start, name="start_top_up"),
    path("payments/", payments.show_payments, name="payments"),
    path("payments/<str:public_id>/", payments.show_payment, name="payment"),
    path("payments/<str:public_id>/back/", payments.come_back, name="payment_return"),
    path("webhooks/<slug:provider>/", webhooks.receive, name="webhook"),
    path("sandbox/<str:reference>/", sandbox_page.show, name="sandbox"),
]
