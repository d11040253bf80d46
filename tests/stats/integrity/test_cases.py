"""Cases of fair play: opening, evidence, closing, refunds, bans, and the staff who see them."""

from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.admin.models import LogEntry
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.closing import services as closing
from accounts.members import services as members
from accounts.models import Origin, Preferences, User
from accounts.models.ready_reason import ReadyReason
from accounts.shared import transactions
from accounts.shared.refusals import Refused
from config.staff.roles import FINANCE, MODERATOR, ROLES
from stats import personal_data
from stats.integrity import checks, services, strength, timing
from stats.integrity.findings import DAYS
from stats.models import Case, CasePerson, Evidence, EvidenceIsKept
from tests.accounts.factories import PASSWORD, UserFactory, member, staff
from tests.chat.support.factories import asked
from tests.config.staff.clerks import clerk_of
from tests.config.staff.rows import running_match
from tests.stats.integrity.suspects import give_up, paired, reviewed, share, timed
from tests.wallet.factories import player
from wallet.models import Transfer
from wallet.selectors import funds_of
from wallet.services import corrections

pytestmark = [pytest.mark.django_db, pytest.mark.portable]
LIST = "/admin/stats/case/"
PEOPLE = "/admin/stats/caseperson/"


@pytest.fixture
def anna() -> User:
    return player("anna55")


@pytest.fixture
def boris() -> User:
    return player("boris5")


@pytest.fixture
def boss(client: Client) -> Client:
    client.force_login(staff("boss55"))
    return client


def opened(*suspects: User, victims: tuple[User, ...] = ()) -> Case:
    ids = [user.pk for user in suspects]
    harmed = [user.pk for user in victims]
    return services.open_case(ids, harmed, "A report", None, timezone.now())


def act(browser: Client, address: str, action: str, row, **answers: str):
    data = {"action": action, "_selected_action": row.pk, "confirmed": "yes", **answers}
    return browser.post(address, data, follow=True)


def test_page_of_a_match_offers_a_case_about_its_players(boss):
    match = running_match()
    link = f"{LIST}add/?suspects="
    page = boss.get(reverse("admin:case_file", args=[match.pk])).text
    logins = [seat.user.username for seat in match.seats.order_by("-side")]
    assert f'href="{link}{"%20".join(logins)}"' in page
    form = boss.get(f"{link}{'%20'.join(logins)}").context["adminform"].form
    assert form.initial["suspects"] == " ".join(logins)


def test_staff_open_a_case_with_the_evidence_of_that_moment(boss, anna, boris):
    share(Origin.Kind.DEVICE, anna, boris)
    paired(anna, boris)
    victim = player("victim5")
    form = {"suspects": "ANNA55, boris5", "victims": "victim5", "why": "A report of victim5"}
    boss.post(f"{LIST}add/", form)
    case = Case.objects.get()
    roles = dict(case.people.values_list("user", "role"))
    assert roles == {anna.pk: "SUSPECT", boris.pk: "SUSPECT", victim.pk: "VICTIM"}
    assert case.opened_by is not None
    page = boss.get(f"{LIST}{case.pk}/change/").text
    for text in ("A report of victim5", "Same device", "<dd>yes</dd>", "marked", "boss55"):
        assert text in page
    assert LogEntry.objects.filter(object_id=str(case.pk)).exists()


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ({"suspects": "anna55 nobody5"}, "There is no member with this login: nobody5"),
        ({"suspects": "anna55", "victims": "anna55"}, "cannot be both under suspicion"),
        ({"suspects": ""}, "This field is required"),
        ({"suspects": "boris5"}, "There is already an open case"),
        (
            {"suspects": "anna55", "victims": " ".join(f"many{n}x" for n in range(10))},
            "ten members",
        ),
    ],
    ids=["unknown", "both", "nobody", "open", "many"],
)
def test_form_says_why_a_case_cannot_be_opened(boss, anna, boris, form, text):
    opened(boris)
    for number in range(10):
        member(f"many{number}x")
    answer = boss.post(f"{LIST}add/", {"why": "A report", "victims": "", **form})
    assert text in answer.text
    assert Case.objects.count() == 1


def test_same_suspects_have_one_open_case(anna, boris):
    opened(anna, boris)
    with pytest.raises(Refused, match="open"):
        opened(boris, anna)
    assert opened(anna).pk


def test_new_evidence_leaves_earlier_evidence_unchanged(boss, anna, boris):
    case = opened(anna, boris)
    (before,) = Evidence.objects.values("kind", "figures", "taken_at")
    share(Origin.Kind.DEVICE, anna, boris)
    paired(anna, boris)
    act(boss, LIST, "take_again", case)
    rows = list(Evidence.objects.filter(kind="TOGETHER").values("kind", "figures", "taken_at"))
    assert rows[0] == before
    assert (rows[0]["figures"]["device"], rows[1]["figures"]["device"]) == (False, True)
    row = Evidence.objects.first()
    with pytest.raises(EvidenceIsKept):
        row.save()
    with pytest.raises(EvidenceIsKept):
        Evidence.objects.update(figures={})


