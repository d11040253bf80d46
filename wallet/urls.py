from django.urls import URLPattern, URLResolver, path

from wallet import views

app_name = "wallet"

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.show_statement, name="statement"),
    path("statement.csv", views.export_statement, name="statement_csv"),
]
