"""Parts of pages that are fetched again when the site's socket nudges."""

import re

import pytest

TRIGGER = re.compile(r'<[a-z]+ [^<]*?hx-trigger="[^"]*nudge-[^"]*"[^<]*')
# A part that is fetched every few seconds anyway shows a missed change soon.
POLLED = re.compile(r"every [1-5]s")
# A trigger inside {% if %} does not count: it polls only while the condition holds.
SOMETIMES = re.compile(r"\{% if .*?\{% endif %\}")


def is_polled(tag):
    always = SOMETIMES.sub("", tag.split('hx-trigger="')[1].split('"')[0])
    return POLLED.search(always) is not None


@pytest.fixture
def nudged(settings):
    texts = (path.read_text() for path in (settings.BASE_DIR / "templates").rglob("*.html"))
    return [tag for text in texts for tag in TRIGGER.findall(text)]


REPLACED = re.compile(r'hx-trigger="[^>]*hx-swap="(?:outer|inner)HTML"')
LIVE_REGION = re.compile(r'<[^<>]*(?:role="status"|aria-live="(?!off"))[^<>]*>')


def test_a_part_that_is_replaced_has_no_live_region(settings):
    # Screen readers read only changes inside an element that stays. Scripts copy texts marked
    # `data-spoken` into such an element.
    texts = [path.read_text() for path in (settings.BASE_DIR / "templates").rglob("*.html")]
    parts = [text for text in texts if REPLACED.search(text)]
    assert len(parts) > 10
    unread = [region for text in parts for region in LIVE_REGION.findall(text)]
    # These regions stay: `copied` is inside an element with `hx-preserve`, and the other two are in
    # the card of a result, which is not replaced.
    kept = ('data-part="copied"', 'data-part="rematch"', 'data-part="verdict"')
    assert [region for region in unread if not any(part in region for part in kept)] == []


def test_a_nudge_during_a_request_causes_another_request(nudged):
    # Without hx-sync the nudge waits for the request; the answer replaces the waiting element, and
    # the second request is never sent.
    assert len(nudged) > 10
    careless = [tag for tag in nudged if "hx-sync=" not in tag and not is_polled(tag)]
    assert careless == []


def test_a_nudge_does_not_end_the_requests_of_buttons_and_links_in_the_part(nudged):
    replacing = [tag for tag in nudged if 'hx-sync="this:replace"' in tag]
    assert len(replacing) > 5
    assert [tag for tag in replacing if "hx-disinherit=" not in tag] == []


def test_a_nudged_part_is_fetched_again_after_a_reconnect_too(nudged):
    missing = [tag for tag in nudged if "nudge-any from:body" not in tag and not is_polled(tag)]
    assert missing == []


def test_no_request_from_outside_a_part_targets_the_part_that_a_nudge_replaces(settings):
    # The answer to a nudge would take the target away, and the other answer would be lost.
    files = [path.read_text() for path in (settings.BASE_DIR / "templates").rglob("*.html")]
    parts = {id: text for text in files for tag in TRIGGER.findall(text) for id in replaced(tag)}
    assert len(parts) > 10
    lost = [id for id, part in parts.items() for text in files if text != part and aims(text, id)]
    assert lost == []


def replaced(tag):
    """Return the id of a part that replaces itself."""
    is_itself = 'hx-swap="outerHTML"' in tag and "hx-target=" not in tag
    return re.findall(r' id="([^"]+)"', tag) if is_itself else []


def aims(text, id):
    return f'hx-target="#{id}"' in text
