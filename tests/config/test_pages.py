"""General pages without a browser: languages, theme, errors, headers, strings of scripts."""

import json
import re

import pytest
from django.conf import settings as django_settings
from django.db import OperationalError
from django.db.models import F
from django.test import Client, override_settings
from django.urls import path, reverse
from django.utils.html import conditional_escape
from django.utils.translation import override

from config import views
from config.i18n.whats_new import releases_in
from config.urls import urlpatterns as site_urls
from games.engine.sides import Side
from tests.accounts.factories import member
from tests.games.factories import StakeSitting
from tests.wallet.factories import player
from wallet.models import WelcomeGift

pytestmark = [pytest.mark.django_db, pytest.mark.portable]


def test_root_redirects_to_the_language_of_the_browser(client):
    response = client.get("/", headers={"accept-language": "tr,en;q=0.5"})
    assert response.status_code == 302
    assert response.headers["Location"] == "/tr/"


def test_root_redirects_to_english_for_other_languages(client):
    assert client.get("/", headers={"accept-language": "fi"}).headers["Location"] == "/en/"


@pytest.mark.parametrize("language", ["ru", "en", "tr"])
def test_home_declares_its_language_and_links_the_others(client, language):
    page = client.get(f"/{language}/").content.decode()
    assert f'<html lang="{language}"' in page
    for other in ("ru", "en", "tr"):
        assert f'hreflang="{other}" href="http://testserver/{other}/"' in page


def test_the_back_button_asks_for_a_page_and_not_for_a_part(client):
    # After the session has ended, a request for a part is answered with 204, of which htmx would
    # make an empty page.
    page = client.get("/en/").content.decode()
    [chosen] = re.findall(r"""htmx-config" content='([^']*)'""", page)
    assert json.loads(chosen)["historyRestoreAsHxRequest"] is False
    headers = {"HX-History-Restore-Request": "true"}
    restored = client.get(reverse("wallet:statement"), headers=headers)
    assert restored["Location"].startswith(reverse("account_login"))


def test_request_whose_path_has_no_slash_is_answered_as_a_missing_page(client):
    assert client.generic("OPTIONS", "*").status_code == 404


def test_language_of_a_page_is_kept_on_pages_without_a_language_in_the_address(client):
    client.get("/ru/")
    response = client.get("/training/", headers={"accept-language": "en"})
    assert '<html lang="ru"' in response.content.decode()


def test_language_switch_changes_the_address_and_is_kept(client):
    response = client.post("/settings/language/", {"language": "tr", "next": "/ru/rules/long/"})
    assert response.headers["Location"] == "/tr/rules/long/"
    assert client.get("/").headers["Location"] == "/tr/"


def test_language_switch_works_from_a_tab_older_than_the_last_choice(client):
    client.cookies[django_settings.LANGUAGE_COOKIE_NAME] = "en"
    response = client.post("/settings/language/", {"language": "tr", "next": "/ru/rules/long/"})
    assert response.headers["Location"] == "/tr/rules/long/"


def test_language_switch_does_not_lead_off_the_site(client):
    response = client.post(
        "/settings/language/", {"language": "tr", "next": "https://evil.example/"}
    )
    assert "evil" not in response.headers["Location"]


def test_home_offers_both_variants(client):
    page = client.get("/en/").content.decode()
    assert f"{reverse('games:training')}?variant=short" in page
    assert f"{reverse('games:training')}?variant=long" in page
    assert page.count(f'action="{reverse("games:start_training")}"') == 2
    assert "To 3 points, against Niko (bot)" in page
    assert "come home and bear off first" in page  # the way to win in long nardy


def test_home_names_length_and_bot_of_the_match_that_its_buttons_start(client):
    client.post("/training/", {"length": "7", "level": "strong"})
    assert "To 7 points, against Timur (bot)" in client.get("/en/").content.decode()


@pytest.mark.parametrize("side", ["white", "black"])
def test_home_shows_a_running_match_once_from_the_members_side(client, side):
    sitting = StakeSitting(player("white5"), player("black5"))
    sitting.match.snapshot["score"] = [2, 1]
    sitting.match.save()
    client.force_login(sitting.users[Side(side)])
    page = client.get("/en/").content.decode()
    opponent, score = ("black5", "2:1") if side == "white" else ("white5", "1:2")
    card = page[page.index('class="card resume"') :]
    card = " ".join(card[: card.index("</section>")].split())
    assert f"· {opponent} · " in card
    assert f">{score}<" in card
    assert re.search(r'<body class="[^"]*hides-live-line', page)


