"""Notices in a browser: the press that asks for them, the pushed message, its click.

A headless browser cannot subscribe to a push service, and a test cannot click a notification of
the system. Both are imitated here; the message comes through DevTools.
"""

import json
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from accounts.models import NoticeKind, PushSubscription
from tests.accounts.factories import member
from tests.accounts.notices.test_encryption import AUTH, P256DH
from tests.journeys.duel import in_own_thread, until
from tests.journeys.visitors import DESK, PHONE, come_as_member
from tests.lobby.factories import SeekFactory, seek_of
from tests.tournaments.factories import announced, enter
from tests.wallet.factories import player

pytestmark = pytest.mark.usefixtures("transactional_db")

READY = "navigator.serviceWorker.ready.then(() => true)"
# A fake subscription: it has what toJSON() returns, and needs no push service.
SUBSCRIBES = f"""
PushManager.prototype.getSubscription = async () => null;
PushManager.prototype.subscribe = async (options) => {{
  window.subscribedWith = options.applicationServerKey;
  const keys = {{ p256dh: "{P256DH}", auth: "{AUTH}" }};
  return {{ toJSON: () => ({{ endpoint: "https://push.example.net/one", keys }}) }};
}};
"""


def answering(answer: str, before: str = "default") -> str:
    """Return a script that counts the browser's questions and gives `answer` for the visitor.

    `before` is the permission until the first question.
    """
    return f"""
    const kept = () => sessionStorage.getItem("answer") ?? "{before}";
    Object.defineProperty(Notification, "permission", {{ get: kept }});
    Notification.requestPermission = async () => {{
      sessionStorage.setItem("asked", Number(sessionStorage.getItem("asked") ?? 0) + 1);
      sessionStorage.setItem("answer", "{answer}");
      return "{answer}";
    }};
    """


def asked(page: Page) -> int:
    return int(page.evaluate("Number(sessionStorage.getItem('asked') ?? 0)"))


def entered(login: str) -> tuple[Any, str]:
    """Return a member and the page of a tournament that they entered."""
    user, tournament = member(login), announced(fee_credits=0)
    enter(tournament, [user], tournament.created_at)
    return user, f"/tournaments/{tournament.public_id}/"


@pytest.fixture
def come(open_context: Any, live: str) -> Any:
    def make(user: Any, script: str = "", **options: Any) -> BrowserContext:
        context: BrowserContext = open_context(service_workers="allow", **options)
        context.add_init_script(script)
        come_as_member(context, live, user)
        return context

    return make


@pytest.mark.parametrize("viewport", [PHONE, DESK])
def test_a_press_on_an_offer_asks_the_browser_once_and_turns_its_kinds_on(
    come: Any, viewport: Any
) -> None:
    user, path = in_own_thread(lambda: entered("annika7"))
    page = come(user, answering("granted") + SUBSCRIBES, viewport=viewport).new_page()
    page.goto(path)
    assert asked(page) == 0
    page.get_by_role("link", name="Tell me before the start and when my table opens").click()
    expect(page.get_by_text("We will tell you on this device.")).to_be_visible()
    assert asked(page) == 1
    [device] = in_own_thread(lambda: list(PushSubscription.objects.all()))
    assert (device.user_id, device.kinds) == (
        user.pk,
        ["TOURNAMENT_SOON", "TABLE_OPEN", "TOURNAMENT_NEWS"],
    )
    page.reload()
    expect(page.get_by_text("We will tell you on this device.")).to_be_visible()
    expect(
        page.get_by_role("link", name="Tell me before the start and when my table opens")
    ).to_be_hidden()
    page.goto("/profile/notices/")
    tournament = page.get_by_label("A tournament you entered starts in 15 minutes").first
    expect(tournament).to_be_checked()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_an_offer_does_not_ask_again_after_the_browsers_question_was_closed(come: Any) -> None:
    user, path = in_own_thread(lambda: entered("annika7"))
    page = come(user, answering("default"), viewport=PHONE).new_page()
    page.goto(path)
    page.get_by_role("link", name="Tell me before the start and when my table opens").click()
    expect(page.get_by_text("Notifications are still off.")).to_be_visible()
    expect(
        page.get_by_role("link", name="Tell me before the start and when my table opens")
    ).to_be_hidden()
    page.reload()
    page.get_by_role("link", name="Tell me before the start and when my table opens").click()
    expect(page.get_by_role("heading", name="Notifications")).to_be_visible()
    assert asked(page) == 1


def test_the_answer_stays_when_the_waiting_room_fetches_itself(come: Any) -> None:
    def announced_game() -> tuple[Any, str]:
        owner = player("annika7")
        SeekFactory(owner=owner)
        return owner, f"/play/{seek_of(owner).public_id}/"

    user, path = in_own_thread(announced_game)
    page = come(user, answering("default"), viewport=PHONE).new_page()
    page.goto(path)
    page.get_by_role("link", name="Tell me when somebody joins").click()
    note = page.get_by_text("Notifications are still off.")
    expect(note).to_be_focused()
    page.locator("#waiting").evaluate("part => { part.dataset.old = ''; }")
    expect(page.locator("#waiting[data-old]")).to_have_count(0)
    expect(note).to_be_visible()
    expect(page.get_by_role("link", name="Tell me when somebody joins")).to_be_hidden()


def test_a_refusal_replaces_the_offer_by_the_way_to_allow_notices(come: Any) -> None:
    user, path = in_own_thread(lambda: entered("annika7"))
    page = come(user, answering("denied"), viewport=PHONE).new_page()
    page.goto(path)
    offer = page.get_by_role("link", name="Tell me before the start and when my table opens")
    offer.click()
    expect(page.locator("[data-says=blocked]:focus")).to_be_visible()
    page.get_by_role("link", name="How to allow them").click()
    expect(page.get_by_text("press the icon beside the address")).to_be_visible()
    expect(page.get_by_role("button", name="Turn on for this device")).to_be_hidden()


