"""The socket of a member's page: presence, nudges, closing with the session."""

import logging
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

import accounts
from accounts import broadcast
from accounts.models import Presence, User
from accounts.shared import open_sockets, sockets
from accounts.shared.open_sockets import OPEN_SOCKETS
from config.sockets.guard import FRAME_BURST
from games.engine.rules import Rules
from games.models import Match, Seat
from lobby.broadcast import SEEKS
from tests.accounts.factories import UserFactory
from tests.accounts.page_client import PageSocket, key_of, signed_in
from tests.games.factories import Sitting
from tournaments.broadcast import RUNNING, TOURNAMENTS

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True), pytest.mark.both]


@pytest.fixture(autouse=True)
def _hosts(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["testserver"]


def make_user(login: str) -> User:
    return UserFactory(username=login, member=True)


new_user = sync_to_async(make_user)


@pytest.fixture
def anna(transactional_db: None) -> User:
    return make_user("anna77")


async def call_in_thread(function: Callable[..., None], *args: Any) -> None:
    """Call a synchronous function in another thread, as Django calls a view."""
    await sync_to_async(function)(*args)


async def test_a_member_is_greeted_and_answered(anna: User) -> None:
    page = await PageSocket(await signed_in(anna)).greeted()
    await page.say(t="ping")
    assert await page.receive() == {"t": "pong"}
    await page.leave()


async def test_a_guests_socket_is_closed_as_signed_out() -> None:
    browser = Client()
    session = await sync_to_async(lambda: browser.session)()
    session["guest"] = "11111111-2222-3333-4444-555555555555"
    await sync_to_async(session.save)()
    page = await PageSocket(browser).open()
    assert await page.close_code() == 4001


async def test_a_socket_without_a_session_is_closed_as_signed_out() -> None:
    page = await PageSocket(None).open()
    assert await page.close_code() == 4001


async def test_a_nudge_reaches_every_page_of_the_member_and_nobody_else(anna: User) -> None:
    boris = await new_user("boris77")
    first = await PageSocket(await signed_in(anna)).greeted()
    second = await PageSocket(await signed_in(anna)).greeted()
    other = await PageSocket(await signed_in(boris)).greeted()
    await call_in_thread(broadcast.nudge, anna.pk, "balance")
    for page in (first, second):
        assert await page.receive() == {"t": "nudge", "what": "balance"}
    await call_in_thread(broadcast.nudge, anna.pk, "match", "AbCdEf123456")
    for page in (first, second):
        assert await page.receive() == {"t": "nudge", "what": "match", "id": "AbCdEf123456"}
    await call_in_thread(broadcast.nudge, boris.pk, "friends")
    assert await other.receive() == {"t": "nudge", "what": "friends"}
    for page in (first, second, other):
        await page.leave()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ping",
        "{",
        "[" * 3000,
        "null",
        '{"t":"nonsense"}',
        '{"t":["ping"]}',
        '{"t":"ping","more":1}',
        '{"t":"site.close"}',
        '{"type":"site.close"}',
    ],
)
async def test_an_unreadable_frame_gets_an_error_and_the_socket_stays_open(
    anna: User, text: str
) -> None:
    page = await PageSocket(await signed_in(anna)).greeted()
    await page.send(text)
    assert await page.receive() == {"t": "error", "code": "unreadable"}
    assert await page.is_open()
    await page.leave()


async def test_a_frame_of_bytes_is_refused(anna: User) -> None:
    page = await PageSocket(await signed_in(anna)).greeted()
    await page.socket.send_to(bytes_data=b'{"t":"ping"}')
    assert (await page.receive())["t"] == "error"
    await page.leave()


async def test_twenty_unreadable_frames_end_the_connection(anna: User) -> None:
    assert sockets.MAX_UNREADABLE <= FRAME_BURST
    page = await PageSocket(await signed_in(anna)).greeted()
    for _ in range(sockets.MAX_UNREADABLE):
        await page.send("?")
        assert (await page.receive())["t"] == "error"
    assert await page.close_code() == 4009


