"""A browser against the real server: Daphne in a thread of the test process.

The same application, guard and worker loop as `manage.py serve`, but `settings` and monkeypatch
reach it. Run these apart from the other tests: after Playwright's sync API has started, asyncio's
tests cannot run in the same process.
"""

import asyncio
import os
import shutil
import threading
import time
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

LAUNCH = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
START_TIMEOUT_S = 120
QUIET_TIMEOUT_S = 30
# Other browsers run beside this one: how long a page takes is no property of ours.
EXPECT_TIMEOUT_MS = 20_000


# A browser left a page while its scripts still came: Django leaves the file to the collector.
LEFT_OPEN = "ignore:unclosed file .*/static/:ResourceWarning"
# The same, when the garbage is collected in a later test.
LEFT_OPEN_LATE = "ignore::pytest.PytestUnraisableExceptionWarning"


def pytest_collection_modifyitems(items):
    for item in items:
        if "journeys" in item.path.parts:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.filterwarnings(LEFT_OPEN))
            item.add_marker(pytest.mark.filterwarnings(LEFT_OPEN_LATE))


@pytest.fixture(scope="session", autouse=True)
def _allow_queries_beside_playwright():
    """Playwright's sync API keeps an event loop running in the thread of the tests."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    expect.set_options(timeout=EXPECT_TIMEOUT_MS)
    yield
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


def _find(*names):
    return next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    path = os.environ.get("CHROMIUM") or _find("chromium", "chromium-browser")
    if not path:
        pytest.skip("no Chromium: install it or set CHROMIUM to its path")
    return {**browser_type_launch_args, "executable_path": path, "args": LAUNCH, "headless": True}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args):
    return {**browser_context_args, "reduced_motion": "reduce", "locale": "en-US"}


class SiteThread:
    """Daphne on a free port. One reactor lives in a process: started once, never again."""

    def __init__(self):
        from daphne.server import Server, twisted_loop
        from django.contrib.staticfiles.handlers import ASGIStaticFilesHandler

        from config.asgi import application
        from config.guard import MAX_FRAME_BYTES

        self.loop = twisted_loop
        self.listening = threading.Event()
        self.server = Server(
            ASGIStaticFilesHandler(application),
            endpoints=["tcp:port=0:interface=127.0.0.1"],
            signal_handlers=False,
            verbosity=0,
            websocket_max_frame_size=MAX_FRAME_BYTES,
        )
        listen_success = self.server.listen_success
        self.server.listen_success = lambda port: (listen_success(port), self.listening.set())
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self):
        asyncio.set_event_loop(self.loop)
        self.server.run()

    def start(self):
        self.thread.start()
        assert self.listening.wait(START_TIMEOUT_S), "Daphne did not start"
        return "http://{}:{}".format(*self.server.listening_addresses[0])

    def wait_until_quiet(self):
        """Until every consumer has taken leave: its last queries must not meet the next test."""
        end = time.monotonic() + QUIET_TIMEOUT_S
        while any(not task.done() for task in self._tasks()) and time.monotonic() < end:
            time.sleep(0.01)

    def _tasks(self):
        details = list(self.server.connections.values())
        return [
            found["application_instance"] for found in details if "application_instance" in found
        ]

    def stop(self):
        from twisted.internet import reactor

        reactor.callFromThread(reactor.stop)
        self.thread.join(10)


@pytest.fixture(scope="session")
def site(django_db_setup):
    """The running server of this test process; `.loop` is its event loop."""
    thread = SiteThread()
    thread.url = thread.start()
    yield thread
    thread.stop()


class WorkerTask:
    """The loop of deadlines and bots on the server's event loop, for one test."""

    def __init__(self, loop):
        self.loop = loop
        self.stop_event = None
        self.future = asyncio.run_coroutine_threadsafe(self._run(), loop)

    async def _run(self):
        from config import worker

        self.stop_event = asyncio.Event()
        await worker.run(self.stop_event, serves=True)

    def stop(self):
        self.loop.call_soon_threadsafe(lambda: self.stop_event and self.stop_event.set())
        self.future.result(15)


@pytest.fixture
def live(site, transactional_db):
    """The address of the site with an empty database and a worker that runs while the test does."""
    worker = WorkerTask(site.loop)
    yield site.url
    site.wait_until_quiet()
    worker.stop()


class Watch:
    """What a page must not do: write errors to the console, or ask another host for anything.

    `expect_error("text")` allows console errors that contain the text, for tests about failures.
    """

    # htmx says so when a page is left while its question is on the way, as by sending a form right
    # after the last key. A question that fails is told otherwise ("htmx:sendError").
    LEFT_IN_TIME = ("htmx:sendAbort", "htmx:afterRequest")

    def __init__(self):
        self.complaints = []
        self._expected = list(self.LEFT_IN_TIME)

    def expect_error(self, text):
        self._expected.append(text)

    def attach(self, context, host):
        context.on("console", self._on_console)
        context.on("weberror", lambda error: self._complain(f"uncaught: {error.error}"))
        context.on("request", lambda request: self._on_request(request, host))

    def _on_console(self, message):
        if message.type in ("error", "warning"):
            self._complain(f"console {message.type}: {message.text}")

    def _on_request(self, request, host):
        parts = urlsplit(request.url)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.netloc != host:
            self._complain(f"asked another host: {request.url}")

    def _complain(self, text):
        if not any(expected in text for expected in self._expected):
            self.complaints.append(text)


@pytest.fixture
def watch():
    watch = Watch()
    yield watch
    assert not watch.complaints, watch.complaints


@pytest.fixture
def context(new_context, live, watch):
    """pytest-playwright's context, with relative addresses and watched. `page` comes from it."""
    context = new_context(base_url=live)
    watch.attach(context, urlsplit(live).netloc)
    yield context
    context.close()


@pytest.fixture
def open_context(new_context, live, watch):
    """A second watched browser context, for another size, language or person."""
    contexts = []

    def make(**options):
        context = new_context(base_url=live, **options)
        watch.attach(context, urlsplit(live).netloc)
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()
