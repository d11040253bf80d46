"""The socket guard: which connections get a consumer, and which frames pass afterwards."""

from importlib import import_module

import pytest
import pytest_asyncio
from asgiref.sync import sync_to_async
from autobahn.exception import Disconnected
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings as django_settings
from django.core import signing

from accounts.models import User
from accounts.sessions.visitors import SALT
from accounts.shared.client_address import WIDE_SHARE
from accounts.shared.database_threads import Stage, Turnstile
from config.routing import sockets
from config.sockets.guard import (
    FRAME_BURST,
    MAX_FRAME_BYTES,
    MEMBERS_FACTOR,
    NO_SESSION,
    TOO_FAST,
    TOO_LARGE,
    Gate,
    SocketGuard,
    is_own_origin,
    owner_key,
)
from tests.accounts.factories import member, session_key
from tests.accounts.sessions.hostile_keys import HOSTILE_KEYS
from tests.support.sockets import PatientSocket

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

ORIGIN = b"http://testserver"
TABLE = "/ws/match/AbCdEf123456/"


class Echo(AsyncWebsocketConsumer):
    """Send the `owner_key` of the session and user in the scope, then repeat each frame.

    On the disconnect, try to send once more.
    """

    async def connect(self):
        await self.accept()
        user, session = self.scope["user"], self.scope["session"]
        await self.send(owner_key(session, user))

    async def receive(self, text_data=None, bytes_data=None):
        await self.send(text_data if text_data is not None else f"{len(bytes_data)} bytes")

    async def disconnect(self, code):
        await self.send("a last word")


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture(autouse=True)
def _hosts(settings):
    settings.ALLOWED_HOSTS = ["testserver"]


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def guard(clock):
    return SocketGuard(Echo.as_asgi(), clock=clock)


@sync_to_async
def new_session(**values):
    session = import_module(django_settings.SESSION_ENGINE).SessionStore()
    session.update(values)
    session.save()
    return session.session_key


@pytest_asyncio.fixture
async def guest():
    return await new_session(guest="11111111-2222-3333-4444-555555555555")


def knock(
    guard, session=None, origin=ORIGIN, host=b"testserver", peer="192.0.2.1", more=(), path=TABLE
):
    headers = [(b"host", host), *more]
    if origin is not None:
        headers.append((b"origin", origin))
    if session:
        headers.append((b"cookie", f"{django_settings.SESSION_COOKIE_NAME}={session}".encode()))
    communicator = PatientSocket(guard, path, headers=headers)
    communicator.scope["client"] = [peer, 50000]
    return communicator


async def enter(guard, session, **options):
    communicator = knock(guard, session, **options)
    is_in, _ = await communicator.connect()
    assert is_in
    await communicator.receive_from()
    return communicator


async def close_code(communicator):
    """Return the code with which the guard closes the socket after the handshake."""
    is_in, _ = await communicator.connect()
    assert is_in
    event = await communicator.receive_output()
    assert event["type"] == "websocket.close"
    return event["code"]


async def is_turned_away(communicator):
    """Return whether the guard refuses the connection before the handshake, with 403."""
    is_in, _ = await communicator.connect()
    return not is_in


async def test_cookie_that_cannot_be_a_session_key_never_reaches_the_database(guard, monkeypatch):
    """PostgreSQL fails at a NUL, which a quoted cookie may hold: the handshake would answer 500."""
    monkeypatch.setattr("config.sockets.guard.IDENTITIES", None)
    for hostile in HOSTILE_KEYS:
        assert await close_code(knock(guard, hostile)) == NO_SESSION


async def test_guest_of_this_site_gets_in(guard, guest):
    communicator = knock(guard, guest)
    assert (await communicator.connect())[0]
    assert await communicator.receive_from() == "guest:11111111-2222-3333-4444-555555555555"
    await communicator.send_to("hello")
    assert await communicator.receive_from() == "hello"
    await communicator.disconnect()


