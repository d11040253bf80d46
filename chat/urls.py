from django.urls import path

from chat import views

app_name = "chat"

urlpatterns = [
    path("muted/", views.muted, name="muted"),
    path("silence/", views.silence, name="silence"),
]
