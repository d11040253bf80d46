from django.urls import path

from chat.support import views

app_name = "support"

urlpatterns = [
    path("", views.start, name="start"),
    path("sent/", views.sent, name="sent"),
    path("mine/", views.mine, name="mine"),
    path("mine/<str:public_id>/", views.ticket, name="ticket"),
    path("link/<str:token>/", views.by_link, name="by_link"),
    path("<slug:topic>/", views.questions, name="questions"),
    path("<slug:topic>/write/", views.write, name="write"),
]
