"""The tasks of the staff in a browser, each done by a role of `manage.py makeroles`.

tests/config/staff/test_roles.py tests that the other roles are refused.
"""

import pytest
from django.contrib.auth.models import Group
from django.utils import timezone
from playwright.sync_api import expect

from accounts.models import Origin, ReadyReason, User
from chat.models import Ticket
from config.staff.roles import DIRECTOR, FINANCE, MODERATOR, SUPPORT
from shop.models import Good
from stats.integrity import services
from tests.accounts.factories import member
from tests.chat.support.factories import asked
from tests.config.staff.clerks import clerk
from tests.config.staff.rows import open_appeal, running_match
from tests.config.staff.test_roles import SCHEDULE_FORM
from tests.journeys.test_access import LANGUAGES, assert_accessible
from tests.journeys.visitors import DESK, come_as_member, set_language
from tests.shop.payments.factories import paid
from tests.stats.integrity.suspects import give_up, paired, share
from tests.wallet.factories import player
from tournaments.models import Schedule
from wallet.selectors import funds_of


@pytest.fixture
def at_work(open_context, live, on_site):
    """Return a function that creates rows and opens the administration as a role."""

    def sign_in(role, make):
        user, rows = on_site(lambda: (clerk(role), make()))
        context = open_context(viewport=DESK)
        come_as_member(context, live, user)
        page = context.new_page()
        page.goto("/admin/")
        return page, rows

    return sign_in


def decide(page, button, question, reason="As our rules say."):
    """Press a button of a row's page, give the reason and confirm."""
    page.get_by_role("button", name=f"{button}…").click()
    page.get_by_label("Reason:", exact=True).fill(reason)
    page.get_by_role("button", name=question).click()
    expect(page.locator(".messagelist")).to_contain_text("Done")


def test_moderator_voids_a_match_answers_an_appeal_begins_and_ends_a_silence(at_work, on_site):
    def rows():
        ReadyReason.objects.update_or_create(
            occasion="VOID", name="Both asked", language="en",
            defaults={"text": "Both players asked us to."},
        )  # fmt: skip
        return running_match(), open_appeal()

    page, (match, appeal) = at_work(MODERATOR, rows)
    page.get_by_role("link", name="Matches in progress").click()
    page.get_by_role("link", name=match.public_id).click()
    page.get_by_role("link", name="Case file").click()
    page.get_by_role("button", name="Void…").click()
    page.get_by_label("Ready reason:").select_option(label="Both players asked us to.")
    page.get_by_role("button", name="Void these matches?").click()
    expect(page.locator(".messagelist")).to_contain_text("Done")
    on_site(match.refresh_from_db)
    assert match.outcome == "void"

    page.goto("/admin/")
    page.get_by_role("link", name="Appeals").click()
    page.get_by_role("link", name="rude55").click()
    decide(page, "Refuse the appeal", "Refuse these appeals?")
    on_site(appeal.refresh_from_db)
    assert appeal.answer == "As our rules say."

    page.goto(f"/admin/chat/report/{appeal.report_id}/change/")
    page.get_by_role("button", name="Silence the author…").click()
    page.get_by_label("For how long").select_option("30")
    page.get_by_label("Reason:", exact=True).fill("Rude again.")
    page.get_by_role("button", name="Silence these authors?").click()
    expect(page.locator(".messagelist")).to_contain_text("Done")
    page.goto(f"/admin/chat/silence/{appeal.pk}/change/")
    decide(page, "Let them chat again", "Let them chat again?")
    on_site(appeal.refresh_from_db)
    assert appeal.until <= timezone.now()


