"""The page on which members propose tournaments and read the answer."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.accounts.factories import UserFactory
from tests.tournaments.factories import members
from tests.tournaments.test_admin import act
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.portable]
PAGE = reverse("tournaments:propose")
CHOICES = {
    "name": "Friday cup", "format": "KNOCKOUT", "min_entrants": "4", "max_entrants": "16",
    "variant": "long", "length": "3", "seconds": "20", "koks": "usual", "cube": "usual",
}  # fmt: skip


def sent(client: Client, in_hours: float = 24, **fields: str):
    start = timezone.localtime(timezone.now() + timedelta(hours=in_hours))
    return client.post(PAGE, {**CHOICES, "starts_at": f"{start:%Y-%m-%dT%H:%M}", **fields})


@pytest.fixture
def member() -> Client:
    client = Client()
    client.force_login(members(1)[0])
    return client


@pytest.fixture
def staff() -> Client:
    client = Client()
    client.force_login(UserFactory(username="staff", staff=True))
    return client


def test_a_visitor_is_led_to_the_sign_in(client: Client) -> None:
    assert client.get(PAGE)["Location"].startswith(reverse("account_login"))


def test_a_proposal_waits_for_approval_and_has_neither_fee_nor_prize(member: Client) -> None:
    answer = sent(member, fee_credits="50", prize_credits="1000")
    assert answer.status_code == 302
    made = Tournament.objects.get()
    assert (made.state, made.fee_credits, made.prize_credits) == ("PROPOSED", 0, None)
    assert (made.variant, made.match_rules.length, made.max_entrants) == ("long", 3, 16)
    text = member.get(PAGE).content.decode()
    assert "Waiting for our answer" in text
    assert "Send the proposal" not in text


def test_a_button_pressed_twice_sends_one_proposal(member: Client) -> None:
    start = f"{timezone.localtime(timezone.now() + timedelta(days=1)):%Y-%m-%dT%H:%M}"
    answers = [sent(member, starts_at=start) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert Tournament.objects.count() == 1
    assert sent(member, starts_at=start, max_entrants="8").status_code == 422


@pytest.mark.parametrize(("decision", "words"), [("approve", "Approved"), ("reject", "Declined")])
def test_the_member_reads_the_answer_and_its_reason(
    member: Client, staff: Client, decision: str, words: str
) -> None:
    sent(member)
    act(staff, "tournament", Tournament.objects.get(), decision)
    text = member.get(PAGE).content.decode()
    assert words in text
    assert "“Flood”" in text
    address = reverse("tournaments:tournament", args=[Tournament.objects.get().public_id])
    assert (f'href="{address}"' in text) is (decision == "approve")
    assert "Send the proposal" in text


@pytest.mark.parametrize(("language", "quoted"), [("ru", "«Flood»"), ("tr", "“Flood”")])
def test_the_reason_has_the_quotation_marks_of_the_language(
    member: Client, staff: Client, language: str, quoted: str
) -> None:
    member.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    sent(member)
    act(staff, "tournament", made := Tournament.objects.get(), "approve")
    timeline = member.get(reverse("tournaments:tournament", args=[made.public_id]))
    for text in (member.get(PAGE).content.decode(), timeline.content.decode()):
        assert quoted in text


def test_a_second_proposal_is_refused_until_the_first_is_taken_back(member: Client) -> None:
    sent(member)
    refused = sent(member, name="Another cup")
    assert refused.status_code == 422
    assert "still waiting for an answer" in refused.content.decode()
    own = {"take_back": Tournament.objects.get().public_id}
    assert "withdrawn the proposal" in member.post(PAGE, own, follow=True).content.decode()
    assert "answered already" in member.post(PAGE, own, follow=True).content.decode()
    assert sent(member).status_code == 302


def test_proposals_that_are_taken_back_count_towards_those_of_a_day(member: Client) -> None:
    for _ in range(5):
        assert sent(member).status_code == 302
        member.post(PAGE, {"take_back": Tournament.objects.get(state="PROPOSED").public_id})
    refused = sent(member)
    assert refused.status_code == 422
    assert "You have sent many proposals today." in refused.content.decode()
    day = timedelta(days=1)
    Tournament.objects.update(created_at=F("created_at") - day, finished_at=timezone.now())
    assert sent(member).status_code == 302


@pytest.mark.parametrize(
    ("hours", "fields", "words"),
    [
        (1, {}, "at least 2 hours from now"),
        (24 * 40, {}, "within the next 30 days"),
        (24, {"name": " "}, "This field is required"),
        (24, {"max_entrants": "3"}, "cannot be lower than"),
        (24, {"format": "ROUND_ROBIN", "max_entrants": "64"}, "at most 32 players"),
        (24, {"starts_at": "soon"}, "Enter a valid date/time"),
        (24, {"starts_at": "0001-01-01T00:00+03:00"}, "Enter a valid date/time"),
        (24, {"starts_at": "9999-12-31T23:59-05:00"}, "Enter a valid date/time"),
        (24, {"seconds": "0"}, "Select a valid choice"),
    ],
    ids=str,
)
def test_wrong_terms_are_named_beside_the_form(
    member: Client, hours: int, fields: dict[str, str], words: str
) -> None:
    answer = sent(member, hours, **fields)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not Tournament.objects.exists()


def test_queries_of_the_page_do_not_grow_with_the_proposals(
    member: Client, staff: Client, django_assert_num_queries, django_assert_max_num_queries
) -> None:
    sent(member)
    act(staff, "tournament", Tournament.objects.get(), "reject")
    with django_assert_max_num_queries(20) as first:
        member.get(PAGE)
        count = len(first)
    for _ in range(3):
        sent(member)
        act(staff, "tournament", Tournament.objects.filter(state="PROPOSED").get(), "reject")
    with django_assert_num_queries(count):
        member.get(PAGE)
