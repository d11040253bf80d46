"""Run a browser against the real server: Daphne in a thread of the test process.

The server runs the same application, socket guard and worker loop as `manage.py serve`. Fixtures
such as `settings` and `monkeypatch` affect it. Run these tests apart from the others: after
Playwright's sync API has started, asyncio tests cannot run in the same process.
"""

import os
import shutil
import time
from datetime import timedelta
from functools import partial
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import override_settings
from django.utils import timezone
from playwright.sync_api import expect

from tests.journeys.player import PATIENCE_MS

# The first two are the browser's own UI pages, which cost each window two processes and more work
# than a page of the site. The others repeat Playwright's list (chromiumSwitches.ts), since a second
# switch `--disable-features` replaces the first.
DISABLED_FEATURES = [
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
]
LAUNCH = [
    f"--disable-features={','.join(DISABLED_FEATURES)}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WHOLE_BROWSERS = ("chromium", "chromium-browser")
# The headless shell first: without the windows of a desktop it takes a third less CPU.
BROWSERS = ("chromium-headless-shell", *WHOLE_BROWSERS)
# Factor by which the fixture `unhurried` slows the site's clock.
SLOWER = 20


# If a browser leaves a page while scripts load, Django leaves the file to the garbage collector.
LEFT_OPEN = "ignore:unclosed file .*/static/:ResourceWarning"
# The same, if the garbage is collected during a later test.
LEFT_OPEN_LATE = "ignore::pytest.PytestUnraisableExceptionWarning"


def pytest_collection_modifyitems(items):
    for item in items:
        if "journeys" in item.path.parts:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.filterwarnings(LEFT_OPEN))
            item.add_marker(pytest.mark.filterwarnings(LEFT_OPEN_LATE))


@pytest.fixture(scope="session", autouse=True)
def _allow_queries_beside_playwright():
    """Allow queries beside the event loop that Playwright keeps running in the tests' thread."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    expect.set_options(timeout=PATIENCE_MS)
    yield
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


def _path_of_one(names):
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if not path:
        pytest.skip("no Chromium: install it or set CHROMIUM to its path")
    return path


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    path = _path_of_one(BROWSERS)
    return {**browser_type_launch_args, "executable_path": path, "args": LAUNCH, "headless": True}


@pytest.fixture
def whole_browser(browser_type, browser_type_launch_args):
    """Return a whole Chromium, which has features that the headless shell lacks: notifications."""
    path = _path_of_one(WHOLE_BROWSERS)
    browser = browser_type.launch(**{**browser_type_launch_args, "executable_path": path})
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args):
    return {**browser_context_args, "reduced_motion": "reduce", "locale": "en-US"}


@pytest.fixture(scope="session")
def site(django_db_setup, collected):
    """Return the running server of this test process; `.loop` is its event loop."""
    from tests.journeys.serving import SiteThread

    thread = SiteThread()
    thread.url = thread.start()
    yield thread
    thread.stop()


@pytest.fixture(scope="session")
def collected(tmp_path_factory):
    """Serve the collected static files, bundled as visitors get them."""
    storages = {**settings.STORAGES, "staticfiles": {"BACKEND": "config.storage.StaticStorage"}}
    folder = tmp_path_factory.mktemp("static")
    with override_settings(STATIC_ROOT=folder, STORAGES=storages):
        call_command("collectstatic", interactive=False, verbosity=0)
        yield


@pytest.fixture
def on_site(site):
    """Return a function that runs its argument in a thread of the site, so messages reach pages."""
    from accounts.shared.database_threads import run_in_db_thread

    return lambda function, *arguments, **options: site.run(
        run_in_db_thread(function, *arguments, **options)
    )


@pytest.fixture
def live(site, transactional_db, monkeypatch):
    """Return the address of the site, with an empty database and a worker for this test."""
    from config.background import worker
    from tests.journeys.serving import WorkerTask

    monkeypatch.setattr(worker, "BotDriver", partial(worker.BotDriver, site.ai_process))
    task = WorkerTask(site.loop)
    yield site.url
    site.wait_until_quiet()
    task.stop()


@pytest.fixture
def unhurried(monkeypatch):
    """Slow the site's clock, so that a slow browser or machine misses no deadline.

    The deadlines of clocks, announcements and rematch offers follow this clock. Request the fixture
    before `live`.
    """
    began, start = time.monotonic(), timezone.now()

    def now():
        return start + timedelta(seconds=(time.monotonic() - began) / SLOWER)

    monkeypatch.setattr(timezone, "now", now)


class Watch:
    """Collect console errors and warnings, uncaught errors, and requests to another host.

    The fixture `watch` fails on any of these faults. `expect_error("text")` allows those that
    contain the text, for tests about failures.
    """

    # htmx logs the first two when a page is left during a request, as by sending a form right after
    # the last key; a failed request logs "htmx:sendError" instead. Chromium logs the third when a
    # page is left while its socket opens, or when an attempt to connect is abandoned. Playwright
    # logs the fourth where it blocks service workers.
    HARMLESS = (
        "htmx:sendAbort",
        "htmx:afterRequest",
        "WebSocket is closed before the connection is established",
        "Service Worker registration blocked by Playwright",
    )

    def __init__(self):
        self.faults = []
        self._expected = list(self.HARMLESS)

    def expect_error(self, text):
        self._expected.append(text)

    def attach(self, context, host):
        context.set_default_timeout(PATIENCE_MS)
        context.on("console", self._on_console)
        context.on("weberror", lambda error: self._add_fault(f"uncaught: {error.error}"))
        context.on("request", lambda request: self._on_request(request, host))

    def _on_console(self, message):
        if message.type in ("error", "warning"):
            where = message.location.get("url", "")
            self._add_fault(f"console {message.type}: {message.text} {where}")

    def _on_request(self, request, host):
        parts = urlsplit(request.url)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.netloc != host:
            self._add_fault(f"asked another host: {request.url}")

    def _add_fault(self, text):
        if not any(expected in text for expected in self._expected):
            self.faults.append(text)


@pytest.fixture
def watch():
    watch = Watch()
    yield watch
    assert not watch.faults, watch.faults


@pytest.fixture
def context(new_context, live, watch):
    """Add relative addresses and the watch to pytest-playwright's context, which `page` uses."""
    context = new_context(base_url=live, service_workers="block")
    watch.attach(context, urlsplit(live).netloc)
    yield context
    context.close()


@pytest.fixture
def open_context(request, new_context, browser_context_args, live, watch):
    """Return a function that opens a watched browser context of any size, language or person.

    A test with the mark `whole_browser` gets contexts of the whole browser instead of the headless
    shell. Service workers are blocked unless `service_workers="allow"`: a test's route does not see
    the requests that a worker passes on.
    """
    contexts = []
    open_one = new_context
    if request.node.get_closest_marker("whole_browser"):
        whole = request.getfixturevalue("whole_browser")
        open_one = partial(whole.new_context, **browser_context_args)

    def make(**options):
        context = open_one(**{"base_url": live, "service_workers": "block", **options})
        watch.attach(context, urlsplit(live).netloc)
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()
