"""URLs of the lobby."""

from django.urls import path

from games.conduct import views as conduct
from lobby.views import again, friendly, lists, play_now, presets, seeks, wishes

app_name = "lobby"

urlpatterns = [
    path("", lists.lobby, name="lobby"),
    path("list/", lists.listing, name="list"),
    path("showcase/", lists.showcase, name="showcase"),
    path("live/", lists.live, name="live"),
    path("running/<slug:public_id>/", lists.running, name="running"),
    path("conduct/", conduct.show, name="conduct"),
    path("new/", seeks.announce, name="announce"),
    path("presets/", presets.manage, name="presets"),
    path("wishes/", wishes.wishes, name="wishes"),
    path("friend/", friendly.friend, name="friend"),
    path("friend/<slug:public_id>/", friendly.invitation, name="invitation"),
    path("friend/<slug:public_id>/accept/", friendly.accept, name="accept_invitation"),
    path("friend/<slug:public_id>/cancel/", friendly.cancel, name="cancel_invitation"),
    path("friend/<slug:public_id>/decline/", friendly.decline, name="decline_invitation"),
    path("again/<slug:public_id>/", again.again, name="again"),
    path("now/", play_now.play_now, name="play_now"),
    path("now/bar/", play_now.bar, name="play_now_bar"),
    path("now/cancel/", play_now.cancel, name="cancel_play_now"),
    path("challenge/<slug:public_id>/", seeks.challenge, name="challenge"),
    path("<slug:public_id>/", seeks.seek, name="seek"),
    path("<slug:public_id>/join/", seeks.join, name="join"),
    path("<slug:public_id>/cancel/", seeks.cancel, name="cancel"),
    path("<slug:public_id>/decline/", seeks.decline, name="decline"),
]
