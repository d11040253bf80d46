"""Two members write to each other: live, while one is offline, and after block and report."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from chat.models import Report
from chat.services import moderation
from tests.accounts.factories import member, staff
from tests.journeys.duel import in_own_thread, until
from tests.journeys.test_access import assert_accessible, languages_of
from tests.journeys.visitors import DESK, PHONE, come_as_member, set_language

# The conversation has fetched its lines again, as it does once its socket is live.
HAS_FETCHED = """() => performance.getEntriesByType("resource")
  .some((each) => each.initiatorType === "xmlhttprequest" && each.name.includes("/chat/with/"))"""


@pytest.fixture
def pair(live):
    return in_own_thread(lambda: (member("anna55"), member("boris55")))


@pytest.fixture
def open_page(open_context, live):
    def make(user, size, language="en", address="/chat/"):
        context = open_context(viewport=size)
        come_as_member(context, live, user)
        set_language(context, live, language)
        page = context.new_page()
        page.goto(address)
        return page

    return make


def write(page, text):
    page.locator("textarea[name=text]").fill(text)
    page.locator(".write button").click()
    expect(page.locator(".is-own .line-body").last).to_have_text(text)
    expect(page.locator("textarea[name=text]")).to_have_value("")


def last(page):
    return page.locator(".line .line-body").last


def await_live(page):
    """Wait until an open conversation is live and has fetched its lines.

    If the conversation has no unread messages, none of its other requests is under way then.
    """
    expect(page.locator("body")).to_have_attribute("data-site-line", "live")
    page.wait_for_function(HAS_FETCHED)


def with_(user):
    return f"/chat/with/{user.public_id}/"


def test_messages_arrive_live_and_wait_for_a_member_who_is_offline(pair, open_page, watch):
    anna, boris = pair
    annas = open_page(anna, DESK, address=with_(boris))
    phone = open_page(boris, PHONE)
    expect(phone.locator("body")).to_have_attribute("data-site-line", "live")
    write(annas, "Shall we play?")
    expect(phone.locator(".inbox .badge")).to_have_text("1")
    expect(phone.locator(".person-row.is-unread .person-last")).to_have_text("Shall we play?")
    phone.locator(".person-open").click()
    expect(last(phone)).to_have_text("Shall we play?")
    expect(annas.locator(".is-own .line-about").last).to_contain_text("read")
    expect(phone.locator(".inbox .badge")).to_have_count(0)

    await_live(phone)
    # Reading a message starts requests of the header and of the lines too; they may fail offline.
    for text in ("ERR_INTERNET_DISCONNECTED", "htmx:sendError"):
        watch.expect_error(text)
    phone.context.set_offline(True)
    write(annas, "Are you still there?")
    phone.context.set_offline(False)
    expect(last(phone)).to_have_text("Are you still there?")
    phone.locator("textarea[name=text]").fill("A draft")
    write(annas, "Hello?")
    expect(last(phone)).to_have_text("Hello?")
    expect(phone.locator("textarea[name=text]")).to_have_value("A draft")
    write(phone, "Yes")
    expect(last(annas)).to_have_text("Yes")
    annas.locator("textarea[name=text]").fill("By Enter")
    annas.keyboard.press("Enter")
    expect(last(phone)).to_have_text("By Enter")


def test_text_typed_while_a_message_is_being_sent_stays_in_the_field(pair, open_page):
    anna, boris = pair
    page = open_page(anna, DESK, address=with_(boris))
    await_live(page)
    held = []

    def hold(route):
        if route.request.method == "POST" and not held:
            held.append((route, route.fetch()))
        else:
            route.continue_()

    page.route("**/chat/with/**", hold)
    field = page.locator("textarea[name=text]")
    field.press_sequentially("first")
    field.press("Enter")
    until(page, lambda: held)
    field.press_sequentially(" second")
    field.press("Enter")
    field.press("ArrowLeft")
    route, answer = held[0]
    route.fulfill(response=answer)
    expect(field).to_have_value("second")
    page.keyboard.type("-")
    expect(field).to_have_value("secon-d")
    field.press("Enter")
    expect(last(page)).to_have_text("secon-d")
    expect(field).to_have_value("")
    expect(page.locator(".is-own")).to_have_count(2)


def hide_tab(page, is_hidden):
    """Let the page behave as if the reader had changed to another tab, or had come back."""
    page.evaluate(
        """isHidden => {
          Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        is_hidden,
    )