def test_the_page_of_notices_asks_again_after_a_closed_question_and_not_after_a_refusal(
    come: Any,
) -> None:
    user = in_own_thread(lambda: member("annika7"))
    button = "Turn on for this device"
    closed = come(user, answering("default"), viewport=PHONE).new_page()
    closed.goto("/profile/notices/")
    closed.get_by_role("button", name=button).click()
    expect(closed.get_by_text("Notifications are still off.")).to_be_visible()
    expect(closed.get_by_role("button", name=button)).to_be_visible()
    denied = come(user, answering("denied"), viewport=PHONE).new_page()
    denied.goto("/profile/notices/")
    denied.get_by_role("button", name=button).click()
    expect(denied.get_by_text("Your browser does not allow notifications")).to_be_focused()
    expect(denied.get_by_role("button", name=button)).to_be_hidden()


def test_a_browser_that_forbids_notices_is_not_asked_and_the_page_says_why(come: Any) -> None:
    user, path = in_own_thread(lambda: entered("annika7"))
    page = come(user, answering("denied", before="denied"), viewport=DESK).new_page()
    page.goto(path)
    page.get_by_role("link", name="Tell me before the start and when my table opens").click()
    expect(page.get_by_text("Your browser does not allow notifications")).to_be_visible()
    expect(page.get_by_role("button", name="Turn on for this device")).to_be_hidden()
    assert asked(page) == 0


def test_the_page_turns_every_kind_on_and_removes_the_device(come: Any) -> None:
    user = in_own_thread(lambda: member("annika7"))
    page = come(user, answering("granted") + SUBSCRIBES, viewport=PHONE).new_page()
    page.goto("/profile/notices/")
    page.get_by_role("button", name="Turn on for this device").click()
    remove = page.get_by_role("button", name="Remove this device")
    expect(remove).to_be_visible()
    form = page.locator("[data-this-device]")
    expect(form.locator(":checked")).to_have_count(len(NoticeKind))
    form.get_by_label("Somebody challenges you").uncheck()
    form.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Your choice is saved.")).to_be_visible()
    expect(form.locator(":checked")).to_have_count(len(NoticeKind) - 1)
    remove.click()
    expect(page.get_by_role("button", name="Turn on for this device")).to_be_visible()
    assert not in_own_thread(PushSubscription.objects.exists)


def test_without_a_script_an_offer_leads_to_the_page_of_plain_forms(come: Any) -> None:
    user, path = in_own_thread(lambda: entered("annika7"))
    page = come(user, viewport=PHONE, java_script_enabled=False).new_page()
    page.goto(path)
    page.get_by_role("link", name="Tell me before the start and when my table opens").click()
    expect(page.get_by_text("Turning notifications on needs JavaScript.")).to_be_visible()
    page.get_by_label("Somebody joins your game").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Your choice is saved.")).to_be_visible()
    expect(page.get_by_label("Somebody joins your game")).to_be_checked()


def deliver(page: Page, message: dict[str, str]) -> None:
    """Deliver a message to the page's service worker, as the browser does with a decrypted one."""
    session = page.context.new_cdp_session(page)
    found: list[str] = []

    def note(event: dict[str, Any]) -> None:
        found.extend(each["registrationId"] for each in event["registrations"])

    session.on("ServiceWorker.workerRegistrationUpdated", note)
    session.send("ServiceWorker.enable")
    registration, *_ = until(page, lambda: found)  # reported after the reply to "enable"
    origin = page.evaluate("location.origin")
    session.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": origin, "registrationId": registration, "data": json.dumps(message)},
    )


SHOWN = """async () => {
  const worker = await navigator.serviceWorker.ready;
  for (;;) {
    const found = await worker.getNotifications();
    if (found.length) {
      return found.map(({ title, body, tag, lang, data }) => ({ title, body, tag, lang, data }));
    }
    await new Promise((resume) => setTimeout(resume, 50));
  }
}"""
IS_CLOSED = """async () => {
  const worker = await navigator.serviceWorker.ready;
  return !(await worker.getNotifications()).length;
}"""
# Only a real click may open a window: the worker's last step is recorded instead.
CLICK = """async () => {
  const opened = [];
  self.clients.openWindow = async (url) => { opened.push(url); };
  const [notification] = await self.registration.getNotifications();
  const event = new NotificationEvent("notificationclick", { notification });
  const waits = [];
  event.waitUntil = (promise) => waits.push(promise);
  self.dispatchEvent(event);
  await Promise.all(waits);
  return opened;
}"""


@pytest.mark.whole_browser
def test_a_pushed_message_is_shown_and_its_click_opens_the_path(open_context: Any) -> None:
    context = open_context(viewport=PHONE, service_workers="allow", permissions=["notifications"])
    page = context.new_page()
    page.goto("/en/")
    page.evaluate(READY)
    message = {"title": "Ваш ход", "body": "Ваши часы идут.", "tag": "a" * 12, "lang": "ru"}
    deliver(page, {**message, "kind": "YOUR_TURN", "path": "/en/rules/long/"})
    assert page.evaluate(SHOWN) == [{**message, "data": {"path": "/en/rules/long/"}}]
    [worker] = context.service_workers
    assert worker.evaluate(CLICK) == [page.evaluate("location.origin") + "/en/rules/long/"]
    until(page, lambda: page.evaluate(IS_CLOSED))  # closing ends a moment after the click