def test_home_names_the_welcome_credits_that_are_still_to_come(client):
    newcomer = member("annika")
    client.force_login(newcomer)
    page = client.get("/en/").text
    assert "You have received 100 of 1,000 welcome credits." in page
    assert f'<a href="{reverse("wallet:statement")}">Your credits</a>' in page
    WelcomeGift.objects.update(given_credits=F("total_credits"))
    assert "welcome credits" not in client.get("/en/").text


def test_home_that_shows_no_running_match_keeps_the_alerts(client):
    client.force_login(player("annika"))
    assert "hides-live-line" not in client.get("/en/").content.decode()


def test_home_needs_no_query_a_moment_after_an_earlier_visit(client, django_assert_max_num_queries):
    client.get("/en/")
    with django_assert_max_num_queries(0):
        client.get("/en/")


@pytest.mark.parametrize("theme", ["dark", "light", "contrast"])
def test_theme_is_kept(client, theme):
    response = client.post("/settings/theme/", {"theme": theme, "next": "/en/"})
    assert response.headers["Location"] == "/en/"
    assert f'data-theme="{theme}"' in client.get("/en/").content.decode()


@pytest.mark.parametrize("theme", ["", "pink", '"><script>'])
def test_unknown_theme_means_that_of_the_device(client, theme):
    client.post("/settings/theme/", {"theme": "dark"})
    client.post("/settings/theme/", {"theme": theme})
    assert "data-theme" not in client.get("/en/").content.decode()


def test_theme_cookie_with_nonsense_is_ignored(client):
    client.cookies["theme"] = '"><script>'
    assert "data-theme" not in client.get("/en/").content.decode()


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "javascript:x"])
def test_theme_switch_does_not_lead_off_the_site(client, target):
    response = client.post("/settings/theme/", {"theme": "dark", "next": target})
    assert response.headers["Location"] == "/en/"


def test_theme_is_changed_by_post_only(client):
    assert client.get("/settings/theme/").status_code == 405


def test_home_has_the_strict_policy(client):
    policy = client.get("/en/").headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "base-uri 'none'" in policy
    assert "unsafe" not in policy


def test_admin_has_the_same_policy(admin_client):
    response = admin_client.get("/admin/")
    assert response.status_code == 200
    assert "unsafe" not in response.headers["Content-Security-Policy"]


@pytest.mark.parametrize("address", ["/en/", "/en/nowhere/", "/whats-new/", "/play/", "/training/"])
@pytest.mark.parametrize("is_member", [False, True])
def test_pages_have_no_inline_script_or_style(client, address, is_member):
    sitting = StakeSitting(player("white5"), player("black5"))
    if is_member:
        client.force_login(sitting.users[Side.WHITE])
    page = client.get(address).text
    assert "<script" in page
    refused = client.get(address, headers={"host": "evil.example"})  # without base.html
    assert (refused.status_code, "<html" in refused.text) == (400, True)
    for html in (page, refused.text):
        assert "<style" not in html
        assert not re.findall(r"<[a-z][^>]*\s(?:style|on[a-z]+)\s*=", html)
        assert not re.findall(r"=[\"']\s*javascript:", html)
        for attributes, code in re.findall(r"<script([^>]*)>(.*?)</script", html, re.DOTALL):
            assert (" src=" in attributes, code.strip()) == (True, "")


def test_unknown_page_offers_a_link_home(client):
    response = client.get("/en/nowhere/")
    assert response.status_code == 404
    page = response.content.decode()
    assert '<html lang="en"' in page
    assert 'href="/en/"' in page


def test_old_form_is_refused_with_a_link_back():
    client = Client(enforce_csrf_checks=True)
    response = client.post("/settings/theme/", headers={"referer": "http://testserver/en/rules/"})
    assert response.status_code == 403
    assert 'href="/en/rules/"' in response.content.decode()


def test_link_back_from_an_old_form_stays_on_the_site():
    client = Client(enforce_csrf_checks=True)
    response = client.post("/settings/theme/", headers={"referer": "http://e.example//evil/x"})
    assert 'href="//evil' not in response.content.decode()


def _break(request):
    raise RuntimeError("broken on purpose")


def _lose_database(request):
    raise OperationalError("server closed the connection unexpectedly")


class BrokenUrls:
    urlpatterns = [path("broken/", _break), path("lost/", _lose_database), *site_urls]
    handler400, handler403 = views.bad_request, views.forbidden
    handler404, handler500 = views.not_found, views.server_error


