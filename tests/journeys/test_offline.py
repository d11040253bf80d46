"""Without a connection the site says so, and leads back to the match in play."""

import pytest
from playwright.sync_api import expect

from tests.journeys.duel import in_own_thread
from tests.journeys.test_coming_back import begin
from tests.journeys.visitors import DESK, PHONE, come_as_member

READY = "navigator.serviceWorker.ready.then(() => true)"
KEPT = """async () => {
  const names = await caches.keys();
  const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  return lists.flat().map((request) => new URL(request.url).pathname);
}"""


@pytest.fixture
def offline_errors(watch):
    for text in ("ERR_INTERNET_DISCONNECTED", "WebSocket", "ERR_FAILED"):
        watch.expect_error(text)


@pytest.mark.parametrize("viewport", [PHONE, DESK])
def test_offline_page_leads_back_to_the_match(open_context, live, offline_errors, viewport):
    sitting, side = in_own_thread(begin)
    context = open_context(viewport=viewport, service_workers="allow")
    come_as_member(context, live, sitting.users[side])
    page = context.new_page()
    path = f"/match/{sitting.match.public_id}/"
    page.goto(path)
    expect(page.locator("[data-part=table]")).to_have_attribute("data-phase", "to_play")
    page.evaluate(READY)
    context.set_offline(True)
    page.goto("/en/rules/long/")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    back = page.get_by_role("link", name="Back to your match")
    expect(back).to_have_attribute("href", path)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.set_offline(False)
    expect(page.locator("#content h1")).to_be_visible()
    page.goto(path)
    expect(page.locator("[data-part=table]")).to_have_attribute("data-phase", "to_play")


def test_only_the_offline_page_and_static_files_are_stored(open_context, offline_errors):
    context = open_context(viewport=DESK, service_workers="allow")
    page = context.new_page()
    page.goto("/ru/")
    page.evaluate(READY)
    page.goto("/ru/rules/short/")
    kept = page.evaluate(KEPT)
    assert [path for path in kept if not path.startswith("/static/")] == ["/offline/"]
    context.set_offline(True)
    page.reload()
    expect(page.get_by_role("heading", name="Нет связи")).to_be_visible()
    expect(page.get_by_role("link", name="Вернуться в матч")).to_be_hidden()
    context.set_offline(False)
    expect(page.locator("#content h1")).to_be_visible()
