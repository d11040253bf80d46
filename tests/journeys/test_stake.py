"""Two people play for credits in two browsers, one of them a phone, while a third watches.

The way from the announcement to the rematch is the same for both variants; the long form plays
both.
"""

import re

import pytest
from django.core.management import call_command
from django.db.models import Sum
from playwright.sync_api import Page, expect

from games.engine.sides import Side
from games.models import Match
from stats.models import Rating
from stats.rating import START, Standing, change, played_weight
from tests.accounts.factories import member
from tests.games.factories import assert_log_folds
from tests.journeys.duel import TABLE, Duel, absence, in_own_thread, is_between_games, say
from tests.journeys.test_access import assert_accessible, languages_of
from tests.journeys.visitors import DESK, PHONE, come_as_member, set_language
from tests.support.lengths import IS_LONG
from wallet.models import Account, Entry
from wallet.money import House
from wallet.selectors import funds_of


def talk(duel: Duel, spectator: Page) -> None:
    """Let both chat: a message counts as unread until it is seen; spectators do not get it."""
    say(duel.desk, "good_luck")
    expect(duel.phone.locator("[data-part=unread]")).to_have_text("1")
    duel.phone.get_by_test_id("open-chat").click()
    expect(duel.phone.locator("[data-part=chat-list]")).to_contain_text("Good luck!")
    duel.phone.get_by_test_id("chat-text").fill("<b>And you</b>")
    duel.phone.get_by_test_id("chat-send").click()
    expect(duel.desk.locator("[data-part=chat-list]")).to_contain_text("<b>And you</b>")
    duel.phone.get_by_test_id("tab-match").click()
    expect(duel.phone.get_by_test_id("resign-match")).to_be_visible()
    expect(duel.phone.get_by_test_id("leave")).to_be_hidden()  # leaving would resign the match
    expect(duel.phone.get_by_test_id("pause")).to_be_hidden()  # a match for credits does not wait
    duel.phone.get_by_test_id("close-more").click()
    expect(duel.phone.locator("[data-part=unread]")).to_be_hidden()
    assert spectator.locator("[data-part=chat-list] li").count() == 0


def leave_and_come_back(duel: Duel) -> None:
    """Let the phone visit another page, which links back; the desktop shows the absence."""
    duel.phone.goto("/whats-new/")
    expect(absence(duel.desk)).to_contain_text("owner is away")
    duel.phone.locator("#live a").click()
    expect(absence(duel.desk)).to_be_hidden()
    expect(duel.phone.locator("[data-part=chat-list] li")).to_have_count(2)
    expect(duel.phone.locator("[data-part=unread]")).to_be_hidden()  # it was read before


def disconnect_and_come_back(duel: Duel) -> None:
    """Disconnect the desktop: its player takes the seat on a laptop, then back by a press."""
    duel.desk.context.set_offline(True)
    line = duel.desk.locator("[data-part=line]")
    # The first message is shown for a few seconds only.
    expect(line).to_contain_text(re.compile("The server is not responding|Connection lost"))
    laptop = duel.device_of(duel.joiner, viewport=DESK)
    laptop.goto(duel.phone.url)
    expect(laptop.locator("[data-status=live]")).to_be_visible()
    duel.desk.context.set_offline(False)
    expect(line).to_contain_text("You are playing this match in another window")
    duel.desk.get_by_test_id("line-button").click()
    expect(line).to_be_hidden()
    expect(laptop.locator("[data-status=held]")).to_be_visible()
    laptop.close()


def play_to_the_end(duel: Duel) -> None:
    """Play one game to the end; resign any further game at once."""
    one = duel.play_until(lambda look: look.is_over or is_between_games(look))
    while not one.look().is_over:
        duel.answer(duel.offer_to_resign(), "accept")
        one = duel.play_until(lambda look: look.is_over or is_between_games(look))


def assert_score(match: Match, verbs: dict[str, int]) -> None:
    """Check that games, seats and log agree on the score; `verbs` are minimum counts of actions."""
    assert_log_folds(match)
    games, state = match.games.all(), match.state
    for seat in match.seats.all():
        points = sum(game.points for game in games if game.winner == seat.side)
        assert points == state.score[seat.engine_side]
        assert (points >= 3) is (seat.side == match.winner)
    first = games[0]
    assert (first.cause, first.cube, first.points) == ("resign", 2, 2)
    for verb, count in verbs.items():
        assert match.actions.filter(verb=verb).count() >= count, verb


def assert_paid(match: Match, totals: dict[bool, int]) -> None:
    """Check the players' credits, the house's share, and the ledger.

    `totals`: the credits of the winner by the key True, of the loser by False.
    """
    for seat in match.seats.all():
        assert funds_of(seat.user_id).total == totals[seat.side == match.winner]
    rake = Entry.objects.filter(account__kind=Account.Kind.HOUSE, account__code=House.RAKE.value)
    assert rake.aggregate(sum=Sum("amount_credits"))["sum"] == match.rake_credits == 10
    call_command("reconcile")  # exits on any difference


