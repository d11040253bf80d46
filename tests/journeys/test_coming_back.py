"""A page that reconnects receives what happened during the disconnect."""

import re
from typing import Any

from django.utils import timezone
from playwright.sync_api import Page, WebSocketRoute, expect

from games.engine.match.permissions import on_turn
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Match
from lobby.services import announcing, joining
from tests.games.factories import StakeSitting
from tests.journeys.duel import in_own_thread
from tests.journeys.visitors import DESK, come_as_member
from tests.wallet.factories import player


def begin() -> tuple[StakeSitting, Side]:
    """Start a match with long clocks; return it and the side that does not move first."""
    sitting = StakeSitting(player("white5"), player("black5"), length=25).sit().start_game()
    mover = on_turn(sitting.state)
    assert mover is not None
    return sitting, mover.other


def offer_to_resign(sitting: StakeSitting, side: Side) -> None:
    sitting.now = timezone.now()
    sitting.sit(side)
    sitting.do("resign", side=side, factor=min(sitting.may(side)["resign"]))


def test_resignation_offered_during_a_disconnect_is_answered(open_context: Any, live: str) -> None:
    sitting, asked = in_own_thread(begin)
    context = open_context(viewport=DESK)
    come_as_member(context, live, sitting.users[asked])
    page = context.new_page()
    sockets: list[WebSocketRoute] = []
    resigning: list[Side] = []

    def connect(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        if resigning:
            in_own_thread(offer_to_resign, sitting, resigning.pop())
        socket.connect_to_server()

    page.route_web_socket(re.compile("/ws/match/"), connect)
    page.goto(f"/match/{sitting.public_id}/")
    expect(page.locator("[data-part=table]")).to_have_attribute("data-turn", "enemy")
    resigning.append(asked.other)
    sockets[-1].close(code=1012)
    page.get_by_test_id("accept").click()
    expect(page.locator("#result-title")).to_be_visible()


def write_while_cut(open_context: Any, live: str, codes: list[int]) -> tuple[Page, list[int]]:
    """Open a table, cut its connection and write a message.

    Each new socket takes the first of the codes and is closed with it. Return the page and the list
    of the codes that are left; when it is empty, sockets connect.
    """
    sitting, writer = in_own_thread(begin)
    context = open_context(viewport=DESK)
    come_as_member(context, live, sitting.users[writer])
    page = context.new_page()
    sockets: list[WebSocketRoute] = []
    left: list[int] = []

    def connect(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        if left:
            socket.close(code=left.pop(0))
        else:
            socket.connect_to_server()

    page.route_web_socket(re.compile("/ws/match/"), connect)
    page.goto(f"/match/{sitting.public_id}/")
    field = page.get_by_test_id("chat-text")
    expect(field).to_be_visible()
    left.extend(codes)
    sockets[-1].close(code=1012)
    expect(page.locator("[data-status=lost]")).to_be_visible()
    field.fill("Are you still there?")
    page.get_by_test_id("chat-send").click()
    return page, left


def test_message_written_during_a_disconnect_is_sent_after_it(open_context: Any, live: str) -> None:
    page, codes = write_while_cut(open_context, live, [1012] * 1000)
    note = page.locator("[data-part=chat-note]")
    expect(note).to_contain_text("will be sent")
    expect(page.locator("[data-part=chat-list] .said")).to_have_count(0)
    codes.clear()
    expect(page.locator("[data-part=chat-list] .said")).to_contain_text("Are you still there?")
    expect(note).to_have_text("")


def test_message_returns_to_its_field_if_it_cannot_be_sent(open_context: Any, live: str) -> None:
    page, codes = write_while_cut(open_context, live, [1012] * 1000)
    expect(page.locator("[data-part=chat-note]")).to_contain_text("will be sent")
    codes[:] = [4001] * 20  # signed out meanwhile
    expect(page.locator("[data-status=closed]")).to_be_visible()
    expect(page.get_by_test_id("chat-text")).to_have_value("Are you still there?")
    expect(page.locator("[data-part=chat-note]")).to_contain_text("Not sent")


def test_join_during_page_load_opens_the_table_for_the_owner(open_context: Any, live: str) -> None:
    """Join after the page was rendered and before its socket is open, when nothing is delivered."""
    owner, joiner = in_own_thread(player, "white5"), in_own_thread(player, "black5")
    rules = Rules.of("short", length=25, delay_ms=90_000)
    terms = announcing.Announcement(rules, 100)
    seek = in_own_thread(announcing.announce, owner, terms, timezone.now())
    context = open_context(viewport=DESK)
    come_as_member(context, live, owner)
    page = context.new_page()
    joined: list[Match] = []

    def connect(socket: WebSocketRoute) -> None:
        if not joined:
            joined.append(in_own_thread(joining.join, seek.public_id, joiner, timezone.now()))
        socket.connect_to_server()

    page.route_web_socket(re.compile("/ws/site/"), connect)
    page.goto("/leaders/")
    page.wait_for_url(re.compile("/match/"))
    assert joined[0].public_id in page.url