async def test_a_server_error_closes_one_page_without_details(
    anna: User, caplog: pytest.LogCaptureFixture
) -> None:
    page = await PageSocket(await signed_in(anna)).greeted()
    other = await PageSocket(await signed_in(anna)).greeted()
    await page.say(t="listen", to=SEEKS)
    assert await page.is_open()
    with caplog.at_level(logging.CRITICAL):
        layer = get_channel_layer()
        # Without "what" the consumer raises KeyError.
        await layer.group_send(broadcast.topic_group(SEEKS), {"type": "site.nudge"})
        closed = await page.socket.receive_output()
    assert closed == {"type": "websocket.close", "code": 4011}
    assert await other.is_open()
    await other.leave()


# --- Presence ---------------------------------------------------------------------------------


async def test_opening_a_page_makes_the_member_present(anna: User) -> None:
    before = timezone.now()
    page = await PageSocket(await signed_in(anna)).greeted()
    assert await page.is_open()
    seen_at = (await Presence.objects.aget(user=anna)).seen_at
    assert before <= seen_at <= timezone.now()
    await page.leave()


async def test_failed_presence_write_keeps_the_socket_open(
    anna: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    writes: list[Any] = []

    def broken(*args: Any) -> None:
        writes.append(args)
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr("accounts.people.presence.touch", broken)
    with caplog.at_level(logging.CRITICAL):
        page = await PageSocket(await signed_in(anna)).greeted()
        assert await page.is_open()
    assert len(writes) == 1
    await page.leave()


# --- The end of a session ---------------------------------------------------------------------


async def test_signing_out_here_closes_this_sessions_pages_only(anna: User) -> None:
    here, elsewhere = await signed_in(anna), await signed_in(anna)
    page, other = await PageSocket(here).greeted(), await PageSocket(elsewhere).greeted()
    await call_in_thread(broadcast.close_session, key_of(here))
    assert await page.close_code() == 4001
    await call_in_thread(broadcast.nudge, anna.pk, "balance")
    assert await other.receive() == {"t": "nudge", "what": "balance"}
    await other.leave()


async def test_signing_out_everywhere_closes_all_pages_of_one_member(anna: User) -> None:
    boris = await new_user("boris77")
    pages = [await PageSocket(await signed_in(anna)).greeted() for _ in range(2)]
    other = await PageSocket(await signed_in(boris)).greeted()
    await call_in_thread(broadcast.close_user, anna.pk)
    for page in pages:
        assert await page.close_code() == 4001
    await call_in_thread(broadcast.nudge, boris.pk, "balance")
    assert await other.receive() == {"t": "nudge", "what": "balance"}
    await other.leave()


async def sign_out_silently(browser: Client) -> None:
    """End the session without a message on the layer, as after a Redis restart."""
    await sync_to_async(Session.objects.filter(session_key=key_of(browser)).delete)()


async def expire(browser: Client) -> None:
    past = timezone.now() - timedelta(seconds=1)
    sessions = Session.objects.filter(session_key=key_of(browser))
    await sync_to_async(sessions.update)(expire_date=past)


async def ban(browser: Client) -> None:
    await sync_to_async(User.objects.update)(is_active=False)


async def change_password(browser: Client) -> None:
    user = await User.objects.aget()
    user.set_password("Another1password")
    await user.asave()


ENDS = [sign_out_silently, expire, ban, change_password]


@pytest.mark.parametrize("end", ENDS)
async def test_the_periodic_check_finds_a_session_that_ended_silently(
    anna: User, end: Callable[..., Any]
) -> None:
    browser = await signed_in(anna)
    page = await PageSocket(browser).greeted()
    await OPEN_SOCKETS.check()
    assert await page.is_open()
    await end(browser)
    await OPEN_SOCKETS.check()
    assert await page.close_code() == 4001


@pytest.mark.parametrize("end", ENDS)
async def test_a_session_that_ends_while_the_socket_joins_closes_it(
    anna: User, end: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The session ends after the guard read it and before the socket joins its groups."""
    browser = await signed_in(anna)
    end_before_binding(monkeypatch, browser, end)
    page = await PageSocket(browser).open()
    assert await page.close_code() == 4001


def end_before_binding(
    monkeypatch: pytest.MonkeyPatch, browser: Client, end: Callable[..., Any]
) -> None:
    bind = sockets.SessionSocket.bind

    async def bind_late(socket: sockets.SessionSocket) -> bool:
        await end(browser)
        return await bind(socket)

    monkeypatch.setattr(sockets.SessionSocket, "bind", bind_late)


async def test_a_session_taken_over_by_another_user_closes_the_socket(anna: User) -> None:
    browser = await signed_in(anna)
    page = await PageSocket(browser).greeted()
    boris = await new_user("boris77")
    other = await signed_in(boris)
    row = await Session.objects.aget(session_key=key_of(other))
    sessions = Session.objects.filter(session_key=key_of(browser))
    await sync_to_async(sessions.update)(session_data=row.session_data)
    await OPEN_SOCKETS.check()
    assert await page.close_code() == 4001


async def test_many_pages_are_checked_in_two_queries(
    anna: User, django_assert_num_queries: Any
) -> None:
    browsers = [await signed_in(anna) for _ in range(3)]

    def ask() -> dict[str, int]:
        with django_assert_num_queries(2):
            return open_sockets.owners([key_of(browser) for browser in browsers])

    assert set((await sync_to_async(ask)()).values()) == {anna.pk}


async def test_the_check_ends_with_the_last_page(
    anna: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_sockets, "CHECK_EVERY_S", 0.01)
    browsers = [await signed_in(anna) for _ in range(3)]
    first, second, last = [await PageSocket(each).greeted() for each in browsers]
    task = OPEN_SOCKETS._task
    assert task is not None
    await first.leave()
    await sign_out_silently(browsers[1])
    assert await second.close_code() == 4001  # so the check still runs
    await second.leave()
    assert not task.done()
    await last.leave()
    await task


# --- Tables -----------------------------------------------------------------------------------


@sync_to_async
def members_table(user: User) -> Sitting:
    """Create a table whose human seat is the member's."""
    sitting = Sitting(Rules.of("short", length=3))
    Seat.objects.filter(match=sitting.match, guest__isnull=False).update(guest=None, user=user)
    return sitting


def table(browser: Client, sitting: Sitting) -> PageSocket:
    return PageSocket(browser, f"/ws/match/{sitting.public_id}/")


async def test_signing_out_closes_the_tables_of_that_session(anna: User) -> None:
    sitting = await members_table(anna)
    here, elsewhere = await signed_in(anna), await signed_in(anna)
    seat, watch = await table(here, sitting).open(), await table(elsewhere, sitting).open()
    await seat.say(t="join", v=1, since=-1, hold=True)
    assert (await seat.receive())["t"] == "state"
    await call_in_thread(broadcast.close_session, key_of(here))
    assert await seat.close_code() == 4001
    await watch.say(t="join", v=1, since=-1, hold=False)
    assert (await watch.receive())["t"] == "state"
    await call_in_thread(broadcast.close_user, anna.pk)
    assert await watch.close_code() == 4001


async def test_sign_out_releases_the_seat_at_the_table(anna: User) -> None:
    sitting = await members_table(anna)
    browser = await signed_in(anna)
    seat = await table(browser, sitting).open()
    await seat.say(t="join", v=1, since=-1, hold=True)
    await seat.receive()
    assert await Seat.objects.aget(match=sitting.match, user=anna, holder__isnull=False)
    await call_in_thread(broadcast.close_session, key_of(browser))
    assert await seat.close_code() == 4001
    await seat.leave()
    assert await Seat.objects.aget(match=sitting.match, user=anna, holder__isnull=True)


async def test_frames_sent_after_the_session_ended_are_ignored(anna: User) -> None:
    sitting = await members_table(anna)
    browser = await signed_in(anna)
    seat = await table(browser, sitting).open()
    await seat.say(t="join", v=1, since=-1, hold=True)
    seq = (await seat.receive())["seq"]
    await call_in_thread(broadcast.close_session, key_of(browser))
    assert await seat.close_code() == 4001
    await seat.say(t="resign_match", id=str(uuid4()), seq=seq)
    await seat.leave()
    match = await Match.objects.aget(pk=sitting.match.pk)
    assert match.finished_at is None


async def test_the_check_closes_a_table_that_missed_the_close(anna: User) -> None:
    sitting = await members_table(anna)
    browser = await signed_in(anna)
    seat = await table(browser, sitting).open()
    await seat.say(t="join", v=1, since=-1, hold=False)
    await seat.receive()
    await sign_out_silently(browser)
    await OPEN_SOCKETS.check()
    assert await seat.close_code() == 4001


async def test_closing_a_table_during_the_join_logs_no_error(
    anna: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    sitting = await members_table(anna)
    browser = await signed_in(anna)
    end_before_binding(monkeypatch, browser, sign_out_silently)
    seat = await table(browser, sitting).open()
    assert await seat.close_code() == 4001
    await seat.leave()
    assert [each.getMessage() for each in caplog.records if each.levelno >= logging.ERROR] == []


async def test_tables_ignore_nudges(anna: User) -> None:
    sitting = await members_table(anna)
    seat = await table(await signed_in(anna), sitting).open()
    await seat.say(t="join", v=1, since=-1, hold=False)
    assert (await seat.receive())["t"] == "state"
    await call_in_thread(broadcast.nudge, anna.pk, "balance")
    await call_in_thread(broadcast.close_user, anna.pk)
    assert await seat.close_code() == 4001  # neither a frame nor an error precedes the close
    await seat.leave()


async def test_a_guests_table_stays_open_when_their_session_is_closed(anna: User) -> None:
    sitting = await sync_to_async(Sitting)(Rules.of("short", length=3))
    browser = Client()
    session = await sync_to_async(lambda: browser.session)()
    session["guest"] = str(sitting.guest)
    await sync_to_async(session.save)()
    browser.cookies["sessionid"] = session.session_key
    seat = await table(browser, sitting).open()
    await seat.say(t="join", v=1, since=-1, hold=False)
    assert (await seat.receive())["t"] == "state"
    await call_in_thread(broadcast.close_session, session.session_key)
    await OPEN_SOCKETS.check()
    await seat.say(t="join", v=1, since=-1, hold=False)
    assert (await seat.receive())["t"] == "state"
    await seat.leave()


async def test_page_gets_nudges_of_its_topics_and_listens_to_four_at_most(anna: User) -> None:
    """The site sends messages to three topics, which the README of `accounts` names."""
    said = " ".join((Path(accounts.__file__).parent / "README.md").read_text().split())
    assert (
        f"`{SEEKS}` (lists of announced and running games), `{TOURNAMENTS}` (their lists)" in said
    )
    assert f"`{RUNNING}` (number of tournaments in progress)" in said
    page = await PageSocket(await signed_in(anna)).greeted()
    for topic in (SEEKS, TOURNAMENTS, RUNNING, "nothing"):
        await page.say(t="listen", to=topic)
    assert await page.is_open()
    for topic in (SEEKS, TOURNAMENTS, RUNNING):
        await call_in_thread(broadcast.nudge_topic, topic)
        assert await page.receive() == {"t": "nudge", "what": topic}
    await page.say(t="listen", to=SEEKS)  # a repeated request is ignored
    await page.say(t="listen", to="fifth")
    assert await page.receive() == {"t": "error", "code": "unreadable"}
    for topic in ("fifth", SEEKS):
        await call_in_thread(broadcast.nudge_topic, topic)
    assert await page.receive() == {"t": "nudge", "what": SEEKS}
    await page.leave()
