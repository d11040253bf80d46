"""A spectator: the link back to the list, a hidden stake, a game shown a turn later."""

from typing import Any

from playwright.sync_api import Page, expect

from games.models import Action
from tests.games.factories import StakeSitting
from tests.journeys.duel import in_own_thread, seasoned
from tests.journeys.usable import LOOKS, assert_in_sight, assert_pressable, each_look
from tests.journeys.visitors import DESK, set_language
from tests.wallet.factories import player

HIDDEN = {
    "ru": "Видна только двум игрокам",
    "tr": "Sadece iki oyuncu görür",
    "en": "Only the two players see it",
}


@each_look
def test_a_spectator_goes_back_to_the_games_by_one_press(
    unhurried: None, open_context: Any, live: str, size: dict[str, int], language: str
) -> None:
    sitting = in_own_thread(lambda: StakeSitting(seasoned("anna"), seasoned("boris")))
    touch = {"has_touch": True, "is_mobile": True} if size is not DESK else {}
    context = open_context(viewport=size, **touch)
    set_language(context, live, language)
    page = context.new_page()
    page.goto(f"/match/{sitting.public_id}/")
    expect(page.locator("[data-watching]")).to_be_visible()
    way_out = page.get_by_test_id("exit")
    assert_pressable(way_out)
    way_out.click()
    expect(page).to_have_url(f"{live}/play/")
    expect(page.locator("#running-title")).to_be_visible()


def begun() -> StakeSitting:
    """Start a match whose stake is hidden and high enough for the delay."""
    sitting = StakeSitting(
        player("white5", 5000), player("black5", 5000), stake=600, length=7, hides_stake=True
    )
    return sitting.sit().start_game()


def play_a_turn(sitting: StakeSitting) -> int:
    """Play a turn; return the seq of the play before, the last action that spectators see."""
    plays = Action.objects.filter(match=sitting.match, verb="play")
    before = plays.count()
    while plays.count() == before:
        sitting.act_simply()
    return plays.order_by("-seq").values_list("seq", flat=True)[1]


def test_a_spectator_sees_no_hidden_stake_and_the_game_a_turn_later(
    unhurried: None, open_context: Any, live: str, settings: Any
) -> None:
    settings.WATCH_DELAY_STAKE = 500
    sitting = in_own_thread(begun)
    in_own_thread(sitting.both_move)
    context = open_context(has_touch=True)
    page = context.new_page()
    for size, language in LOOKS:
        set_language(context, live, language)
        page.set_viewport_size(size)
        page.goto(f"/match/{sitting.public_id}/")
        expect(page.locator("[data-part=table][data-seq]")).to_be_visible()
        shown = in_own_thread(play_a_turn, sitting)
        expect(page.locator("[data-part=table]")).to_have_attribute("data-seq", str(shown))
        assert shown < sitting.seq
        assert_says_what_is_hidden(page, HIDDEN[language])


def assert_says_what_is_hidden(page: Page, text: str) -> None:
    if not page.locator(".facts-stake").is_visible():
        page.get_by_test_id("more").click()
    stake, delay = page.locator(".facts-stake .fact-whole dd"), page.locator(".facts-stake + .hint")
    expect(stake).to_have_text(text)
    assert_in_sight(stake)
    assert_in_sight(delay)
    assert "600" not in page.locator("body").inner_text()
