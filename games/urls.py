"""Pages of games."""

from django.urls import path

from games import views
from games.reviews import views as review_pages

app_name = "games"

urlpatterns = [
    path("training/", views.training, name="training"),
    path("practice/<slug:name>/", views.practice_lesson, name="practice"),
    path("match/<slug:public_id>/", views.match, name="match"),
    path("match/<slug:public_id>/review/", review_pages.review, name="review"),
    path("match/<slug:public_id>/review/state/", review_pages.review_state, name="review_state"),
    path("match/<slug:public_id>/review/ask/", review_pages.ask_review, name="ask_review"),
    path("match/<slug:public_id>/export.json", views.export_json, name="export_json"),
    path("match/<slug:public_id>/export.mat", views.export_mat, name="export_mat"),
    path("match/<slug:public_id>/export.txt", views.export_text, name="export_text"),
]
