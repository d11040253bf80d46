"""Sign-up, sign-in and what leads to them, under the names that allauth reverses."""

from django.urls import URLPattern, URLResolver

urlpatterns: list[URLPattern | URLResolver] = []
