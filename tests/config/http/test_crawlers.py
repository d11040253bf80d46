"""The public pages of every language, as a search engine finds them."""

import re
from xml.etree import ElementTree

import pytest
from django.conf import settings as django_settings
from django.template.loader import render_to_string
from django.utils.translation import override

from accounts.shared.prose import prose_of

NAMES = {
    "page": "http://www.sitemaps.org/schemas/sitemap/0.9",
    "xhtml": "http://www.w3.org/1999/xhtml",
}
LANGUAGES = [code for code, _ in django_settings.LANGUAGES]

pytestmark = [pytest.mark.django_db, pytest.mark.portable]


def urls_of(client):
    found = client.get("/sitemap.xml")
    assert found.headers["Content-Type"] == "application/xml"
    return ElementTree.fromstring(found.content).findall("page:url", NAMES)


def address_of(url):
    return url.find("page:loc", NAMES).text


def test_sitemap_lists_each_public_page_in_each_language_and_each_answers(client):
    addresses = [address_of(url) for url in urls_of(client)]
    assert len(addresses) == len(set(addresses))
    for language in LANGUAGES:
        for path in ("about/", "manual/dice/", "lessons/short/cube/", "lessons/long/head/"):
            assert f"http://testserver/{language}/{path}" in addresses
    for address in addresses:
        assert client.get(address).status_code == 200


def test_sitemap_names_the_same_translations_as_the_page_itself(client):
    for url in urls_of(client):
        links = url.findall("xhtml:link", NAMES)
        page = client.get(address_of(url)).content.decode()
        named = re.findall(r'rel="alternate" hreflang="(\w+)" href="([^"]+)"', page)
        assert [(link.get("hreflang"), link.get("href")) for link in links] == named


def test_canonical_address_leaves_out_the_query(client):
    page = client.get("/ru/about/?utm_source=x").content.decode()
    assert '<link rel="canonical" href="http://testserver/ru/about/">' in page


def test_page_without_a_language_in_its_address_has_no_canonical_one(client):
    assert "canonical" not in client.get("/whats-new/").content.decode()


def test_addresses_begin_with_the_address_of_the_site(client, settings):
    settings.SITE_URL = "https://gammon.example"
    assert all(address_of(url).startswith("https://gammon.example/") for url in urls_of(client))
    robots = client.get("/robots.txt", headers={"host": "testserver:81"}).content.decode()
    assert "Sitemap: https://gammon.example/sitemap.xml" in robots


def test_robots_txt_disallows_closed_addresses_only(client):
    lines = client.get("/robots.txt").content.decode().splitlines()
    closed = [line.removeprefix("Disallow: ") for line in lines if line.startswith("Disallow: ")]
    assert "/account/" in closed
    public = [address_of(url).removeprefix("http://testserver") for url in urls_of(client)]
    assert not [path for path in public if path.startswith(tuple(closed))]


@pytest.mark.parametrize("language", LANGUAGES)
def test_about_page_has_the_same_sections_in_every_language(client, language):
    page = client.get(f"/{language}/about/").content.decode()
    anchors = re.findall(r'<h2 id="([a-z]+)">', page)
    assert anchors == ["site", "short", "long", "dice", "fair"]


def test_about_page_is_english_in_a_language_nobody_has_translated_it_to(client):
    with override("de"):
        page = render_to_string("about/page.html", {"prose": prose_of("about")})
    english = render_to_string("en/pages/about.html")
    assert f'<div lang="en">{english}</div>' in page
