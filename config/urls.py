"""Every URL of the site. Public pages bear their language in the address, the others do not."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("", include("games.urls")),
]