def test_nightly_command_opens_a_case_once_and_no_other_soon_after_it_is_closed(anna, boris):
    share(Origin.Kind.DEVICE, anna, boris)
    give_up(anna, boris, 3)

    def said(*arguments: str) -> str:
        out = StringIO()
        call_command("opencases", *arguments, stdout=out)
        return out.getvalue()

    assert said("--dry-run") == "anna55, boris5: TOGETHER, RESIGNING\nCases to open: 1\n"
    assert not Case.objects.exists()
    assert said() == "Cases opened: 1\n"
    assert said() == "Cases opened: 0\n"
    case = Case.objects.get()
    assert case.opened_by is None
    assert set(case.evidence.filter(is_striking=True).values_list("kind", flat=True)) == {
        "TOGETHER", "RESIGNING",
    }  # fmt: skip
    now = timezone.now()
    services.close(case, Case.Outcome.CLEARED, "Brothers", member("judge5"), now)
    assert said() == "Cases opened: 0\n"
    Case.objects.update(closed_at=now - timedelta(days=DAYS, hours=1))
    assert said() == "Cases opened: 1\n"
    assert User.objects.filter(is_active=False).count() == 0


def test_nightly_command_opens_no_case_again_about_matches_that_were_judged(anna, boris):
    reviewed(anna, boris, rate=8.0, decisions=300, is_staked=False)
    reviewed(anna, boris, rate=3.0, decisions=250, is_staked=True)
    now = timezone.now()
    (case,) = services.open_suspicious(now)
    assert case.subject == str(anna.pk)
    services.close(case, Case.Outcome.CLEARED, "Concentration", boris, now)
    for days, number in ((DAYS + 1, 0), (strength.DAYS - 1, 0), (strength.DAYS + 1, 1)):
        Case.objects.update(closed_at=now - timedelta(days=days))
        assert len(services.new_suspicions(now)) == number
    Case.objects.update(closed_at=now - timedelta(days=DAYS + 1))
    for _ in range(timing.LEAST_MATCHES):
        timed(anna, boris, [500] * 12)  # later matches, of another check
    assert [each.kinds for each in services.new_suspicions(now)] == [("STRENGTH", "TIMING")]


def test_nightly_command_opens_no_case_about_accounts_that_are_all_banned_or_closed(anna, boris):
    share(Origin.Kind.DEVICE, anna, boris)
    paired(anna, boris)
    now = timezone.now()
    members.ban(anna.pk)
    assert len(services.new_suspicions(now)) == 1
    closing.close(boris.pk, now)
    assert services.new_suspicions(now) == []
    assert services.open_suspicious(now) == []


@pytest.mark.parametrize(("outcome", "is_notified"), [("BROKEN", True), ("UNPROVEN", False)])
def test_closing_notifies_the_suspects_if_rules_were_broken(
    boss, anna, boris, mailoutbox, outcome, is_notified
):
    victim = player("victim5")
    case = opened(anna, boris, victims=(victim,))
    act(boss, LIST, "close", case, outcome=outcome, reason="Two accounts of one person.")
    case.refresh_from_db()
    assert (case.outcome, case.reason) == (outcome, "Two accounts of one person.")
    notified = {address for email in mailoutbox for address in email.to}
    assert notified == ({anna.email, boris.email} if is_notified else set())
    for email in mailoutbox:
        assert "Two accounts of one person." in email.body
        assert reverse("support:write", args=["account"]) in email.body
    assert f"Case closed ({outcome})" in boss.get(f"{LIST}{case.pk}/change/").text
    assert not services.close(case, outcome, "Again", member("judge5"), timezone.now())


@pytest.mark.parametrize("is_signed_in", [True, False])
def test_case_shows_an_appeal_and_can_be_reopened(boss, anna, is_signed_in):
    case = opened(anna)
    act(boss, LIST, "close", case, outcome="BROKEN", reason="A program chose the moves.")
    # A banned member cannot sign in: they write from the email of the account.
    sender = anna if is_signed_in else anna.email
    ticket = asked(sender, "I play without help", now=timezone.now())
    assert ticket.subject in boss.get(f"{LIST}{case.pk}/change/").text
    act(boss, LIST, "reopen", case, reason="A second look")
    case.refresh_from_db()
    assert (case.closed_at, case.outcome) == (None, "")


