"""A page opens an entrant's new table by itself, but only links to one older than the page."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from games.engine.sides import Side
from tests.journeys.duel import in_own_thread, until
from tests.journeys.visitors import DESK, come_as_member, tournament_in_first_round
from tests.tournaments.factories import TournamentRun

# The page's sockets wait for `openSockets`, as those of a slow network would. Later ones open at
# once: the page gives up a socket that does not open in time, and makes another a little later.
HELD = """
  const waiting = [];
  let areHeld = true;
  const Real = WebSocket;
  window.WebSocket = function (url) {
    const held = { readyState: Real.CONNECTING, send() {}, close() {} };
    const open = () => {
      const socket = new Real(url);
      held.send = (text) => socket.send(text);
      for (const name of ["onopen", "onmessage", "onclose"]) {
        socket[name] = (event) => { held.readyState = socket.readyState; held[name]?.(event); };
      }
    };
    if (areHeld) waiting.push(open);
    else open();
    return held;
  };
  window.openSockets = () => {
    areHeld = false;
    waiting.splice(0).forEach((open) => open());
  };
"""


def final_table(page: Page, run: TournamentRun) -> str:
    """Wait until the final has its table; return the public id of its match."""
    (table,) = until(page, lambda: open_tables(run))
    return str(table)


def open_tables(run: TournamentRun) -> list[str]:
    return [fixture.match.public_id for fixture in run.open_fixtures() if fixture.match]


def test_a_table_opened_before_the_page_has_its_socket_is_not_missed(
    open_context: Any, unhurried: None, live: str
) -> None:
    run, (first, second) = in_own_thread(tournament_in_first_round)
    in_own_thread(lambda: first.do("resign_match"))
    winner = first.users[Side.BLACK]
    context = open_context(viewport=DESK)
    context.add_init_script(HELD)
    come_as_member(context, live, winner)
    page = context.new_page()
    page.goto("/leaders/")
    in_own_thread(lambda: second.do("resign_match"))
    table = final_table(page, run)
    expect(page).to_have_url(re.compile("/leaders/"))
    page.evaluate("openSockets()")
    expect(page).to_have_url(re.compile(table), timeout=30_000)


def test_an_entrant_may_look_at_another_page_while_the_table_waits(
    open_context: Any, unhurried: None, live: str
) -> None:
    run, (first, second) = in_own_thread(tournament_in_first_round)
    for table in (first, second):
        in_own_thread(table.do, "resign_match")
    context = open_context(viewport=DESK)
    come_as_member(context, live, first.users[Side.BLACK])
    page = context.new_page()
    waiting = final_table(page, run)
    with page.expect_response(re.compile("/tournaments/alerts/")):  # asked once the socket is live
        page.goto("/leaders/")
    page.wait_for_timeout(1000)
    expect(page).to_have_url(re.compile("/leaders/"))
    page.locator(".tournament-joins a").click()
    expect(page).to_have_url(re.compile(waiting))
