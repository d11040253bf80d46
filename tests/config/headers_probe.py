"""Ask for every kind of page under the settings of production; print the answers as JSON.

tests/config/test_security_headers.py runs this file as a program and checks the output. This file
changes two settings of production: static files keep their plain names, since they were not
collected, and the URLs get a page that fails, for the status 500. The environment that the test
sets changes some more.
"""

import json
import re
import sys
from typing import Any

import django
from django.conf import settings
from django.test import Client, override_settings
from django.urls import path, reverse

PLAIN_FILES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}


def broken(request: Any) -> None:
    raise RuntimeError("broken on purpose")


def record_of(name: str, who: str, response: Any) -> dict[str, Any]:
    body = b"" if response.streaming else response.content
    return {
        "name": name,
        "who": who,
        "status": response.status_code,
        "headers": {key.lower(): value for key, value in response.items()},
        "cookies": [morsel.OutputString() for morsel in response.cookies.values()],
        "scripts": re.findall(rb"<script[^>]*>", body).__str__(),
        "is_html": response.headers.get("Content-Type", "").startswith("text/html"),
    }


def browser(**options: Any) -> Client:
    return Client(headers={"host": settings.ALLOWED_HOSTS[0]}, **options)


def public_pages() -> list[dict[str, Any]]:
    names = [
        "home", "rules_short", "rules_long", "whats_new", "games:training", "header", "jsi18n",
        "manifest", "healthz", "account_login", "account_signup", "account_reset_password",
        "account_reset_password_done", "account_inactive", "account_email_verification_sent",
        "admin:index", "service_worker", "offline",
    ]  # fmt: skip
    return [record_of(name, "visitor", browser().get(reverse(name), secure=True)) for name in names]


def members_pages(user: Any) -> list[dict[str, Any]]:
    from games.engine.rules import Rules
    from games.engine.sides import Side
    from games.models.actor import Actor
    from games.services import matches
    from tests.accounts.factories import sign_in

    now = django.utils.timezone.now()
    rules = Rules.of("short", length=3)
    match = matches.create_training(Actor(user_id=user.pk), rules, Side.WHITE, "casual", now)
    table, person = [match.public_id], [user.public_id]
    pages = [
        ("home", []), ("whats_new", []), ("rules_short", []), ("games:training", []),
        ("header", []), ("people:profile", []), ("people:close", []), ("people:table_choices", []),
        ("people:player", person), ("people:card", person), ("export_my_data", []),
        ("wallet:statement", []), ("wallet:statement_csv", []), ("account_sessions", []),
        ("account_change_password", []), ("account_logout", []), ("games:match", table),
        ("games:review", table), ("games:export_json", table), ("admin:index", []),
        ("admin:accounts_user_changelist", []),
    ]  # fmt: skip
    mine = sign_in(browser(), user)
    return [
        record_of(name, "member", mine.get(reverse(name, args=args), secure=True))
        for name, args in pages
    ]


def refusals() -> list[dict[str, Any]]:
    def login(client: Client) -> Any:
        form = {"login": "nobody", "password": "wrong"}
        return client.post(reverse("account_login"), form, secure=True)

    strict, many = browser(enforce_csrf_checks=True), browser()
    first, *_, last = [login(many) for _ in range(40)]
    quiet = browser(raise_request_exception=False)
    theme = reverse("set_theme")
    answers = {
        "400": browser().get("/en/", secure=True, headers={"host": "evil.example"}),
        "400 http": browser().get("/en/", headers={"host": "evil.example"}),
        "403": strict.post(theme, {"theme": "dark"}, secure=True),
        "404": browser().get("/en/nowhere/", secure=True),
        "405": browser().get(theme, secure=True),
        "422": first,
        "429": last,
        "to https": browser().get("/en/"),
        "to language": browser().get("/", secure=True),
    }
    with override_settings(ROOT_URLCONF=urls_with_a_fault()):
        answers["500"] = quiet.get("/broken/", secure=True)
    return [record_of(name, "visitor", response) for name, response in answers.items()]


def urls_with_a_fault() -> Any:
    from config import urls

    class Urls:
        urlpatterns = [path("broken/", broken), *urls.urlpatterns]
        handler400, handler403 = urls.handler400, urls.handler403
        handler404, handler500 = urls.handler404, urls.handler500
        handler429 = urls.handler429

    return Urls


def main() -> None:
    django.setup()
    from tests.accounts.factories import staff

    with override_settings(STORAGES=PLAIN_FILES):
        found = [*public_pages(), *refusals(), *members_pages(staff("anna123456"))]
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
