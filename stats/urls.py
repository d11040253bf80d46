"""URLs of leaderboards, rating histories and records against opponents."""

from django.urls import path

from stats import views

app_name = "stats"

urlpatterns = [
    path("leaders/", views.leaders, name="leaders"),
    path("opponents/", views.opponents, name="opponents"),
    path("opponents/<slug:public_id>/", views.opponent, name="opponent"),
    path("match/<slug:public_id>/rating/", views.match_rating, name="match"),
    path("player/<slug:public_id>/rating/", views.rating, name="rating"),
]
