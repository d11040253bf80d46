"""Pages of profiles, one's own and others'."""

from django.urls import path, re_path

from accounts.views import avatars, closing, people, profile, table_choices

app_name = "people"

urlpatterns = [
    path("profile/", profile.edit, name="profile"),
    path("profile/table/", table_choices.choices, name="table_choices"),
    path("profile/avatar/", avatars.upload, name="avatar_upload"),
    path("profile/avatar/remove/", avatars.remove, name="avatar_remove"),
    path("profile/close/", closing.close, name="close"),
    path("player/<slug:public_id>/", people.player, name="player"),
    path("player/<slug:public_id>/card/", people.card, name="card"),
    path("player/<slug:public_id>/block/", people.block, name="block"),
    path("player/<slug:public_id>/unblock/", people.unblock, name="unblock"),
    re_path(r"^avatar/(?P<name>[0-9a-f]{32})\.webp$", avatars.show, name="avatar"),
]
