"""Sign-in through Facebook, under the names that allauth reverses.

The page for tokens from Facebook's own script is left out: that script may not run here.
"""

from django.urls import path

from accounts.social import views

urlpatterns = [
    path("", views.connections, name="socialaccount_connections"),
    path("signup/", views.sign_up, name="socialaccount_signup"),
    path("login/cancelled/", views.cancelled, name="socialaccount_login_cancelled"),
    path("login/error/", views.error, name="socialaccount_login_error"),
    path("facebook/login/", views.facebook_login, name="facebook_login"),
    path("facebook/login/callback/", views.facebook_callback, name="facebook_callback"),
]
