"""Pictures of every page for translators, not tests; tests/pictures/pages.py runs this file."""

import io
import os
from functools import partial
from html import escape
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page

from tests.journeys.test_access_everywhere import LANGUAGES, SHOWN_LINES, shown, walk
from tests.journeys.visitors import PHONE

__all__ = ["shown"]  # a fixture
QUALITY = 60
MOST_HEIGHT = 16_000  # px; the WebP format allows 16,383
STYLE = "body{font:14px sans-serif} figure{display:inline-block;width:300px;vertical-align:top}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_page_has_its_picture_taken(shown, open_context, live, watch, language):
    folder = Path(os.environ["PICTURES"])
    pages: list[str] = []
    context = open_context(viewport=PHONE, color_scheme="light")
    keep = partial(take, folder, pages)
    wrong = walk(shown, context, live, watch, language, keep, is_whole=True)
    with (folder / "index.html").open("a", encoding="utf-8") as index:
        index.write(f"<meta charset=utf-8><style>{STYLE}</style><h1>{language}</h1>")
        index.write("\n".join(pages))
    assert not wrong
    assert pages


def take(folder: Path, pages: list[str], page: Page, language: str, **_: bool) -> None:
    """Store the picture of an open page; add it and its texts to the pages of the index."""
    name = f"{language}-{len(pages) + 1}.webp"
    with Image.open(io.BytesIO(page.screenshot(full_page=True))) as shot:
        seen = shot.convert("RGB").crop((0, 0, shot.width, min(shot.height, MOST_HEIGHT)))
        seen.save(folder / name, "WEBP", quality=QUALITY)
    texts = escape(" · ".join(page.evaluate(SHOWN_LINES)))
    picture = f'<a href="{name}"><img src="{name}" width=280 loading=lazy alt=""></a>'
    pages.append(
        f"<figure>{picture}<figcaption>{escape(page.url)}<br>{texts}</figcaption></figure>"
    )
