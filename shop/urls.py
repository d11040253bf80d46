from django.urls import URLPattern, URLResolver, path

from shop import views
from shop.payments import sandbox_page, webhooks
from shop.payments import views as payments

app_name = "shop"

urlpatterns: list[URLPattern | URLResolver] = [
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
