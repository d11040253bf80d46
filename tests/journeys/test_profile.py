"""The profile in a real browser: choices are previewed at once, not lost, saved by one press."""

import io
import re

import pytest
from django.utils import timezone
from PIL import Image
from playwright.sync_api import expect

from accounts.models import Profile
from accounts.people import blocks
from accounts.profile import avatars
from tests.accounts.factories import PASSWORD, member, staff
from tests.accounts.profile import pictures
from tests.journeys.test_access import assert_accessible, languages_of
from tests.journeys.usable import assert_in_sight, assert_pressable
from tests.journeys.visitors import (
    DESK,
    NARROW,
    PHONE,
    SIDEWAYS,
    come_as_member,
    open_table_settings,
    set_language,
)

LOGIN = "Anna77"


@pytest.fixture(autouse=True)
def _media(settings, tmp_path):
    settings.MEDIA_ROOT = str(tmp_path / "media")


@pytest.fixture
def anna(live, on_site):
    return on_site(member, LOGIN, country="TR", crest="gold", avatar="star")


@pytest.fixture
def boris(live, on_site):
    return on_site(member, "Boris", country="RU", avatar="owl")


def sign_in(context, path="/profile/", has_script=True):
    page = context.new_page()
    page.goto(f"/account/login/?next={path}")
    page.locator("[name=login]").fill(LOGIN)
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("[name=password]").press("Enter")
    expect(page.locator("h1")).to_have_text(LOGIN)
    if has_script:
        wait_for_socket(page)
    return page


def wait_for_socket(page):
    """Wait for the socket and the whole page: before that htmx does not handle its links."""
    expect(page.locator("body")).to_have_attribute("data-site-line", "live")
    page.wait_for_load_state()


def save(page):
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".messages")).to_contain_text("Your profile is saved.")


def choose(page, name, value):
    page.locator(f"input[name={name}][value={value}]").check()


def photo(side=2400):
    """Return a photo larger than the site's limit, as phones take them."""
    out = io.BytesIO()
    Image.effect_noise((side, side), 90).convert("RGB").save(out, "JPEG", quality=95)
    assert len(out.getvalue()) > 2 * 1024 * 1024
    return {"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": out.getvalue()}


@pytest.mark.parametrize("viewport", [DESK, PHONE])
def test_choice_is_previewed_at_once_and_kept_by_save(open_context, anna, viewport):
    page = sign_in(open_context(viewport=viewport))
    bar = page.locator("[data-part=save-bar]")
    expect(page.get_by_role("button", name="Undo")).to_be_hidden()
    choose(page, "crest", "teal")
    choose(page, "avatar", "owl")
    head = page.locator(".profile-head .avatar")
    expect(head).to_have_attribute("data-crest", "teal")
    expect(head.locator("img")).to_have_attribute("src", re.compile("owl"))
    expect(bar).to_contain_text("Unsaved changes")
    expect(bar).to_be_in_viewport()
    save(page)
    expect(head).to_have_attribute("data-crest", "teal")
    expect(bar).not_to_contain_text("Unsaved changes")


def test_undo_restores_the_saved_choices(open_context, anna):
    page = sign_in(open_context(viewport=DESK))
    choose(page, "crest", "blue")
    page.locator("select[name=country]").select_option("DE")
    flag = page.locator(".country .flag")
    expect(flag).to_have_attribute("src", re.compile(r"de\.svg$"))
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".profile-head .avatar")).to_have_attribute("data-crest", "gold")
    expect(flag).to_have_attribute("src", re.compile(r"tr\.svg$"))
    expect(page.get_by_role("button", name="Undo")).to_be_hidden()


@pytest.mark.parametrize("size", [{"width": 360, "height": 640}, PHONE, SIDEWAYS], ids=str)
def test_no_label_of_the_profile_overlaps_its_try_button_in_russian(open_context, live, anna, size):
    context = open_context(viewport=size)
    page = sign_in(context)
    set_language(context, live, "ru")
    open_table_settings(page)
    expect(page.locator(".try").first).to_be_visible()
    rows = "[...document.querySelectorAll('[data-try]')]"
    overlaps = page.evaluate(
        f"() => {rows}"
        + """.flatMap((row) => {
      const button = row.querySelector('.try').getBoundingClientRect();
      return [...row.querySelectorAll('legend, label, .hint')].filter((each) => {
        const range = document.createRange();
        range.selectNodeContents(each);
        return [...range.getClientRects()].some((box) => box.width > 1 && box.right > button.left
          && box.left < button.right && box.bottom > button.top && box.top < button.bottom);
      }).map((each) => each.textContent.trim());
    })"""
    )
    assert overlaps == []


@pytest.mark.parametrize("size", [PHONE, SIDEWAYS, DESK], ids=["phone", "sideways", "desk"])
def test_save_is_in_sight_everywhere_while_something_is_unsaved(open_context, anna, size):
    page = sign_in(open_context(viewport=size))
    choose(page, "crest", "blue")
    for place in ("#identity", "#behavior", "#blocked", ".site-footer"):
        page.locator(place).scroll_into_view_if_needed()
        expect(page.get_by_role("button", name="Save", exact=True)).to_be_in_viewport(ratio=1)


def test_leaving_with_unsaved_changes_asks_first(open_context, anna):
    page = sign_in(open_context(viewport=DESK))
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    choose(page, "crest", "blue")
    with page.expect_event("dialog"):
        page.locator("a.brand").click()
    expect(page.locator("[data-part=save-bar]")).to_contain_text("Unsaved changes")
    assert asked == ["beforeunload"]
    page.get_by_role("button", name="Undo").click()
    page.locator("a.brand").click()
    expect(page.locator(".profile-head")).to_have_count(0)
    wait_for_socket(page)
    assert asked == ["beforeunload"]


