"""Pages of credits."""

from django.urls import URLPattern, URLResolver

app_name = "wallet"

urlpatterns: list[URLPattern | URLResolver] = []
