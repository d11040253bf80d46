"""URLs of leaderboards, rating histories and records against opponents."""

from django.urls import path

from stats import views
from stats.achievements import views as awards
from stats.dice import views as dice

app_name = "stats"

urlpatterns = [
    path("leaders/", views.leaders, name="leaders"),
    path("dice/", dice.site_dice, name="site_dice"),
    path("dice/mine/", dice.own_dice, name="dice"),
    path("opponents/", views.opponents, name="opponents"),
    path("opponents/<slug:public_id>/", views.opponent, name="opponent"),
    path("match/<slug:public_id>/rating/", views.match_rating, name="match"),
    path("player/<slug:public_id>/achievements/", awards.achievements, name="achievements"),
    path("player/<slug:public_id>/rating/", views.rating, name="rating"),
]
