"""Presets of the announcing form: saved, used by one press, renamed and deleted."""

from playwright.sync_api import expect

from lobby.models import Preset
from tests.journeys.duel import in_own_thread, seasoned
from tests.journeys.test_access import assert_accessible
from tests.journeys.usable import each_look
from tests.journeys.visitors import SIDEWAYS, come_as_member, set_language


@each_look
def test_preset_is_saved_replaced_used_renamed_and_deleted(
    open_context, live, watch, size, language
):
    watch.expect_error("422")
    context = open_context(viewport=size)
    come_as_member(context, live, in_own_thread(seasoned, "owner"))
    set_language(context, live, language)
    page = context.new_page()

    def check():
        if size is not SIDEWAYS:
            assert_accessible(page, language, [(size, "dark")], is_only_language=True)

    page.goto("/play/new/")
    expect(page.locator(".presets")).to_have_count(0)
    page.locator("[name=length]").fill("7")
    page.locator("[name=stake]").fill("40")
    page.locator(".preset-save > summary").click()
    page.locator("[name=preset_name]").fill("Blitz")
    page.locator("[name=preset_name]").press("Enter")
    saved = page.locator(".notice.success")
    expect(saved).to_contain_text("Blitz")
    expect(saved).to_be_in_viewport()
    expect(page.locator(".presets [aria-current=true]")).to_have_text("Blitz")
    check()
    page.locator("[name=preset_name]").fill("Blitz")
    page.locator("[name=stake]").fill("50")
    page.locator("[name=preset][value=save]").click()
    replace = page.locator("[name=preset][value=replace]")
    expect(replace).to_be_in_viewport()
    replace.click()
    expect(saved).to_contain_text("Blitz")
    page.goto("/play/new/")
    expect(page.locator("[name=length]")).to_have_value("3")
    page.locator(".presets a", has_text="Blitz").click()
    expect(page.locator("[name=length]")).to_have_value("7")
    expect(page.locator("[name=stake]")).to_have_value("50")
    page.locator(".presets a").last.click()
    page.locator(".preset-list summary").click()
    check()
    page.locator("[name=preset_name]").fill("Evening")
    page.locator("[name=rename]").click()
    expect(page.locator(".preset-list h2")).to_have_text("Evening")
    page.locator(".preset-list summary").click()
    page.locator("[name=delete]").click()
    expect(page.locator(".preset-list h2")).to_have_count(0)
    assert not Preset.objects.exists()