def assert_rated(match: Match) -> None:
    """Check both ratings; the match may have too few turns for the winner's full gain."""
    turns = match.actions.turns_by_side()
    fewer_turns = min(turns[side.value] for side in Side)
    for seat in match.seats.all():
        result = float(seat.side == match.winner)
        moved = change(Standing(), Standing(), 3, result, played_weight(fewer_turns, result))
        standing = Rating.objects.get(user=seat.user_id, variant=match.variant)
        assert (standing.rating, standing.experience) == (START + moved, 3)
        assert seat.user.rating_changes.get().change == moved


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["short", "long"] if IS_LONG else ["short"])
def test_credit_match_is_played_from_announcement_to_rematch(
    unhurried, open_context, live, watch, variant
):
    watch.expect_error("ERR_INTERNET_DISCONNECTED")
    duel = Duel(open_context, live)
    duel.announce(variant)
    duel.look_around()
    match = duel.join()
    assert funds_of(duel.owner.pk).total == funds_of(duel.joiner.pk).total == 900
    spectator = duel.let_watch(match)
    expect(duel.desk.locator("[data-part=watchers-count]")).to_have_text("1")
    talk(duel, spectator)
    leave_and_come_back(duel)

    # The first game: the cube is taken, one resignation refused and a later one accepted.
    taker = duel.offer_cube()
    expect(taker.page.locator("[data-part=offer-cube] .offer-clock")).to_be_visible()
    duel.answer(taker, "take")
    name = "owner" if taker.page is duel.phone else "joiner"
    expect(spectator.locator("[data-part=fact-cube]")).to_have_text(f"2, held by {name}")
    disconnect_and_come_back(duel)
    refuser = duel.offer_to_resign()
    duel.answer(refuser, "refuse")
    duel.answer(duel.offer_to_resign(by=refuser), "accept")
    expect(spectator.locator("#result-title")).to_be_visible()
    play_to_the_end(duel)
    for page in (duel.phone, duel.desk):
        expect(page.get_by_test_id("match-result")).to_be_visible()
        expect(page.locator("#match_rating")).to_contain_text("your rating is now")

    # The rematch is on the same terms, with swapped sides.
    match.refresh_from_db()
    assert_paid(match, {True: 1090, False: 900})
    for page, button in ((duel.desk, "rematch-offer"), (duel.phone, "rematch-accept")):
        expect(page.get_by_test_id(button)).to_be_visible()
        price = page.get_by_test_id("rematch-price")
        expect(price).to_have_text("Stake: 100 · site fee: 10, from the winner")
        page.get_by_test_id(button).click()
    for page in (duel.desk, duel.phone):
        expect(page).not_to_have_url(re.compile(match.public_id))
        expect(page).to_have_url(TABLE)
    again = Match.objects.get(rematch_of=match)
    assert again.seats.get(user=duel.owner).side != match.seats.get(user=duel.owner).side
    assert_paid(match, {True: 990, False: 800})
    assert_score(match, {"double": 1, "take": 1, "resign": 2, "refuse": 1, "accept": 1})
    assert_rated(match)

    # The spectator saw the whole match, may check its dice, and can watch the next match.
    expect(spectator.locator("#result-title")).to_contain_text("won the match")
    spectator.get_by_test_id("dice-check").click()
    expect(spectator.get_by_test_id("dice-verdict")).to_have_attribute("data-ok", "true")
    spectator.get_by_test_id("rematch-watch").click()
    expect(spectator).to_have_url(re.compile(again.public_id))
    expect(spectator.get_by_test_id("status")).to_contain_text("You are watching")


@pytest.mark.parametrize("language", languages_of(0))
def test_lobby_pages_are_accessible(unhurried, open_context, live, language):
    owner, visitor = in_own_thread(member, "owner"), in_own_thread(member, "visitor")
    contexts = [open_context(viewport=PHONE) for _ in range(2)]
    for context, user in zip(contexts, (owner, visitor), strict=True):
        come_as_member(context, live, user)
        set_language(context, live, language)
    page, other = (context.new_page() for context in contexts)
    page.goto("/play/new/")
    page.locator("details.advanced > summary").click()
    assert_accessible(page, language)
    page.set_viewport_size(DESK)
    page.locator("form.setup button[type=submit]").click()
    expect(page.locator(".outlook")).to_be_visible()
    assert_accessible(page, language)
    page.locator("[name=confirmed]").click()
    expect(page.locator("#waiting")).to_be_visible()
    assert_accessible(page, language)
    other.goto("/play/")
    expect(other.locator(".seek-row:not(.is-computer)")).to_have_count(1)
    assert_accessible(other, language)
