from django.urls import URLPattern, URLResolver, path

from shop import views

app_name = "shop"

urlpatterns: list[URLPattern | URLResolver] = [
    path("gifts/", views.show_gifts, name="gifts"),
    path("gifts/take/", views.take_gift, name="take_gift"),
    path("totals/", views.show_totals, name="totals"),
]
