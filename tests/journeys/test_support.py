"""From a question to its answer: a member asks on a desktop, staff answer, a phone shows it.

A visitor without an account asks without script.
"""

import re

from playwright.sync_api import expect

from accounts.models import OutgoingEmail
from chat.models import AnswerPreset
from tests.accounts.factories import member, staff
from tests.journeys.test_access import LOOKS, assert_accessible
from tests.journeys.usable import assert_pressable
from tests.journeys.visitors import DESK, NARROW, PHONE, come_as_member, set_language


def begin():
    AnswerPreset.objects.create(name="Reserved", language="en", text="They are reserved.")
    return member("anna55"), staff("boss55")


def opened(open_context, live, user, size, address="/en/", **more):
    context = open_context(viewport=size, **more)
    if user is not None:
        come_as_member(context, live, user)
    page = context.new_page()
    page.goto(address)
    return page


def answer_it(page):
    """Answer the only request as staff: a ready answer, changed before it is sent."""
    page.get_by_role("link", name="Where are my credits?").click()
    page.get_by_role("link", name="Answer", exact=True).click()
    page.get_by_label("Ready answer").select_option(label="en: Reserved")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#content")).to_contain_text("The sender will read:")
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Answer:", exact=True).fill("They are reserved for your open game.")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Send the answer").click()
    expect(page.locator(".messagelist")).to_contain_text("Your answer is sent.")


def test_a_question_is_answered_and_read_on_a_phone(open_context, live, on_site):
    anna, boss = on_site(begin)
    desk = opened(open_context, live, anna, DESK, "/chat/rules/")
    desk.get_by_role("contentinfo").get_by_role("link", name="Write to us").click()
    assert_accessible(desk, "en", LOOKS)
    desk.locator(".topics").get_by_role("link", name="Credits").click()
    desk.get_by_text("I have fewer credits than I expected").click()
    expect(desk.get_by_role("link", name="See your statement").first).to_be_visible()
    assert_accessible(desk, "en", LOOKS)
    desk.set_viewport_size(DESK)
    desk.locator("main").get_by_role("link", name="Write to us").click()
    expect(desk.locator(".details")).to_contain_text("/chat/rules/")
    assert_accessible(desk, "en", LOOKS)
    desk.get_by_label("Your message").fill("Where are my credits?")
    desk.get_by_role("button", name="Send").click()
    expect(desk.locator("main")).to_contain_text("Waiting for our answer")

    phone = opened(open_context, live, anna, PHONE)
    expect(phone.locator("body")).to_have_attribute("data-site-line", "live")
    expect(phone.locator("#menu-mark")).to_have_text("")
    answer_it(opened(open_context, live, boss, DESK, "/admin/chat/ticket/"))
    expect(phone.locator("#menu-mark")).to_have_text("1")
    phone.locator("#person summary").click()
    phone.locator(".menu-sheet").get_by_role("link", name="Support").click()
    phone.get_by_role("link", name="Where are my credits?").click()
    expect(phone.locator("#last")).to_contain_text("They are reserved for your open game.")
    assert_accessible(phone, "en", LOOKS)
    for size in (NARROW, PHONE):
        phone.set_viewport_size(size)
        assert_pressable(phone.get_by_role("button", name="Send"))
        assert_pressable(phone.get_by_role("button", name="It is solved: close the request"))
    phone.get_by_role("button", name="It is solved: close the request").click()
    expect(phone.locator(".messages")).to_contain_text("Your request is closed.")
    expect(phone.locator("#menu-mark")).to_have_text("")


def test_a_visitor_sends_and_reads_a_request_without_script(settings, open_context, live, on_site):
    settings.EMAIL_BACKEND = "accounts.mail.backend.StoringBackend"
    page = opened(open_context, live, None, PHONE, "/tr/rules/short/", java_script_enabled=False)
    set_language(page.context, live, "tr")
    page.get_by_role("contentinfo").get_by_role("link", name="Bize yazın").click()
    page.get_by_role("link", name="Bir fikrim var").click()
    page.get_by_label("E-posta adresiniz").fill("visitor@example.org")
    page.get_by_label("Mesajınız").fill("Daha çok turnuva olsun.")
    page.get_by_role("button", name="Gönder").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Mesajınız gönderildi")
    email = on_site(OutgoingEmail.objects.get)
    page.goto(re.search(r"/support/link/\S+", email.text)[0])
    expect(page.locator("#last")).to_contain_text("Daha çok turnuva olsun.")
