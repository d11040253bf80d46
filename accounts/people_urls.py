"""One's own profile and those of others."""

from django.urls import URLPattern, URLResolver

app_name = "people"

urlpatterns: list[URLPattern | URLResolver] = []
