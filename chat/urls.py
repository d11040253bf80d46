from django.urls import path

from chat import views
from chat.direct import views as direct

app_name = "chat"

urlpatterns = [
    path("", direct.conversations, name="conversations"),
    path("reach/", direct.choose_reach, name="reach"),
    path("with/<str:public_id>/", direct.conversation, name="conversation"),
    path("with/<str:public_id>/report/<int:message_id>/", direct.report, name="report"),
    path("report/<str:public_id>/", views.report_player, name="report_player"),
    path("rules/", views.rules, name="rules"),
    path("muted/", views.muted, name="muted"),
    path("silence/", views.silence, name="silence"),
]
