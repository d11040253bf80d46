"""Accessibility of pages in use, such as open dialogs: axe's WCAG rules, and no overflow.

test_access_everywhere.py checks every page as it opens. A test that runs in all languages in the
long form runs in one of them in the short form; the test of the table runs in two. The short form
finds every fault that does not depend on the language. It finds a text that is too long, or a
missing name, only if the test happens to run in the language of the fault.
"""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.journeys.player import Player, start_training
from tests.journeys.visitors import DESK, NARROW, come_as_guest, finished_match, set_language
from tests.support.lengths import IS_LONG, length

LANGUAGES = ["ru", "en", "tr"]
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
OPTIONS = {
    "runOnly": {"type": "tag", "values": TAGS},
    "resultTypes": ["violations"],
    # No rule with these tags reads style sheets, which axe would copy before each run.
    "preload": {"assets": ["media"]},
}
# Rules that a translation can break: the names of controls, and the language itself.
NAMES = [
    "aria-command-name",
    "aria-dialog-name",
    "aria-input-field-name",
    "aria-progressbar-name",
    "aria-toggle-field-name",
    "aria-tooltip-name",
    "button-name",
    "document-title",
    "frame-title",
    "html-has-lang",
    "html-lang-valid",
    "image-alt",
    "input-button-name",
    "label",
    "link-name",
    "role-img-alt",
    "select-name",
    "svg-img-alt",
    "valid-lang",
]
ONLY_NAMES = OPTIONS | {"runOnly": {"type": "rule", "values": NAMES}}
# Narrow and wide, dark and light.
LOOKS = [(NARROW, "dark"), (DESK, "light"), (NARROW, "light"), (DESK, "dark")]

# The same code draws all boards of a rules page, so axe checks only the first one in full.
SAME_AGAIN = [".diagram ~ .diagram .board > *"]
# Two thirds of the elements of most pages, and the same on all pages of a visitor.
ON_EVERY_PAGE = [".site-header", ".site-footer"]


def languages_of(number: int) -> list[str]:
    """Return the languages of a test; in the short form one, selected by the test's number."""
    return LANGUAGES if IS_LONG else [LANGUAGES[number % len(LANGUAGES)]]


# Wait until changed colors are painted: inherited ones take a few frames.
AT_REST = """async () => {
  for (let quiet = 0, frame = 0; quiet < 5 && frame < 200; frame += 1) {
    await new Promise(requestAnimationFrame);
    quiet = document.getAnimations().length ? 0 : quiet + 1;
  }
}"""

# Text that overflows its box. Boxes that scroll by design have an overflow style.
STICKING_OUT = """() => [...document.querySelectorAll(
    'button, a.button, summary, .places a, label, legend, h1, h2, h3, th, td, dt, dd')]
  .filter((element) => element.checkVisibility() && element.clientWidth > 1
    && !element.closest('.visually-hidden, .table-scroll, pre')
    && element.scrollWidth > element.clientWidth + 1
    && getComputedStyle(element).display !== 'inline')
  .map((element) => `${element.tagName} ${element.className}: ${element.textContent.trim()}`)"""


# A bar at the window's edge covers targets until a scroll; axe would call them too small.
UNPIN = """() => document.querySelectorAll('body *').forEach((element) => {
  if (getComputedStyle(element).position === 'sticky') element.style.position = 'static';
})"""
# Load axe once for a page, and report violations only.
AXE_IS_THERE = "Boolean(window.axe)"
RUN_AXE = "async (given) => (await axe.run(...given)).violations"


def axe_violations(page, options, left_out=()):
    """Return the violations, with axe's reason for the first few places."""
    if not page.evaluate(AXE_IS_THERE):
        page.evaluate(Axe().axe_script)
    page.evaluate(UNPIN)
    return [
        f"{violation['id']}: {node['target']}: {node['failureSummary']}"
        for violation in page.evaluate(RUN_AXE, [{"exclude": [*SAME_AGAIN, *left_out]}, options])
        for node in violation["nodes"][:5]
    ]


