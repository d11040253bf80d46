"""URLs of tournaments."""

from django.urls import path

from tournaments.views import matches, pages, proposals, tv

app_name = "tournaments"

urlpatterns = [
    path("", pages.tournaments, name="tournaments"),
    path("alerts/", pages.alerts, name="alerts"),
    path("season/", pages.season_leaders, name="season"),
    path("propose/", proposals.propose, name="propose"),
    path("list/<slug:which>/", pages.tournaments, name="list"),
    path("match/<slug:public_id>/", matches.of_match, name="of_match"),
    path("match/<slug:public_id>/outcome/", matches.after_match, name="after_match"),
    path("<slug:public_id>/", pages.tournament, name="tournament"),
    path("<slug:public_id>/live/", pages.live, name="live"),
    path("<slug:public_id>/tv/", tv.tv, name="tv"),
    path("<slug:public_id>/tv/table/", tv.table, name="tv_table"),
    path("<slug:public_id>/enter/", pages.enter, name="enter"),
    path("<slug:public_id>/withdraw/", pages.withdraw, name="withdraw"),
    path("<slug:public_id>/calendar.ics", pages.calendar, name="calendar"),
    path("<slug:public_id>/picture.png", pages.picture, name="picture"),
    path("<slug:public_id>/draw.json", pages.draw, name="draw"),
]
