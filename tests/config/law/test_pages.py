"""The pages of the terms: built alike in every language, dated, and true to the settings."""

import re

import pytest
from django.conf import settings as django_settings
from django.urls import reverse
from django.utils.translation import override

from accounts.law.versions import versions_in
from accounts.times.texts import day_text_of
from config.law.figures import kept_days
from config.law.views import FILES

pytestmark = [pytest.mark.django_db, pytest.mark.portable]
LANGUAGES = [code for code, _ in django_settings.LANGUAGES]


def text_of(client, name, language="en"):
    with override(language):
        address = reverse(name)
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def article_of(page):
    return re.search(r"<article.*?</article>", page, re.DOTALL)[0]


@pytest.mark.parametrize("name", FILES)
def test_all_languages_have_the_same_headings_paragraphs_and_links(client, name):
    def skeleton(language):
        article = article_of(text_of(client, name, language))
        links = re.findall(r'href="/(?:en|ru|tr)(/[^"]+)', article)
        return re.findall(r'<h2 id="([a-z-]+)"|<(li|p)\b', article), sorted(links)

    skeletons = [skeleton(language) for language in LANGUAGES]
    assert len(skeletons[0][0]) > 10
    assert all(each == skeletons[0] for each in skeletons)


def test_versions_have_the_same_days_and_number_of_changes_in_every_language():
    shapes = {
        language: [(each.day, len(each.changes)) for each in versions_in(language)]
        for language in LANGUAGES
    }
    days = [day for day, _ in shapes["en"]]
    assert days == sorted(set(days), reverse=True)
    assert all(shape == shapes["en"] for shape in shapes.values())
    assert all(changes for shape in shapes.values() for _, changes in shape)


@pytest.mark.parametrize("name", FILES)
def test_page_names_its_version_and_what_changed(client, name):
    newest = versions_in("en")[0]
    page = text_of(client, name)
    assert f"Version of {day_text_of(newest.day)}" in page
    assert newest.changes[0] in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_page_about_data_says_how_long_each_thing_is_kept(client, language):
    article = article_of(text_of(client, "privacy", language))
    kept = re.search(r'<h2 id="kept">.*?<h2', article, re.DOTALL)[0]
    figures = re.findall(r"\d+", re.sub(r"<[^>]+>", "", kept))
    assert {str(days) for days in kept_days().values()} <= set(figures)


def test_operator_and_ways_to_write_are_those_of_the_settings(client, settings):
    settings.OPERATOR, settings.SUPPORT_EMAIL = "", ""
    assert "on request" in text_of(client, "terms")
    settings.OPERATOR, settings.SUPPORT_EMAIL = "Example Games Ltd", "help@example.org"
    for name in ("terms", "privacy"):
        page = text_of(client, name)
        assert "Example Games Ltd" in page
        assert "help@example.org" in page


def test_age_is_that_of_the_settings_or_left_out(client, settings):
    settings.MINIMUM_AGE = 21
    assert "aged 21 or older" in text_of(client, "terms")
    settings.MINIMUM_AGE = 0
    for name in ("terms", "responsible_play"):
        assert "or older" not in article_of(text_of(client, name))


def test_pages_where_guests_begin_a_game_mention_the_terms(client):
    for address in ("/training/", "/play/friend/"):
        assert "apply to guests too" in client.get(address).content.decode()
