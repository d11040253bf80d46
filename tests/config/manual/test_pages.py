"""The pages of the manual: the table of contents, the chapters, their links, the search."""

import re

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils.translation import override

from config.manual.chapters import SLUGS, manual_in

LANGUAGES = [code for code, _ in settings.LANGUAGES]

pytestmark = [pytest.mark.django_db, pytest.mark.portable]


def address(language, name="manual", **kwargs):
    with override(language):
        return reverse(name, kwargs=kwargs)


def page(client, url):
    found = client.get(url)
    assert found.status_code == 200
    return found.content.decode()


@pytest.mark.parametrize("language", LANGUAGES)
def test_contents_lead_to_every_chapter_in_the_readers_language(client, language):
    html = page(client, address(language))
    for chapter in manual_in(language).chapters:
        assert chapter.language == language
        assert f'href="/{language}/manual/{chapter.slug}/"' in html
        assert chapter.title in html


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", SLUGS)
def test_chapter_lists_its_sections_and_its_links_lead_somewhere(client, language, slug):
    html = page(client, address(language, "manual_chapter", slug=slug))
    for section in manual_in(language).chapters[SLUGS.index(slug)].sections:
        assert f'<a href="#{section.anchor}">' in html
        assert f'<h2 id="{section.anchor}"' in html
    for path, anchor in re.findall(rf'href="(/{language}/manual/[a-z]+/)#([^"]+)"', html):
        assert f'id="{anchor}"' in page(client, path), f"{path}#{anchor}"


def test_all_languages_have_the_same_sections_links_and_figures():
    def skeleton(chapter):
        pattern = r'<h2 id="[a-z-]+"|data-setting="[^"]+"|href="[^"]+"|<(?:p|li|dd)\b'
        found = re.findall(pattern, chapter.prose)
        return [part.replace(f"/{chapter.language}/", "/") for part in found]

    def figures(chapter):
        words = re.sub(r"<[^>]+>", " ", chapter.prose)
        return sorted(re.findall(r"\d{2,}", words))

    english = manual_in("en").chapters
    for language in LANGUAGES:
        for one, other in zip(english, manual_in(language).chapters, strict=True):
            assert sorted(skeleton(one)) == sorted(skeleton(other)), (language, one.slug)
            assert figures(one) == figures(other), (language, one.slug)


def test_anchors_are_unique_in_a_chapter():
    for chapter in manual_in("en").chapters:
        anchors = re.findall(r'\bid="([^"]+)"', chapter.prose)
        assert len(anchors) == len(set(anchors)), chapter.slug


def test_unknown_chapter_is_not_found(client):
    assert client.get("/en/manual/no-such-chapter/").status_code == 404


def test_search_marks_what_it_found_and_leads_to_it(client):
    html = page(client, "/en/manual/?q=forgot+my+password")
    assert 'href="/en/manual/account/#password"' in html
    assert "<mark>Forgot</mark>" in html
    assert 'value="forgot my password"' in html


def test_search_without_a_result_says_what_to_do(client):
    html = page(client, "/en/manual/?q=%3Cb%3Exyzzyqqq")
    assert "Nothing found for “&lt;b&gt;xyzzyqqq”" in html
    assert 'href="/support/"' in html
    assert 'href="/en/manual/start/"' in html


def test_result_of_the_search_leads_to_the_rules(client):
    html = page(client, address("tr") + "?q=pul kırılınca ne yapmalıyım")
    assert 'href="/tr/rules/short/#entering"' in html
    assert 'id="entering"' in page(client, "/tr/rules/short/")