def test_finance_refunds_a_payment_and_adds_a_good(at_work, on_site):
    def rows():
        Good.objects.all().delete()
        return paid(member("anna55"))

    page, payment = at_work(FINANCE, rows)
    page.goto(f"/admin/shop/payment/{payment.pk}/change/")
    decide(page, "Refund", "Refund these payments?")
    on_site(payment.refresh_from_db)
    assert payment.refund_reason == "As our rules say."

    page.goto("/admin/")
    page.get_by_role("row", name="Items").get_by_role("link", name="Add").click()
    page.locator("[name=kind]").select_option("board")
    page.locator("[name=code]").fill("walnut")
    page.locator("[name=price_credits]").fill("300")
    page.locator("[name=_save]").click()
    expect(page.locator(".messagelist")).to_contain_text("added successfully")
    assert on_site(Good.objects.filter(code="walnut").exists)


def test_director_schedules_tournaments(at_work, on_site):
    page, _rows = at_work(DIRECTOR, lambda: None)
    page.get_by_role("row", name="Schedules").get_by_role("link", name="Add").click()
    for name, value in SCHEDULE_FORM.items():
        field = page.locator(f"[name={name}]").first
        if field.get_attribute("type") == "radio":
            page.locator(f"[name={name}][value={value}]").check()
        elif field.evaluate("element => element.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    page.locator("[name=_save]").click()
    expect(page.locator(".messagelist")).to_contain_text("added successfully")
    assert on_site(Schedule.objects.filter(name=SCHEDULE_FORM["name"]).exists)


def test_support_answers_a_request(at_work, on_site):
    page, ticket = at_work(SUPPORT, lambda: asked(member("anna55")))
    page.get_by_role("link", name="Support requests without an answer").click()
    page.get_by_role("link", name=ticket.subject).click()
    page.get_by_role("link", name="Answer", exact=True).click()
    page.get_by_label("Answer:", exact=True).fill("They are reserved for your open game.")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Send the answer").click()
    expect(page.locator(".messagelist")).to_contain_text("Your answer is sent.")
    on_site(ticket.refresh_from_db)
    assert ticket.state == Ticket.State.ANSWERED


def test_moderator_reads_and_closes_a_case_and_finance_refunds(at_work, on_site, live):
    def rows():
        suspects = [player("anna55"), player("boris5")]
        share(Origin.Kind.DEVICE, *suspects)
        paired(*suspects)
        give_up(*suspects, 3)
        victims = [player("hurt55").pk]
        ids = [user.pk for user in suspects]
        return services.open_case(ids, victims, "A report", None, timezone.now())

    page, case = at_work(MODERATOR, rows)
    page.get_by_role("link", name="Open fair play cases").click()
    page.get_by_role("link", name=case.public_id).click()
    expect(page.locator("#content")).to_contain_text("Same device")
    for language in LANGUAGES:
        set_language(page.context, live, language)
        page.reload()
        assert_accessible(page, language)
    set_language(page.context, live, "en")
    page.set_viewport_size(DESK)
    page.reload()
    expect(page.get_by_role("button", name="Refund…")).to_have_count(0)
    page.get_by_role("button", name="Close the case…").click()
    page.get_by_label("Outcome").select_option(label="The rules were broken")
    page.get_by_label("Reason:", exact=True).fill("Two accounts of one person.")
    page.get_by_role("button", name="Close these cases?").click()
    expect(page.locator(".messagelist")).to_contain_text("Done")

    def to_finance():
        user = User.objects.get(username="clerk5")
        user.groups.set([Group.objects.get(name=FINANCE)])

    on_site(to_finance)
    page.goto(f"/admin/stats/case/{case.pk}/change/")
    expect(page.get_by_role("button", name="Close the case…")).to_have_count(0)
    page.get_by_role("button", name="Refund…").click()
    page.get_by_label("Credits").fill("90")
    page.get_by_label("Reason:", exact=True).fill("They played together.")
    page.get_by_role("button", name="Refund these harmed members?").click()
    expect(page.locator(".messagelist")).to_contain_text("Done")
    assert on_site(lambda: funds_of(case.people.get(role="VICTIM").user_id).available) == (
        on_site(lambda: funds_of(case.people.filter(role="SUSPECT")[0].user_id).available) + 90
    )