async def test_signed_in_user_gets_in(guard, client):
    user = await sync_to_async(User.objects.create_user)("player7")
    await sync_to_async(client.force_login)(user)
    communicator = knock(guard, client.cookies[django_settings.SESSION_COOKIE_NAME].value)
    assert (await communicator.connect())[0]
    assert await communicator.receive_from() == f"user:{user.pk}"
    await communicator.disconnect()


@pytest.mark.parametrize(
    "origin",
    [
        None,
        b"",
        b"null",
        b"http://evil.example",
        b"https://testserver",
        b"http://testserver:8000",
        b"http://testserver.evil.example",
        b"http://testserver/path",
        b"http://evil.example@testserver",
        b"http://testserver:99999",
        b"http://[",
    ],
)
async def test_foreign_or_missing_origin_is_turned_away(guard, guest, origin):
    assert await is_turned_away(knock(guard, guest, origin=origin))


async def test_repeated_origin_is_turned_away(guard, guest):
    twice = [(b"origin", ORIGIN)]
    assert await is_turned_away(knock(guard, guest, more=twice))


async def test_foreign_host_is_turned_away_even_with_its_own_origin(guard, guest):
    assert await is_turned_away(
        knock(guard, guest, origin=b"http://evil.example", host=b"evil.example")
    )


async def test_trusted_origin_is_let_in(guard, guest, settings):
    settings.CSRF_TRUSTED_ORIGINS = ["https://play.example.org"]
    communicator = await enter(guard, guest, origin=b"https://play.example.org")
    await communicator.disconnect()


async def test_origin_must_be_https_where_cookies_are_secure(settings):
    settings.SESSION_COOKIE_SECURE = True
    assert is_own_origin("https://testserver", "testserver")
    assert not is_own_origin("http://testserver", "testserver")


async def test_wildcard_host_does_not_allow_every_origin(settings):
    settings.ALLOWED_HOSTS = ["*"]
    assert is_own_origin("http://any.example", "any.example")
    assert not is_own_origin("http://evil.example", "any.example")


async def test_client_without_session_and_visitor_cookie_is_closed_with_4001(guard):
    assert await close_code(knock(guard)) == NO_SESSION


def visitor_cookie(value):
    return [(b"cookie", f"{django_settings.VISITOR_COOKIE_NAME}={value}".encode())]


async def test_visitor_who_opened_a_page_gets_in_without_a_session(guard):
    more = visitor_cookie(signing.Signer(salt=SALT).sign("b" * 32))
    communicator = await enter(guard, None, more=more)
    assert guard.owners.held(f"table visitor:{'b' * 32}") == 1
    await communicator.disconnect()


async def test_invented_visitor_is_closed_with_4001(guard):
    assert await close_code(knock(guard, more=visitor_cookie("b" * 32))) == NO_SESSION


async def test_visitor_with_a_session_counts_as_the_guest_of_the_session(guard, guest):
    cookies = visitor_cookie(signing.Signer(salt=SALT).sign("b" * 32))[0][1].decode()
    both = f"{cookies}; {django_settings.SESSION_COOKIE_NAME}={guest}".encode()
    communicator = knock(guard, more=[(b"cookie", both)])
    assert (await communicator.connect())[0]
    assert (await communicator.receive_from()).startswith("guest:")
    await communicator.disconnect()


async def test_invented_session_is_closed_with_4001(guard):
    assert await close_code(knock(guard, "a" * 32)) == NO_SESSION


async def test_socket_over_the_cap_of_a_guest_is_refused_until_another_closes(
    guard, guest, settings
):
    settings.SOCKETS_PER_USER = 2
    first, second = await enter(guard, guest), await enter(guard, guest)
    assert await close_code(knock(guard, guest)) == TOO_FAST
    await first.disconnect()
    third = await enter(guard, guest)
    await second.disconnect()
    await third.disconnect()


async def test_pages_do_not_use_up_the_sockets_of_tables(guard, guest, settings):
    settings.SOCKETS_PER_USER = settings.SOCKETS_PER_ADDRESS = 1
    page = await enter(guard, guest, path="/ws/site/")
    table = await enter(guard, guest)
    assert await is_turned_away(knock(guard, guest, path="/ws/site/"))
    await page.disconnect()
    await table.disconnect()


