"""Each chapter of the manual has its picture in each language, taken by one command."""

import pytest
from django.conf import settings
from django.utils.translation import override
from PIL import Image

from config.manual.chapters import SLUGS, manual_in
from config.manual.pictures import ALTS, HEIGHT, WIDTH, path_of, picture_of
from tests.pictures.manual import VISITS

LANGUAGES = [code for code, _ in settings.LANGUAGES]
STATIC = settings.BASE_DIR / "static"
MOST_BYTES = 1_500_000  # of all pictures together


def test_the_command_takes_a_picture_of_each_chapter_and_each_has_its_text():
    assert set(VISITS) == set(ALTS) == set(SLUGS)


def test_each_language_has_all_pictures_in_the_size_that_the_page_leaves_for_them():
    total = 0
    for language in LANGUAGES:
        for slug in SLUGS:
            path = STATIC / path_of(slug, language)
            total += path.stat().st_size
            with Image.open(path) as picture:
                assert (picture.width, picture.height) == (WIDTH, HEIGHT), path
    assert total < MOST_BYTES


def test_language_without_pictures_shows_the_english_ones():
    assert picture_of("table", "xx").path == path_of("table", "en")
    assert picture_of("table", "tr").path == path_of("table", "tr")


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_chapter_shows_its_picture_with_text_and_size(client, language):
    html = client.get(f"/{language}/manual/dice/").content.decode()
    picture = manual_in(language).chapters[SLUGS.index("dice")].picture
    assert f'src="/static/{picture.path}"' in html
    assert f'width="{WIDTH}" height="{HEIGHT}" loading="lazy"' in html
    with override(language):
        assert f'alt="{picture.alt}"' in html
