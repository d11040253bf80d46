"""Staff read the overview and a case file on a desk and a phone, then decide."""

from playwright.sync_api import expect

from games.services.chat import room
from tests.accounts.factories import staff
from tests.chat.factories import MessageFactory
from tests.games.factories import StakeSitting
from tests.journeys.test_access import assert_accessible, languages_of
from tests.journeys.visitors import DESK, come_as_member, set_language
from tests.wallet.factories import player


def begin():
    sitting = StakeSitting(player("white5"), player("black5"), stake=100).sit().start_game()
    sitting.both_move().both_move()
    white = next(iter(sitting.users.values()))
    MessageFactory(author=white, room=room(sitting.public_id, sitting.side), body="Hello there")
    return staff("boss55"), sitting.match


def test_staff_read_the_case_of_a_match_and_void_it(unhurried, open_context, live, on_site):
    boss, match = on_site(begin)
    context = open_context(viewport=DESK)
    come_as_member(context, live, boss)
    page = context.new_page()
    for language in languages_of(2):
        set_language(context, live, language)
        for address in ("/admin/", f"/admin/games/match/{match.pk}/case/"):
            page.goto(address)
            assert_accessible(page, language)
    set_language(context, live, "en")
    page.goto(f"/admin/games/match/{match.pk}/change/")
    page.get_by_role("link", name="Case file").click()
    page.get_by_role("button", name="Void…").click()
    page.get_by_label("Reason:", exact=True).fill("The dice were stuck.")
    page.get_by_role("button", name="Void these matches?").click()
    expect(page.locator(".messagelist")).to_contain_text("Done")
    page.goto(f"/admin/games/match/{match.pk}/case/")
    expect(page.locator("#content")).to_contain_text("Voided: The dice were stuck.")