async def test_unknown_path_counts_toward_the_cap(guard, guest, settings):
    settings.SOCKETS_PER_USER = 1
    table = await enter(guard, guest)
    assert await close_code(knock(guard, guest, path="/ws/invented/")) == TOO_FAST
    await table.disconnect()


@pytest.mark.parametrize("path", ["/ws/invented/", "/ws/match//", "/ws/match/short/", "/"])
async def test_unknown_path_is_turned_away_without_an_error(guest, path):
    assert await is_turned_away(knock(sockets, guest, path=path))


async def test_sockets_of_one_address_are_capped_across_guests(guard, settings):
    settings.SOCKETS_PER_ADDRESS = 1
    one, other = await new_session(guest="a"), await new_session(guest="b")
    first = await enter(guard, one)
    assert await is_turned_away(knock(guard, other))
    elsewhere = await enter(guard, other, peer="192.0.2.2")
    await first.disconnect()
    await elsewhere.disconnect()


async def test_ipv6_networks_of_one_wide_network_share_a_cap(guard, settings):
    settings.SOCKETS_PER_ADDRESS = 1
    inside = [
        await enter(guard, await new_session(number=number), peer=f"2001:db8:1:{number:x}::1")
        for number in range(WIDE_SHARE)
    ]
    late = await new_session(late=True)
    assert await is_turned_away(knock(guard, late, peer="2001:db8:1:ffff::1"))
    # Under this key the guard counts the sockets of guests at tables.
    assert not guard.addresses.held("table False 2001:db8:1:ffff::/64")
    await enter(guard, late, peer="2001:db8:2::1")
    for each in inside:
        await each.disconnect()


async def test_guests_of_a_network_do_not_keep_a_member_from_the_table(guard, settings):
    settings.SOCKETS_PER_ADDRESS = 1
    others = [await enter(guard, await new_session(guest="a"))]
    key = await sync_to_async(session_key)(await sync_to_async(member)("annika"))
    others += [await enter(guard, key) for _ in range(MEMBERS_FACTOR)]
    settings.SOCKETS_PER_USER = 100
    assert await is_turned_away(knock(guard, key))
    for each in others:
        await each.disconnect()
    assert not guard.addresses._held


async def test_client_address_comes_from_the_trusted_proxy(guard, settings):
    settings.SOCKETS_PER_ADDRESS, settings.PROXY_COUNT = 1, 1
    one, other = await new_session(guest="a"), await new_session(guest="b")
    first = await enter(guard, one, more=[(b"x-forwarded-for", b"198.51.100.1")])
    second = await enter(guard, other, more=[(b"x-forwarded-for", b"198.51.100.2")])
    await first.disconnect()
    await second.disconnect()


async def test_opening_that_waits_too_long_for_its_turn_is_turned_away(guard, guest, monkeypatch):
    full = Turnstile(most=1)
    monkeypatch.setattr("accounts.shared.database_threads.TURNSTILE", full)
    async with full.turn(Stage.JOIN):
        with monkeypatch.context() as short:
            short.setattr("config.sockets.guard.LONGEST_WAIT_S", 0.01)
            assert await is_turned_away(knock(guard, guest))
    communicator = await enter(guard, guest)
    await communicator.disconnect()


async def test_refused_visitors_do_not_stay_counted(guard, guest, settings):
    settings.SOCKETS_PER_USER = 1
    assert await close_code(knock(guard, "u" * 32)) == NO_SESSION
    communicator = await enter(guard, guest)
    assert await close_code(knock(guard, guest)) == TOO_FAST
    await communicator.disconnect()
    assert not guard.addresses._held
    assert not guard.owners._held


async def refusal_of(communicator):
    """Return the close code of a refusal and its reason, which is the seconds to wait."""
    assert (await communicator.connect())[0]
    event = await communicator.receive_output()
    return event["code"], event.get("reason")