def test_language_changes_on_save(open_context, anna):
    page = sign_in(open_context(viewport=DESK))
    choose(page, "language", "tr")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("html")).to_have_attribute("lang", "tr")


def test_large_photo_is_shrunk_and_saved_beside_unsaved_changes(open_context, anna):
    page = sign_in(open_context(viewport=DESK))
    choose(page, "crest", "red")
    page.locator("#picture").set_input_files(photo())
    expect(page.locator("#picture_note")).to_have_text("Your picture is set.")
    expect(page.locator("input[name=avatar][value=photo]")).to_be_checked()
    expect(page.locator(".profile-head img")).to_have_attribute("src", re.compile("/avatar/"))
    expect(page.locator("[data-part=save-bar]")).to_contain_text("Unsaved changes")
    page.get_by_role("button", name="Remove my picture").click()
    expect(page.locator("input[name=avatar][value=star]")).to_be_checked()


def test_file_that_is_no_picture_is_refused_at_the_field(open_context, anna, watch):
    watch.expect_error("422")
    page = sign_in(open_context(viewport=PHONE))
    svg = {"name": "me.png", "mimeType": "image/png", "buffer": b"<svg></svg>"}
    page.locator("#picture").set_input_files(svg)
    expect(page.locator("#picture_note")).to_contain_text("cannot read this picture")
    expect(page.locator("#picture")).to_have_attribute("aria-invalid", "true")


def test_other_tab_reports_that_the_profile_has_changed(open_context, anna):
    context = open_context(viewport=DESK)
    first, second = sign_in(context), context.new_page()
    second.goto("/profile/")
    wait_for_socket(second)
    choose(second, "crest", "violet")
    save(second)
    expect(first.get_by_text("Your profile was changed in another tab")).to_be_visible()
    first.get_by_role("link", name="Reload the page").click()
    expect(first.locator("input[name=crest][value=violet]")).to_be_checked()


def test_choices_and_a_picture_can_be_saved_without_script(open_context, anna, on_site):
    page = sign_in(open_context(viewport=PHONE, java_script_enabled=False), has_script=False)
    choose(page, "crest", "copper")
    page.locator("select[name=country]").select_option("RU")
    save(page)
    expect(page.locator("input[name=crest][value=copper]")).to_be_checked()
    small = io.BytesIO()
    Image.new("RGB", (64, 64), (10, 120, 200)).save(small, "PNG")
    file = {"name": "me.png", "mimeType": "image/png", "buffer": small.getvalue()}
    page.locator("#picture").set_input_files(file)
    page.get_by_role("button", name="Upload", exact=True).click()
    expect(page.locator(".messages")).to_contain_text("Your picture is set.")
    assert on_site(lambda: bool(Profile.objects.get(user=anna).avatar_file))


def test_a_name_in_a_list_opens_the_card_and_unblocking_works_there(
    open_context, anna, boris, on_site
):
    on_site(blocks.block, anna.pk, boris.pk, timezone.now())
    page = sign_in(open_context(viewport=PHONE))
    page.locator("#blocked").get_by_role("link", name="Boris").click()
    card = page.get_by_role("dialog", name="Boris")
    expect(card).to_be_visible()
    expect(card.get_by_role("heading")).to_be_focused()
    expect(card).to_contain_text("Russia")
    card.get_by_role("button", name="Unblock").click()
    expect(card.get_by_text("Block this player…")).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()


@pytest.mark.parametrize("language", languages_of(1))
def test_pages_of_a_blocked_player_are_accessible(
    open_context, live, anna, boris, on_site, language
):
    on_site(blocks.block, anna.pk, boris.pk, timezone.now())
    context = open_context(viewport=NARROW)
    set_language(context, live, language)
    page = sign_in(context)
    set_language(context, live, language)
    for path in ("", "card/"):
        page.goto(f"/player/{boris.public_id}/{path}")
        wait_for_socket(page)
        assert_accessible(page, language)


@pytest.mark.parametrize("viewport", [DESK, PHONE])
def test_reason_for_a_removed_picture_is_shown_until_acknowledged(
    open_context, live, anna, on_site, watch, viewport
):
    watch.expect_error("404 (Not Found)")  # the admin names no icon: Chromium asks for /favicon.ico
    on_site(avatars.replace, anna.pk, pictures.file())
    boss = on_site(staff, "person1")
    office = open_context(viewport=viewport)
    come_as_member(office, live, boss)
    queue = office.new_page()
    queue.goto("/admin/accounts/picture/?state=waiting")
    picture = queue.locator("#result_list img")
    assert picture.evaluate("image => image.complete && image.naturalWidth") == 256
    picture.click()
    queue.get_by_role("button", name="Remove the picture").click()
    queue.get_by_label("Reason:", exact=True).fill("It shows somebody else.")
    sure = queue.get_by_role("button", name="Remove these pictures?")
    for size in (SIDEWAYS, viewport):
        queue.set_viewport_size(size)
        assert_in_sight(sure)
    sure.click()
    expect(queue.locator(".messagelist")).to_contain_text("Done: Anna77.")
    page = sign_in(open_context(viewport=viewport))
    notice = page.locator(".notice", has_text="Our team removed your picture")
    expect(notice).to_contain_text("It shows somebody else.")
    for size in (SIDEWAYS, viewport):
        page.set_viewport_size(size)
        assert_in_sight(notice)
        assert_pressable(notice.get_by_role("button", name="Got it"))
    expect(page.locator(".profile-head img")).to_have_attribute("src", re.compile("star"))
    assert_accessible(page, "en")
    notice.get_by_role("button", name="Got it").click()
    expect(page.locator("h1")).to_have_text(LOGIN)
    expect(notice).to_be_hidden()