def assert_accessible(
    page, language, looks=LOOKS[:2], *, is_only_language=False, with_header=IS_LONG
):
    """Check every look for overflow, and by axe.

    In the short form axe leaves header and footer out: it checks them in the test of the header,
    and on the first page of each kind of visitor in the walk through all pages.

    Looks differ in colors and layout, languages in texts and labels. In the long form axe applies
    all rules in every look for Russian, for the only language of a page and where `looks` is
    `LOOKS`; for any other language it applies the rules about names, in the first look. In the
    short form a page is checked in one language and its first two looks, so only the long form
    finds a fault that only narrow light or wide dark pages have.
    """
    left_out = () if with_header else ON_EVERY_PAGE
    every_look = language == "ru" or is_only_language or looks is LOOKS or not IS_LONG
    expect(page.locator("html")).to_have_attribute("lang", language)
    page.wait_for_load_state()  # a click on a link returns at the first bytes of the next page
    for viewport, scheme in looks if IS_LONG else looks[:2]:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.set_viewport_size(viewport)
        page.evaluate(AT_REST)
        where = (page.url, viewport["width"], scheme)
        if every_look or (viewport, scheme) == looks[0]:
            options = OPTIONS if every_look else ONLY_NAMES
            assert axe_violations(page, options, left_out) == [], where
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), where
        assert page.evaluate(STICKING_OUT) == [], where


@pytest.fixture
def finished(transactional_db):
    """Return a guest's finished match. Request it before `visit`, so that no worker runs yet."""
    return finished_match("long")


@pytest.fixture
def visit(open_context, live):
    def make(language, guest=None):
        context = open_context(viewport=NARROW)
        set_language(context, live, language)
        if guest:
            come_as_guest(context, live, guest)
        return context.new_page()

    return make


@pytest.mark.parametrize("language", languages_of(0))
def test_training_form_with_all_choices_open_is_accessible(visit, language):
    page = visit(language)
    page.goto("/training/")
    for summary in page.locator("details.advanced > summary").all():
        summary.click()
    assert_accessible(page, language, LOOKS if language == "ru" else LOOKS[:2])


def test_training_form_with_errors_is_accessible(visit, watch):
    watch.expect_error("422")
    page = visit("ru")
    page.goto("/training/")
    page.locator("[name=length]").fill("99")
    page.locator("[name=length]").press("Enter")
    expect(page.locator(".notice.error")).to_be_visible()
    assert_accessible(page, "ru")


@pytest.mark.parametrize(
    ("language", "variant"), [("ru", "long"), ("en", "short"), ("tr", "long")][: length(2, 3)]
)
def test_table_and_dialog_are_accessible(visit, language, variant):
    page = visit(language)
    start_training(page, variant, length=3)
    Player(page).wait()
    assert_accessible(page, language, LOOKS if language == "en" else LOOKS[:2])
    page.get_by_test_id("more").click()
    expect(page.get_by_test_id("close-more")).to_be_visible()
    assert_accessible(page, language, LOOKS[:1])


def test_table_in_high_contrast_is_accessible(visit):
    page = visit("en")
    start_training(page, "short")
    page.context.add_cookies([{"name": "theme", "value": "contrast", "url": page.url}])
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "contrast")
    Player(page).wait()
    assert_accessible(page, "en", is_only_language=True)


@pytest.mark.parametrize("language", languages_of(1))
def test_result_and_review_are_accessible(finished, visit, language):
    page = visit(language, finished.guest)
    page.goto(f"/match/{finished.public_id}/")
    expect(page.get_by_test_id("match-result")).to_be_visible()
    assert_accessible(page, language)
    page.get_by_test_id("review-link").click()
    expect(page.locator("h1")).to_be_visible()
    assert_accessible(page, language)


def test_lists_of_running_and_finished_matches_are_accessible(finished, visit):
    page = visit("tr", finished.guest)
    start_training(page, "short", length=5)
    page.goto("/training/")
    expect(page.locator(".match-row")).to_have_count(2)
    assert_accessible(page, "tr", is_only_language=True)
    page.goto("/tr/")
    expect(page.locator(".resume")).to_have_count(1)
    assert_accessible(page, "tr", is_only_language=True)