def broken_page(address, language):
    client = Client(raise_request_exception=False)
    response = client.get(address, headers={"accept-language": language})
    page = response.content.decode()
    assert f'<html lang="{language}"' in page
    return response, page


@override_settings(ROOT_URLCONF=BrokenUrls)
@pytest.mark.parametrize("language", ["ru", "en", "tr"])
def test_server_error_page_hides_the_cause(language):
    response, page = broken_page("/broken/", language)
    assert response.status_code == 500
    assert "on purpose" not in page


@override_settings(ROOT_URLCONF=BrokenUrls)
@pytest.mark.parametrize("language", ["ru", "en", "tr"])
def test_page_asks_to_come_back_when_the_database_does_not_answer(language):
    response, page = broken_page("/lost/", language)
    assert response.status_code == 503
    assert int(response.headers["Retry-After"]) > 0
    assert "unexpectedly" not in page


def test_server_error_page_names_the_version_without_the_database(rf, django_assert_num_queries):
    with django_assert_num_queries(0):
        page = views.server_error(rf.get("/broken/")).content.decode()
    assert f"5Stars Gammon {django_settings.VERSION}" in page


def test_foreign_host_gets_a_plain_400(client):
    assert client.get("/en/", headers={"host": "evil.example"}).status_code == 400


def test_strings_of_scripts_come_in_the_requested_language(client):
    client.cookies[django_settings.LANGUAGE_COOKIE_NAME] = "en"
    body = client.get("/jsi18n/?language=ru").content.decode()
    assert "gettext" in body
    assert "n%10==1" in body.replace(" ", "")


def test_strings_of_scripts_are_cached_only_with_the_version(client, settings):
    settings.PLAIN_HTTP = False
    kept = client.get(f"/jsi18n/?language=ru&v={django_settings.VERSION}")
    asked_again = client.get("/jsi18n/?language=ru")
    assert "max-age=86400" in kept.headers["Cache-Control"]
    assert "no-cache" in asked_again.headers["Cache-Control"]


def test_strings_of_scripts_are_not_cached_on_a_developer_machine(client):
    response = client.get(f"/jsi18n/?language=ru&v={django_settings.VERSION}")
    assert "no-cache" in response.headers["Cache-Control"]


def test_strings_in_the_language_of_a_cookie_are_not_cached(client, settings):
    settings.PLAIN_HTTP = False
    answer = client.get("/jsi18n/", {"v": django_settings.VERSION})
    assert answer["Cache-Control"] == "no-cache"


@pytest.mark.parametrize("name", ["manifest", "offline", "service_worker"])
def test_answers_in_the_language_of_the_cookie_vary_by_cookie(client, name):
    assert "Cookie" in client.get(reverse(name))["Vary"]


def test_manifest_is_installable(client):
    response = client.get("/manifest.webmanifest")
    assert response.headers["Content-Type"] == "application/manifest+json"
    manifest = json.loads(response.content)
    assert manifest["start_url"] == "/"
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
    assert any(icon.get("purpose") == "maskable" for icon in manifest["icons"])


@pytest.mark.parametrize("language", ["ru", "en", "tr"])
def test_whats_new_is_shown_in_the_language_of_the_page(client, language):
    client.cookies[django_settings.LANGUAGE_COOKIE_NAME] = language
    page = client.get("/whats-new/").content.decode()
    for release in releases_in(language):
        assert release.title in page
        assert all(conditional_escape(item) in page for item in release.items)


@pytest.mark.parametrize("language", ["ru", "tr"])
def test_whats_new_has_as_many_entries_in_every_language(language):
    english, other = releases_in("en"), releases_in(language)
    assert [len(each.items) for each in other] == [len(each.items) for each in english]
    versions = [[each.title.split(",")[0] for each in releases] for releases in (english, other)]
    assert versions[0] == versions[1]
    same = {item for each in english for item in each.items} & {
        item for each in other for item in each.items
    }
    assert not same


def test_version_is_that_of_the_newest_release_in_whats_new():
    assert releases_in("en")[0].title.split(",")[0] == django_settings.VERSION


def test_every_answer_has_its_own_request_id(client):
    first = client.get("/healthz").headers["X-Request-Id"]
    assert first
    assert client.get("/healthz").headers["X-Request-Id"] != first


def test_urls_have_the_languages_of_the_settings():
    for language, _ in django_settings.LANGUAGES:
        with override(language):
            assert reverse("home") == f"/{language}/"
