"""Accessibility of every page in every language: axe, overflow, and text in another language.

The long form opens every page in each language. The short form opens each page in one language, on
a phone and on a desk: the first page in Russian, the next in English, the next in Turkish, and so
on. It finds every fault of a page that does not depend on the language, and every fault that all
pages of a language have, but only a third of the faults of one page in one language. Both forms
open every page in the pseudo-locale, whose texts are longer. tests/pages/test_languages.py looks
for foreign text on every page in each language, but does not run the scripts.
"""

from concurrent.futures import ThreadPoolExecutor
from itertools import cycle

import pytest
from django.db import connections
from django.utils import translation
from django.utils.translation import trans_real

from accounts.models import Preferences
from config.i18n import script_texts
from config.i18n.pseudo_locale import write_pseudo_locale
from tests.accounts.social.fake_facebook import facebook_with_keys
from tests.accounts.social.fake_sites import KEYS, settings_with
from tests.journeys.test_access import LANGUAGES, LOOKS, STICKING_OUT, assert_accessible
from tests.journeys.visitors import NARROW, continue_session, set_language
from tests.pages.foreign_words import foreign
from tests.pages.gallery import VISITOR, make_gallery
from tests.support.lengths import IS_LONG

SHOWN_LINES = """() => document.body.innerText.split('\\n').filter((line) => line.trim())"""
HIDE_WHAT_IS_NO_PROSE = """() => document.querySelectorAll('body [lang], pre, code')
.forEach((each) => {
  if (!each.lang || each.lang !== document.documentElement.lang) each.hidden = true;
})"""
# Both at once, since a part that is fetched meanwhile would bring back what is hidden.
PROSE_LINES = f"() => {{ ({HIDE_WHAT_IS_NO_PROSE})(); return ({SHOWN_LINES})(); }}"
UNFOLD = """() => document.querySelectorAll('details.advanced, .filter-fold, .later-dates')
  .forEach((each) => { each.open = true; })"""
# Diagrams and the board are drawn, and no part of the page is being fetched.
IS_COMPLETE = """() => {
  const table = document.querySelector('[data-part=table]');
  return !document.querySelector('.diagram:not(.is-drawn), .htmx-request')
    && (!table || Boolean(table.dataset.seq));
}"""
# Text that its box cuts off for lack of room. Boxes of one pixel are for screen readers.
# Some texts are cut short on purpose: names; at the table also the unit of the pips, the rating,
# which the player card shows too, and the news, which the list of moves shows too.
CLIPPED = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const apart = `.visually-hidden, .name, .player-name, .strip-name, .strip-pips, .strip-rating,
    .news, .table-scroll, pre, svg, [lang]:not(html)`;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || !parent.checkVisibility({ visibilityProperty: true })) continue;
    if (parent.closest(apart)) continue;
    range.selectNodeContents(node);
    const text = range.getBoundingClientRect();
    for (let box = parent; box !== document.body; box = box.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(box);
      const { left, right, top, bottom, width } = box.getBoundingClientRect();
      const hides = (overflow) => overflow === 'hidden' || overflow === 'clip';
      const isCut = hides(overflowX) && (text.right > right + 1 || text.left < left - 1)
        || hides(overflowY) && (text.bottom > bottom + 2 || text.top < top - 2);
      if (isCut && width > 1) found.push(`${box.tagName} ${box.className}: ${node.data.trim()}`);
      if (overflowX === 'auto' || overflowX === 'scroll') break;
    }
  }
  return found;
}"""
# Elements that make the page wider than the window.
WIDER = """() => document.documentElement.scrollWidth <= innerWidth ? []
  : [...document.querySelectorAll('body *')]
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
    .map((element) => `wider: ${element.tagName} ${element.textContent.trim().slice(0, 40)}`)"""
SMALLEST = {"width": 320, "height": 640}
# The gallery has pages that answer with these statuses, which Chromium logs as errors.
ERROR_PAGES = ("401", "404", "410")


@pytest.fixture
def shown(unhurried, transactional_db, settings, monkeypatch):
    """Return the gallery and a browser of each visitor.

    They are made in a thread of their own, as in `visitors.finished_match`.
    """

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
def test_every_page_is_accessible(shown, open_context, live, watch, language):
    context = open_context(viewport=NARROW)
    wrong = walk(shown, context, live, watch, language, check, is_whole=IS_LONG)
    assert not wrong, "\n".join(f"{where}: {why}" for where, why in wrong.items())


def walk(shown, context, live, watch, language, check_page, *, is_whole):
    """Open every page for every kind of visitor; return the failures by visitor and URL.

    Unless `is_whole`, open only every third page: the languages take turns.
    """
    gallery, browsers = shown
    Preferences.objects.update(language=language)
    for status in ERROR_PAGES:
        watch.expect_error(status)
    set_language(context, live, language)
    page, wrong, turns, seen = context.new_page(), {}, cycle(LANGUAGES), set()
    for who, browser in browsers.items():
        if who != VISITOR:
            continue_session(context, live, browser)
        with translation.override(language):
            addresses = gallery.addresses(who)
        for address, status in addresses:
            turn = next(turns)
            if not is_whole and turn != language:
                continue
            try:
                open_whole(page, address, status)
                check_page(page, language, with_header=IS_LONG or who not in seen)
                seen.add(who)
            except AssertionError as error:
                wrong[f"{who} {address}"] = str(error)[:1500]
    return wrong


def open_whole(page, address, status):
    assert page.goto(address).status == status
    page.wait_for_function(IS_COMPLETE)
    page.evaluate(UNFOLD)


def check(page, language, *, with_header):
    # The texts differ from language to language, but the layout of a wide page hardly does.
    is_wide_too = language == "ru" or not IS_LONG
    looks = LOOKS[:2] if is_wide_too else LOOKS[:1]
    assert_accessible(page, language, looks, with_header=with_header)
    assert foreign(page.evaluate(PROSE_LINES), language) == []


@pytest.fixture
def pseudo_english(settings, tmp_path):
    """Show English as the pseudo-locale, whose texts are a third longer."""
    write_pseudo_locale(settings.LOCALE_DIR, tmp_path / "locale")
    settings.LOCALE_PATHS = [tmp_path / "locale"]
    forget_texts()
    yield
    forget_texts()


def forget_texts():
    trans_real._translations.clear()
    script_texts._kept.cache_clear()


@pytest.mark.slow
@pytest.mark.usefixtures("pseudo_english")
def test_no_text_is_clipped_in_the_longer_pseudo_locale(shown, open_context, live, watch):
    context = open_context(viewport=SMALLEST)
    wrong = walk(shown, context, live, watch, "en", check_that_texts_fit, is_whole=True)
    assert not wrong, "\n".join(f"{where}: {why}" for where, why in wrong.items())


def check_that_texts_fit(page, _language, *, with_header):
    assert [
        each for script in (WIDER, STICKING_OUT, CLIPPED) for each in page.evaluate(script)
    ] == []
