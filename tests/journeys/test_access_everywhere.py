"""Accessibility of every page in every language: axe, overflow, and text in another language.

The long form opens every page in each language. The short form opens each page once, on a phone and
on a desk, the pages by turns in Russian, English and Turkish. It finds every fault of a page that
does not depend on its language and every fault that all pages of a language have; a fault of one
page in one language it finds one time in three. tests/pages/test_languages.py looks for foreign
text on every page in each language, but does not run the scripts.
"""

from concurrent.futures import ThreadPoolExecutor
from itertools import cycle

import pytest
from django.db import connections
from django.utils import translation

from accounts.models import Preferences
from tests.accounts.social.fake_facebook import facebook_with_keys
from tests.accounts.social.fake_sites import KEYS, settings_with
from tests.journeys.test_access import LANGUAGES, LOOKS, assert_accessible
from tests.journeys.visitors import NARROW, continue_session, set_language
from tests.pages.foreign_words import foreign
from tests.pages.gallery import VISITOR, make_gallery
from tests.support.lengths import IS_LONG

SHOWN_LINES = """() => document.body.innerText.split('\\n').filter((line) => line.trim())"""
HIDE_WHAT_IS_NO_PROSE = """() => document.querySelectorAll('body [lang], pre, code')
.forEach((each) => {
  if (!each.lang || each.lang !== document.documentElement.lang) each.hidden = true;
})"""
UNFOLD = """() => document.querySelectorAll('details.advanced, .filter-fold')
  .forEach((each) => { each.open = true; })"""
# Diagrams and the board are drawn, and no part of the page is being fetched.
IS_COMPLETE = """() => {
  const table = document.querySelector('[data-part=table]');
  return !document.querySelector('.diagram:not(.is-drawn), .htmx-request')
    && (!table || Boolean(table.dataset.seq));
}"""
# Chromium logs these of addresses whose answer is an error page, as the gallery expects.
ERROR_PAGES = ("401", "404", "410")


@pytest.fixture
def shown(unhurried, transactional_db, settings, monkeypatch):
    """Write to the database in another thread, as `visitors.finished_match` does."""

    def make():
        try:
            gallery = make_gallery()
            return gallery, gallery.browsers()
        finally:
            connections.close_all()

    with facebook_with_keys(settings, monkeypatch), ThreadPoolExecutor(1) as pool:
        settings.SOCIALACCOUNT_PROVIDERS |= settings_with(*set(KEYS) - {"facebook"})
        yield pool.submit(make).result()


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page(shown, open_context, live, watch, language):
    context = open_context(viewport=NARROW)
    wrong = walk(shown, context, live, watch, language)
    assert not wrong, "\n".join(f"{where}: {why}" for where, why in wrong.items())


def walk(shown, context, live, watch, language):
    """Open every page for every kind of visitor; return the failures by URL.

    The short form opens the pages whose turn this language is.
    """
    gallery, browsers = shown
    Preferences.objects.update(language=language)
    for status in ERROR_PAGES:
        watch.expect_error(status)
    set_language(context, live, language)
    page, wrong, turns = context.new_page(), {}, cycle(LANGUAGES)
    for who, browser in browsers.items():
        if who != VISITOR:
            continue_session(context, live, browser)
        with translation.override(language):
            addresses = gallery.addresses(who)
        for address, status in addresses:
            turn = next(turns)
            if not IS_LONG and turn != language:
                continue
            try:
                open_whole(page, address, status)
                check(page, language)
            except AssertionError as error:
                wrong[f"{who} {address}"] = str(error)[:1500]
    return wrong


def open_whole(page, address, status):
    assert page.goto(address).status == status
    page.wait_for_function(IS_COMPLETE)
    page.evaluate(UNFOLD)


def check(page, language):
    # Texts differ from language to language; what a wide page looks like hardly does.
    is_wide_too = language == "ru" or not IS_LONG
    assert_accessible(page, language, LOOKS[:2] if is_wide_too else LOOKS[:1])
    page.evaluate(HIDE_WHAT_IS_NO_PROSE)
    assert foreign(page.evaluate(SHOWN_LINES), language) == []
