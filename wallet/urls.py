from django.urls import URLPattern, URLResolver, path

from wallet import views
from wallet.limits import views as limit_views

app_name = "wallet"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.show_statement, name="statement"),
    path("statement.csv", views.export_statement, name="statement_csv"),
    path("limits/", limit_views.limits, name="limits"),
    path("limits/keep/", limit_views.keep, name="keep_limit"),
    path("limits/break/<slug:length>/", limit_views.take_break, name="take_break"),
    path("limits/age/", limit_views.age, name="age"),
    path("limits/help/", limit_views.show_help, name="help"),
]
