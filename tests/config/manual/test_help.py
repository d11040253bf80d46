"""The pages of the site lead to the parts of the manual that explain them."""

import re

import pytest
from django.conf import settings
from django.utils.translation import override

from config.manual.chapters import manual_in
from config.manual.help import PART_OF_PAGE, help_url
from tests.accounts.factories import UserFactory, sign_in
from tests.pages.gallery import PAGES

LANGUAGES = [code for code, _ in settings.LANGUAGES]


def test_each_page_has_its_part_of_the_manual():
    own_pages = {"manual", "manual_chapter"}  # of the manual itself: they need no help
    assert set(PART_OF_PAGE) == set(PAGES) - own_pages


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_part_of_the_manual_exists(language):
    parts = {
        place
        for chapter in manual_in(language).chapters
        for place in (chapter.slug, *(f"{chapter.slug}#{s.anchor}" for s in chapter.sections))
    }
    assert set(PART_OF_PAGE.values()) <= parts


def test_address_of_the_part_is_in_the_readers_language():
    with override("tr"):
        assert help_url("shop:gifts") == "/tr/manual/credits/#gifts"
    assert help_url("manual") == help_url("admin:index") == ""


@pytest.mark.django_db
@pytest.mark.portable
def test_footer_and_menu_link_to_the_part_of_the_page(client):
    visitor = client.get("/play/").content.decode()
    assert re.search(r'<footer.*href="/en/manual/people/">Help with this page<', visitor, re.DOTALL)
    sign_in(client, UserFactory(member=True))
    member = client.get("/shop/gifts/").content.decode()
    assert member.count('href="/en/manual/credits/#gifts"') == 2
    manual = client.get("/en/manual/").content.decode()
    assert "Help with this page" not in manual