def test_victim_is_refunded_once_from_the_house(boss, anna):
    victim = player("victim5")
    case = opened(anna, victims=(victim,))
    person = case.people.get(user=victim)
    before = funds_of(victim.pk).available
    for credits in ("250", "900"):
        act(boss, PEOPLE, "refund", person, credits=credits, reason="They played together.")
    assert funds_of(victim.pk).available == before + 250
    transfer = Transfer.objects.get(cause="correction")
    assert transfer.reason == "They played together."
    person.refresh_from_db()
    assert person.refund == transfer
    suspect = case.people.get(user=anna)
    act(boss, PEOPLE, "refund", suspect, credits="250", reason="Wrong row")
    assert Transfer.objects.filter(cause="correction").count() == 1


def test_victim_is_refunded_again_after_the_refund_was_reversed(boss, anna, boris):
    victim = player("victim5")
    case, other = opened(anna, victims=(victim,)), opened(boris, victims=(victim,))
    person, before = case.people.get(user=victim), funds_of(victim.pk).available
    button, page = 'name="action" value="refund"', f"{LIST}{case.pk}/change/"

    def refund(credits: str) -> None:
        act(boss, PEOPLE, "refund", person, credits=credits, reason="They played together.")

    def reverse_latest() -> None:
        transfer = Transfer.objects.latest("pk")
        with transactions.write_transaction():
            corrections.reverse(transfer.pk, "Mistyped", boris.pk, timezone.now())

    refund("10000")
    assert button not in boss.get(page).text
    reverse_latest()
    assert button in boss.get(page).text
    for address in (page, f"{LIST}{other.pk}/change/", PEOPLE):
        assert "Reversed on" in boss.get(address).text
    reverse_latest()  # the refund counts again
    refund("1000")
    assert funds_of(victim.pk).available == before + 10000
    reverse_latest()
    for credits in ("1000", "1000"):
        refund(credits)
    assert funds_of(victim.pk).available == before + 1000
    assert "Reversed on" not in boss.get(page).text


def test_no_refund_is_offered_for_a_closed_account(boss, anna):
    victim = player("victim5")
    case = opened(anna, victims=(victim,))
    button = 'name="action" value="refund"'
    assert button in boss.get(f"{LIST}{case.pk}/change/").text
    closing.close(victim.pk, timezone.now())
    assert button not in boss.get(f"{LIST}{case.pk}/change/").text


def test_staff_can_ban_suspects_of_a_case_but_not_its_victims(boss, anna):
    case = opened(anna, victims=(player("victim5"),))
    for person in case.people.all():
        act(boss, PEOPLE, "ban", person, reason="Two accounts")
    banned = User.objects.filter(is_active=False)
    assert [user.username for user in banned] == ["anna55"]
    assert case.people.get(user=anna).banned_at is not None
    assert "banned because of this case" in boss.get(f"{LIST}{case.pk}/change/").text


def test_victims_can_be_added_to_a_case_until_it_is_closed(boss, anna):
    case, victim = opened(anna), player("victim5")
    assert "no member with this login" in act(boss, LIST, "add_victim", case, login="nobody5").text
    act(boss, LIST, "add_victim", case, login="Victim5")
    assert case.people.get(user=victim).role == CasePerson.Role.VICTIM
    services.close(case, "CLEARED", "Nothing", member("judge5"), timezone.now())
    assert not services.add_victim(case, player("late55").pk, timezone.now())


@pytest.mark.parametrize("role", ROLES)
def test_only_moderators_and_finance_see_a_case(role, anna):
    case = opened(anna)
    _clerk, browser = clerk_of(role)
    expected = 200 if role in (MODERATOR, FINANCE) else 403
    for address in (LIST, f"{LIST}{case.pk}/change/", PEOPLE):
        assert browser.get(address).status_code == expected


def test_nobody_sees_a_case_about_themselves(client):
    judge = staff("judge5")
    case = opened(judge, player("other5"))
    client.force_login(judge)
    assert case.public_id not in client.get(LIST).text
    assert client.get(f"{LIST}{case.pk}/change/").status_code == 302
    person = case.people.get(user=judge)
    act(client, LIST, "close", case, outcome="CLEARED", reason="It was me")
    act(client, PEOPLE, "refund", person, credits="100", reason="It was me")
    case.refresh_from_db()
    person.refresh_from_db()
    assert case.closed_at is None
    assert person.refund is None


def test_export_has_the_decisions_against_the_member(anna, boris):
    for outcome, suspects in (("UNPROVEN", [anna]), ("BROKEN", [anna, boris])):
        case = opened(*suspects, victims=(player(f"{outcome.lower()}5"),))
        services.close(case, outcome, f"Reason {outcome}", member(f"{outcome}j5"), timezone.now())
    assert [row["reason"] for row in _decisions_on(anna)] == ["Reason BROKEN"]
    assert _decisions_on(User.objects.get(username="broken5")) == []