async def test_owner_who_opens_sockets_without_pause_waits(guard, guest, clock, settings):
    settings.SOCKETS_PER_USER = 2
    for _ in range(6):
        await (await enter(guard, guest)).disconnect()
    assert await refusal_of(knock(guard, guest)) == (TOO_FAST, "5")
    page = await enter(guard, guest, path="/ws/site/")  # counted separately
    await page.disconnect()
    other = await enter(guard, await new_session(guest="a"))
    await other.disconnect()
    clock.now += 5
    await (await enter(guard, guest)).disconnect()
    assert await refusal_of(knock(guard, guest)) == (TOO_FAST, "5")


async def test_sessions_of_one_member_share_the_limit_on_opening_sockets(guard, settings):
    settings.SOCKETS_PER_USER = 1
    user = await sync_to_async(member)("annika")
    for _ in range(3):
        key = await sync_to_async(session_key)(user)
        await (await enter(guard, key)).disconnect()
    assert await refusal_of(knock(guard, key)) == (TOO_FAST, "10")


async def test_limit_on_opening_sockets_for_guests_of_a_network_spares_members(guard, settings):
    settings.SOCKETS_PER_ADDRESS = 1
    for number in range(3):
        await (await enter(guard, await new_session(guest=str(number)))).disconnect()
    guest = await new_session(guest="a")
    assert await refusal_of(knock(guard, guest)) == (TOO_FAST, "10")
    key = await sync_to_async(session_key)(await sync_to_async(member)("annika"))
    for each in (await enter(guard, key), await enter(guard, guest, peer="192.0.2.2")):
        await each.disconnect()


@pytest.mark.parametrize("letter", ["x", "ж"])
async def test_frame_over_four_kilobytes_closes_the_socket(guard, guest, letter):
    communicator = await enter(guard, guest)
    fits = letter * (MAX_FRAME_BYTES // len(letter.encode()))
    await communicator.send_to(fits)
    assert await communicator.receive_from() == fits
    await communicator.send_to(fits + letter)
    event = await communicator.receive_output()
    assert (event["type"], event["code"]) == ("websocket.close", TOO_LARGE)


async def test_binary_frame_over_four_kilobytes_closes_the_socket(guard, guest):
    communicator = await enter(guard, guest)
    await communicator.send_input({"type": "websocket.receive", "bytes": b"x" * 4097})
    assert (await communicator.receive_output())["code"] == TOO_LARGE


async def test_more_frames_than_the_burst_close_the_socket(guard, guest):
    communicator = await enter(guard, guest)
    for number in range(FRAME_BURST):
        await communicator.send_to(str(number))
        assert await communicator.receive_from() == str(number)
    await communicator.send_to("one too many")
    event = await communicator.receive_output()
    assert (event["type"], event["code"]) == ("websocket.close", TOO_FAST)


async def test_five_frames_a_second_are_never_refused(guard, guest, clock):
    communicator = await enter(guard, guest)
    for number in range(FRAME_BURST * 3):
        clock.now += 0.2
        await communicator.send_to(str(number))
        assert await communicator.receive_from() == str(number)
    await communicator.disconnect()


async def test_consumer_cannot_send_after_the_guard_closed(guard, guest):
    communicator = await enter(guard, guest)
    await communicator.send_to("x" * 5000)
    assert (await communicator.receive_output())["code"] == TOO_LARGE
    await communicator.wait()
    assert communicator.output_queue.empty()


async def test_sending_to_a_disconnected_client_is_not_an_error(clock):
    """Daphne raises Disconnected when an event is sent to a page being closed."""
    sent = []

    async def send(event):
        sent.append(event)
        raise Disconnected("Attempt to send on a closed protocol")

    async def receive():
        return {"type": "websocket.disconnect", "code": 1001}

    gate = Gate(receive, send, clock)
    for _ in range(2):
        await gate.send({"type": "websocket.send", "text": "news"})
    assert len(sent) == 1
    assert (await gate.receive())["type"] == "websocket.disconnect"
