"""URLs of tournaments."""

from django.urls import path

from tournaments import views

app_name = "tournaments"

urlpatterns = [
    path("", views.tournaments, name="tournaments"),
    path("alerts/", views.alerts, name="alerts"),
    path("list/<slug:which>/", views.tournaments, name="list"),
    path("<slug:public_id>/", views.tournament, name="tournament"),
    path("<slug:public_id>/live/", views.live, name="live"),
    path("<slug:public_id>/enter/", views.enter, name="enter"),
    path("<slug:public_id>/withdraw/", views.withdraw, name="withdraw"),
    path("<slug:public_id>/calendar.ics", views.calendar, name="calendar"),
    path("<slug:public_id>/draw.json", views.draw, name="draw"),
]
