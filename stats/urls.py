"""Leaderboards, and how a rating came about."""

from django.urls import path

from stats import views

app_name = "stats"

urlpatterns = [
    path("leaders/", views.leaders, name="leaders"),
    path("player/<slug:public_id>/rating/", views.rating, name="rating"),
]
