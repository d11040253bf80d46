"""URLs of ratings, statistics, dice, achievements, skill, recaps and opponents."""

from django.urls import path

from stats import views
from stats.achievements import views as awards
from stats.dice import views as dice
from stats.matches import views as matches
from stats.recap import views as recap
from stats.skill import views as skill

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
    path("player/<slug:public_id>/statistics/", matches.statistics, name="statistics"),
    path("player/<slug:public_id>/matches/", matches.matches, name="matches"),
    path("skill/", skill.skill, name="skill"),
    path("recap/", recap.this_year, name="recap"),
    path("recap/<int:year>/", recap.recap, name="recap_of_year"),
    path("recap/<int:year>/share/", recap.share, name="share_recap"),
    path("recap/<int:year>/hide/", recap.hide, name="hide_recap"),
    path("recap/shared/<slug:token>/", recap.shared, name="shared_recap"),
    path("recap/shared/<slug:token>/picture.png", recap.picture, name="recap_picture"),
]
