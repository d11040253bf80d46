"""Sign-in through Facebook, under the names that allauth reverses.

The page for tokens from Facebook's own script is left out: that script may not run here.
"""

from django.urls import path

from accounts.social import views as social

urlpatterns = [
    path("", social.connections, name="socialaccount_connections"),
    path("signup/", social.sign_up, name="socialaccount_signup"),
    path("login/cancelled/", social.cancelled, name="socialaccount_login_cancelled"),
    path("login/error/", social.error, name="socialaccount_login_error"),
    path("facebook/login/", social.facebook_login, name="facebook_login"),
    path("facebook/login/callback/", social.facebook_callback, name="facebook_callback"),
]
