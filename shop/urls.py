from django.urls import URLPattern, URLResolver, path, register_converter

from shop import views
from shop.goods import views as goods_views
from shop.goods.kinds import KindInUrl

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
]
