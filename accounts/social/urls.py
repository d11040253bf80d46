"""Sign-in through other sites, under the names that allauth reverses.

The pages for tokens from the sites' own scripts are left out: those scripts may not run here.
"""

from django.urls import path

from accounts.social import apple, views
from accounts.social.sites import NAMES

urlpatterns = [
    path("", views.connections, name="socialaccount_connections"),
    path("signup/", views.sign_up, name="socialaccount_signup"),
    path("login/cancelled/", views.cancelled, name="socialaccount_login_cancelled"),
    path("login/error/", views.error, name="socialaccount_login_error"),
    path(
        "apple/login/callback/finish/",
        views.only_with_keys(apple.finish, "apple"),
        name="apple_finish_callback",
    ),
    *(path(f"{code}/login/", views.begin(code), name=f"{code}_login") for code in NAMES),
    *(
        path(f"{code}/login/callback/", views.answer(code), name=f"{code}_callback")
        for code in NAMES
    ),
]
