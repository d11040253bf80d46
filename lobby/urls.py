"""Pages of announced games."""

from django.urls import path

from lobby import views

app_name = "lobby"

urlpatterns = [
    path("", views.lobby, name="lobby"),
    path("list/", views.listing, name="list"),
    path("live/", views.live, name="live"),
    path("new/", views.announce, name="announce"),
    path("challenge/<slug:public_id>/", views.challenge, name="challenge"),
    path("<slug:public_id>/", views.seek, name="seek"),
    path("<slug:public_id>/join/", views.join, name="join"),
    path("<slug:public_id>/cancel/", views.cancel, name="cancel"),
]
