"""Take the pictures of the manual: `python -m tests.pictures.manual [chapter ...]`.

The command fills a demonstration site in a temporary folder, serves it, opens a page for each
chapter in each language on a phone's screen, and writes
static/img/manual/<language>/<chapter>.webp. Run it after a change of the pages that the manual
shows.
"""

import argparse
import io
import os
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

from tests.config.server import ROOT, Process, manage, own_port
from tests.journeys.player import PATIENCE_MS, Player, start_training
from tests.support.migrated import migrated_file

if TYPE_CHECKING:
    from accounts.models import User

MEMBER = "annika"
QUALITY = 72
# Seconds for the worker to review the member's last match.
REVIEWED_WITHIN_S = 300

# Opens the page of a chapter, and returns when it has loaded.
Visit = Callable[[Page, "User"], None]


def open_page(page: Page, path: str) -> None:
    page.goto(path)
    page.wait_for_load_state("networkidle")


def at(path: str) -> Visit:
    return lambda page, member: open_page(page, path)


def at_home(page: Page, member: "User") -> None:
    open_page(page, f"/{member.preferences.language}/")


def at_table(page: Page, member: "User") -> None:
    start_training(page, "short", 5, level="club")
    Player(page).wait()


def at_tournament(page: Page, member: "User") -> None:
    from tournaments import states
    from tournaments.models import Tournament

    tournament = Tournament.objects.filter(state=states.ANNOUNCED, entrants__user=member).first()
    assert tournament is not None
    open_page(page, f"/tournaments/{tournament.public_id}/")


def at_conversation(page: Page, member: "User") -> None:
    from accounts.models import User

    open_page(page, f"/chat/with/{User.objects.get(username='boris').public_id}/")


def at_statistics(page: Page, member: "User") -> None:
    open_page(page, f"/player/{member.public_id}/statistics/")


def at_review(page: Page, member: "User") -> None:
    from games.models import Review

    end = time.monotonic() + REVIEWED_WITHIN_S
    reviews = Review.objects.filter(match__seats__user=member, state=Review.State.DONE)
    while (review := reviews.select_related("match").first()) is None:
        assert time.monotonic() < end, "no review is ready"
        time.sleep(1)
    open_page(page, f"/match/{review.match.public_id}/review/?game=1&step=9")


VISITS: dict[str, Visit] = {
    "start": at_home,
    "account": at("/account/signup/"),
    "table": at_table,
    "training": at("/training/"),
    "people": at("/play/"),
    "tournaments": at_tournament,
    "credits": at("/credits/"),
    "settings": at("/profile/"),
    "community": at_conversation,
    "progress": at_statistics,
    "dice": at_review,
    "help": at("/support/"),
}
# Chapters photographed as a guest: a member cannot open the sign-up page, and a running match of
# the member would be announced by an alert on all later pages.
SEEN_AS_GUEST = {"account", "table"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("chapters", nargs="*", help="all if none is given", metavar="chapter")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    args = parser.parse_args()
    with demonstration() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=args.chromium, args=["--no-sandbox"])
        from django.conf import settings

        from config.manual.pictures import HEIGHT, WIDTH

        for language, _ in settings.LANGUAGES:
            context = browser.new_context(
                base_url=site,
                viewport={"width": WIDTH, "height": HEIGHT},
                color_scheme="light",
                reduced_motion="reduce",
            )
            context.set_default_timeout(PATIENCE_MS)
            take_all(context, language, args.chapters or VISITS)
            context.close()
        browser.close()


@contextmanager
def demonstration() -> Iterator[str]:
    """Serve a new demonstration site, and let this process read its database."""
    with tempfile.TemporaryDirectory() as folder:
        env = {
            "DATABASE_URL": migrated_file(Path(folder) / "site.sqlite3"),
            "DEMO": "1",
            "DEBUG": "1",
            "SECRET_KEY": "only-for-these-pictures",
            "MEDIA_ROOT": folder,
            "DJANGO_ALLOW_ASYNC_UNSAFE": "1",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        os.environ.update(env)
        filled = manage("demo", env=env)
        assert filled.returncode == 0, filled.stderr
        import django

        django.setup()
        decline_challenges()
        port = own_port()
        server = Process([f"{ROOT}/.venv/bin/python", "manage.py", "serve", "--port", str(port)])
        try:
            server.wait_for_line("is ready")
            yield f"http://127.0.0.1:{port}"
        finally:
            server.end()


def decline_challenges() -> None:
    """Decline the challenges to the member, so that no page shows an alert about them."""
    from django.utils import timezone

    from accounts.models import User
    from lobby.models import Invitation
    from lobby.services import inviting

    member = User.objects.get(username=MEMBER)
    for public_id in Invitation.objects.filter(invited=member).values_list("public_id", flat=True):
        inviting.decline(public_id, member, timezone.now())


def take_all(context: BrowserContext, language: str, chapters: Collection[str]) -> None:
    from accounts.models import Preferences, User

    member = User.objects.select_related("preferences").get(username=MEMBER)
    Preferences.objects.filter(user=member).update(language=language)
    member.preferences.language = language
    context.add_cookies([cookie(context, "django_language", language)])
    page = context.new_page()
    for chapter in (each for each in chapters if each in SEEN_AS_GUEST):
        take(page, member, chapter)
    sign_in(context, member)
    for chapter in (each for each in chapters if each not in SEEN_AS_GUEST):
        take(page, member, chapter)


def take(page: Page, member: "User", chapter: str) -> None:
    language = member.preferences.language
    VISITS[chapter](page, member)
    expect(page.locator("html")).to_have_attribute("lang", language)
    store(page.screenshot(animations="disabled"), chapter, language)


def sign_in(context: BrowserContext, member: "User") -> None:
    from django.conf import settings
    from django.test import Client

    browser = Client(headers={"host": "localhost"})
    browser.force_login(member)
    key = browser.cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([cookie(context, settings.SESSION_COOKIE_NAME, key)])


def cookie(context: BrowserContext, name: str, value: str) -> dict[str, str]:
    return {"name": name, "value": value, "domain": "127.0.0.1", "path": "/"}


def store(shot: bytes, chapter: str, language: str) -> None:
    from config.manual.pictures import path_of

    target = ROOT / "static" / path_of(chapter, language)
    target.parent.mkdir(parents=True, exist_ok=True)
    with Image.open(io.BytesIO(shot)) as image:
        image.convert("RGB").save(target, "WEBP", quality=QUALITY, method=6)
    print(f"{target.relative_to(ROOT)}: {target.stat().st_size} bytes", flush=True)


if __name__ == "__main__":
    main()
