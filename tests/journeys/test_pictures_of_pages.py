"""`python -m tests.pictures.pages` takes a picture of every page for translators."""

from functools import partial

from PIL import Image

from tests.journeys.pictures_of_pages import take
from tests.journeys.test_access_everywhere import walk
from tests.journeys.visitors import PHONE
from tests.pages.gallery import VISITOR


class OnePage:
    """A gallery with one page, for one visitor."""

    def addresses(self, who):
        return [("/en/terms/", 200)]


def test_a_page_gets_a_picture_and_its_texts(open_context, live, watch, tmp_path):
    pages = []
    shown = OnePage(), {VISITOR: None}
    context = open_context(viewport=PHONE)
    keep = partial(take, tmp_path, pages)
    assert not walk(shown, context, live, watch, "en", keep, is_whole=True)
    with Image.open(tmp_path / "en-1.webp") as picture:
        assert picture.width == PHONE["width"]
    assert len(pages) == 1
    assert "Terms" in pages[0]