def test_a_message_that_arrives_in_a_hidden_tab_is_read_when_the_reader_comes_back(pair, open_page):
    anna, boris = pair
    annas, boriss = (
        open_page(*each)
        for each in ((anna, PHONE, "en", with_(boris)), (boris, DESK, "en", with_(anna)))
    )
    await_live(boriss)
    hide_tab(boriss, True)
    write(annas, "Are you there?")
    expect(last(boriss)).to_have_text("Are you there?")
    expect(boriss.locator(".inbox .badge")).to_have_text("1")
    expect(annas.locator(".is-own .line-about").last).not_to_contain_text("read")
    hide_tab(boriss, False)
    expect(annas.locator(".is-own .line-about").last).to_contain_text("read")
    expect(boriss.locator(".inbox .badge")).to_have_count(0)


def test_message_arrives_while_the_messages_are_fetched(pair, open_page):
    anna, boris = pair
    annas, boriss = (
        open_page(*each)
        for each in ((anna, PHONE, "en", with_(boris)), (boris, DESK, "en", with_(anna)))
    )
    await_live(boriss)
    requests, held = [], []

    def hold(route):
        requests.append(route)
        if len(requests) > 1:
            route.continue_()
        else:
            held.append((route, route.fetch()))

    boriss.route("**/chat/with/**", hold)
    write(annas, "The first")
    until(boriss, lambda: held)
    write(annas, "The second")
    boriss.wait_for_timeout(500)  # for the nudge, which shows nothing while the answer is held
    route, answer = held[0]
    route.fulfill(response=answer)
    expect(last(boriss)).to_have_text("The second")


def test_sender_is_blocked_unblocked_reported_and_silenced_and_appeals(pair, open_page, on_site):
    anna, boris = pair
    annas, boriss = (
        open_page(*each)
        for each in ((anna, PHONE, "en", with_(boris)), (boris, DESK, "en", with_(anna)))
    )
    write(annas, "Rude words")
    expect(last(boriss)).to_have_text("Rude words")
    boriss.locator(".block-place summary").click()
    boriss.locator(".block-place .button-danger").click()
    expect(boriss.locator(".messages .success")).to_be_visible()
    boriss.goto(with_(anna))
    boriss.get_by_role("button", name="Unblock").click()
    expect(boriss.locator("textarea[name=text]")).to_be_visible()

    boriss.get_by_role("link", name="Report").click()
    boriss.get_by_role("button", name="Report this message").click()
    expect(boriss.locator(".messages .success")).to_be_visible()

    def silence():
        moderation.silence(
            Report.objects.get(), staff("boss55"), timedelta(days=1), timezone.now(), "Insults"
        )

    on_site(silence)
    annas.reload()
    expect(annas.locator("textarea[name=text]")).to_have_count(0)
    annas.locator(".conversation .notice a").click()
    expect(annas.locator("main")).to_contain_text("Insults")
    annas.locator("textarea[name=appeal]").fill("I am sorry")
    annas.locator("main form button").click()
    expect(annas.locator(".messages .success")).to_be_visible()


@pytest.mark.parametrize("language", languages_of(2))
def test_pages_of_messages_are_accessible(pair, open_page, language):
    anna, boris = pair
    page = open_page(anna, PHONE, language, with_(boris))
    write(page, "Hello " * 30)
    write(page, "https://example.org/" + "x" * 200)
    assert_accessible(page, language)
    page.goto("/chat/")
    page.locator(".reach summary").click()
    assert_accessible(page, language)
