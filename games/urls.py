from django.urls import path

from games import views
from games.exports import result_views
from games.exports import views as export_views
from games.reviews import views as review_views
from games.stakes import views as stake_views
from games.training import views as training_views

app_name = "games"

urlpatterns = [
    path("training/", training_views.training, name="training"),
    path("training/start/", training_views.start, name="start_training"),
    path("training/matches/", training_views.finished, name="finished"),
    path("practice/<slug:name>/", training_views.practice_lesson, name="practice"),
    path("reminder/", stake_views.reminder, name="reminder"),
    path("match/<slug:public_id>/", views.match, name="match"),
    path("match/<slug:public_id>/again/", training_views.again, name="again"),
    path("match/<slug:public_id>/review/", review_views.review, name="review"),
    path("match/<slug:public_id>/review/state/", review_views.review_state, name="review_state"),
    path("match/<slug:public_id>/review/ask/", review_views.ask_review, name="ask_review"),
    path("match/<slug:public_id>/result/", result_views.result, name="result"),
    path("match/<slug:public_id>/result.png", result_views.picture, name="result_picture"),
    path("match/<slug:public_id>/export.json", export_views.export_json, name="export_json"),
    path("match/<slug:public_id>/export.mat", export_views.export_mat, name="export_mat"),
    path("match/<slug:public_id>/export.txt", export_views.export_text, name="export_text"),
]
