"""Sign-in pages under the names that allauth reverses; profiles in the namespace `people`."""

from django.urls import include, path, re_path

from accounts.closing import views as closing
from accounts.law import views as law
from accounts.mail import views as outbox
from accounts.notices import views as notices
from accounts.people import friend_views
from accounts.people import views as people
from accounts.profile import avatar_views, table_choices_views
from accounts.profile import views as profile
from accounts.sessions import views as sessions
from accounts.signin import reauthentication_views
from accounts.signin import views as signin
from accounts.signup import activation_views
from accounts.signup import views as signup
from accounts.social import added_email_views

urlpatterns = [
    path("signup/", signup.signup, name="account_signup"),
    path("signup/check/", signup.check, name="account_signup_check"),
    path("confirm-email/", activation_views.sent, name="account_email_verification_sent"),
    path("confirm-email/resend/", activation_views.resend, name="account_resend"),
    path(
        "confirm-email/change/",
        activation_views.change_email,
        name="account_change_unverified_email",
    ),
    re_path(
        r"^confirm-email/(?P<key>[-:\w]+)/$", activation_views.confirm, name="account_confirm_email"
    ),
    path("login/", signin.login, name="account_login"),
    path("logout/", signin.logout, name="account_logout"),
    path("terms/", law.accept, name="account_law"),
    path("inactive/", signin.inactive, name="account_inactive"),
    path("reauthenticate/", reauthentication_views.reauthenticate, name="account_reauthenticate"),
    path("password/reset/", signin.password_reset, name="account_reset_password"),
    path("password/reset/done/", signin.password_reset_done, name="account_reset_password_done"),
    path(
        "password/reset/key/done/",
        signin.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        signin.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path("password/change/", signin.change_password, name="account_change_password"),
    path("sessions/", sessions.sessions, name="account_sessions"),
    path("outbox/", outbox.outbox, name="account_outbox"),
    path("email/add/", added_email_views.add, name="account_add_email"),
    path(
        "email/confirm/<str:token>/", added_email_views.confirm, name="account_confirm_added_email"
    ),
    path("social/", include("accounts.social.urls")),
]

people_urlpatterns = [
    path("profile/", profile.edit, name="profile"),
    path("profile/table/", table_choices_views.choices, name="table_choices"),
    path("profile/avatar/", avatar_views.upload, name="avatar_upload"),
    path("profile/avatar/seen/", avatar_views.acknowledge, name="avatar_seen"),
    path("profile/avatar/remove/", avatar_views.remove, name="avatar_remove"),
    path("profile/notices/", notices.notices, name="notices"),
    path("profile/notices/subscribe/", notices.subscribe, name="subscribe"),
    path("profile/notices/emails/", notices.choose_emails, name="notice_emails"),
    path("profile/notices/stop/<str:token>/", notices.stop_emails, name="stop_emails"),
    path("profile/notices/device/", notices.device, name="notice_device"),
    path("profile/close/", closing.close, name="close"),
    path("friends/", friend_views.show, name="friends"),
    path("friends/list/", friend_views.listing, name="friends_list"),
    path("friends/news/", friend_views.news, name="friend_news"),
    path("player/<slug:public_id>/", people.player, name="player"),
    path("player/<slug:public_id>/card/", people.card, name="card"),
    path("player/<slug:public_id>/friend/", friend_views.act, name="friend"),
    path("player/<slug:public_id>/note/", people.note, name="note"),
    path("player/<slug:public_id>/block/", people.block, name="block"),
    path("player/<slug:public_id>/unblock/", people.unblock, name="unblock"),
    re_path(r"^avatar/(?P<name>[0-9a-f]{32})\.webp$", avatar_views.show, name="avatar"),
]