def _decisions_on(user: User) -> list[dict[str, object]]:
    return personal_data.of(user.pk)["fair_play_decisions"]


def test_old_cases_are_forgotten_with_their_evidence(anna, boris):
    case, running = opened(anna, boris), opened(anna)
    services.close(case, "CLEARED", "Nothing", boris, timezone.now() - timedelta(days=366))
    call_command("forgetcases", stdout=StringIO())
    assert list(Case.objects.all()) == [running]
    assert not Evidence.objects.exclude(case=running).exists()


def test_number_of_queries_does_not_grow_with_the_evidence(boss, anna, boris):
    paired(anna, boris)
    case = opened(anna, boris)
    address = f"{LIST}{case.pk}/change/"

    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            boss.get(address)
        return len(queries)

    count()
    few = count()
    for _ in range(4):
        paired(anna, boris)
        services.take_again(case, timezone.now())
    assert count() == few


def test_a_registration_cannot_be_in_a_case(boss, anna):
    """A registration that nobody activates is deleted; a case would prevent that."""
    UserFactory(username="newby5")
    page = boss.post(f"{LIST}add/", {"suspects": "newby5", "victims": "", "why": "A report"})
    assert "There is no member with this login: newby5" in page.text
    case = opened(anna)
    assert "no member with this login" in act(boss, LIST, "add_victim", case, login="newby5").text


def test_staff_cannot_add_themselves_to_a_case_nor_learn_of_one_about_them(client, anna):
    judge = staff("judge5")
    client.force_login(judge)
    data = {"suspects": "judge5", "victims": "", "why": "A report"}

    def answer() -> list[str]:
        return client.post(f"{LIST}add/", data).context["adminform"].form.non_field_errors()

    before = answer()
    assert "you are involved yourself" in before[0]
    opened(judge)
    assert answer() == before
    case = opened(anna)
    act(client, LIST, "add_victim", case, login="judge5")
    assert not case.people.filter(user=judge).exists()


def test_refund_in_another_case_is_shown(boss, anna, boris):
    victim = player("victim5")
    first, second = opened(anna, victims=(victim,)), opened(boris, victims=(victim,))
    act(
        boss, PEOPLE, "refund", first.people.get(user=victim), credits="250", reason="Played as one"
    )
    page = boss.get(f"{LIST}{second.pk}/change/").text
    assert first.public_id in page
    assert "Played as one" in page


def test_reason_is_in_the_languages_of_the_suspects_only(boss, anna):
    victim = player("victim5")
    Preferences.objects.filter(user=anna).update(language="tr")
    Preferences.objects.filter(user=victim).update(language="ru")
    case = opened(anna, victims=(victim,))
    ready = ReadyReason.objects.filter(occasion=ReadyReason.Occasion.CASE, language="en").first()
    act(boss, LIST, "close", case, outcome="BROKEN", ready=ready.name, reason="")
    case.refresh_from_db()
    same = ReadyReason.objects.filter(occasion=ready.occasion, name=ready.name)
    assert case.reason == same.get(language="tr").text


def test_form_of_a_case_holds_the_write_gate_on_sqlite(boss, anna, monkeypatch):
    """While the evidence is read on SQLite, the gate must be held, so that other writers wait."""
    held = []
    about = checks.about
    monkeypatch.setattr(
        checks,
        "about",
        lambda *given: held.append(transactions._GATE._is_owned()) or about(*given),
    )
    boss.post(f"{LIST}add/", {"suspects": "anna55", "victims": "", "why": "A report"})
    assert Case.objects.count() == 1
    assert held == [connection.vendor == "sqlite"]


def test_decision_is_on_the_members_own_page_with_its_reason(anna, boris):
    User.objects.filter(pk=anna.pk).update(email="")
    case = opened(anna, victims=(boris,))
    services.close(case, Case.Outcome.BROKEN, "Agreed results", staff("boss55"), timezone.now())
    pages = {}
    for user in (anna, boris):
        browser = Client()
        browser.force_login(user)
        pages[user] = browser.get(reverse("people:profile")).text
    assert "Reason: Agreed results" in pages[anna]
    assert "Reason: Agreed results" not in pages[boris]


def test_banned_member_reads_the_decision_after_the_right_password(client):
    clara = member("clara5")
    case = opened(clara)
    services.close(case, Case.Outcome.BROKEN, "Agreed results", staff("boss55"), timezone.now())
    services.ban(case.people.get(), timezone.now())
    page = reverse("account_inactive")
    assert "Agreed results" not in client.get(page).text
    answer = client.post(reverse("account_login"), {"login": "clara5", "password": PASSWORD})
    assert answer["Location"] == page
    assert "Reason: Agreed results" in client.get(page).text
    assert "Agreed results" not in client.get(page).text
