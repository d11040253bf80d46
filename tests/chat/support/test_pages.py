"""Pages of support: topics, their forms, and a sender's requests, which nobody else sees."""

import re
from html import unescape
from uuid import uuid4

import pytest
from django.core.signing import Signer
from django.test import Client
from django.urls import reverse

from accounts.members.services import ban, unban
from accounts.models import OutgoingEmail
from accounts.shared.refusals import HEADER
from chat.models import Ticket
from chat.support import handling, selectors
from chat.support.topics import TOPICS
from games.engine.rules import Rules
from games.models.actor import Actor
from tests.accounts.factories import UserFactory, member, sign_in, staff, unactivated
from tests.chat.support.factories import answered, asked, token_of_request
from tests.games.factories import FriendlySitting, Sitting

pytestmark = [pytest.mark.django_db, pytest.mark.portable]
START, WRITE = "/support/", "/support/bug/write/"
DEVICE = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
MAILBOX = "visitor@example.org"


@pytest.fixture
def anna():
    return member("anna5")


@pytest.fixture
def annas(anna):
    return sign_in(Client(headers={"user-agent": DEVICE}), anna)


def form(text="The board is empty.", **more):
    return {"text": text, "once": str(uuid4()), "attaches": "on", **more}


def text_of(answer):
    return unescape(answer.content.decode())


def only_ticket():
    return Ticket.objects.get()


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.slug)
def test_each_topic_leads_to_the_form_through_its_answers(client, topic):
    assert f"/support/{topic.slug}/" in text_of(client.get(START))
    page = client.get(f"/support/{topic.slug}/?page=/shop/")
    write = f"/support/{topic.slug}/write/?page=%2Fshop%2F"
    if topic.has_questions:
        assert write in text_of(page)
        assert "<details>" in text_of(page)
    else:
        assert page["Location"] == write
    assert client.get(write).status_code == 200


def test_an_unknown_topic_is_not_found(client):
    for address in ("/support/nothing/", "/support/nothing/write/"):
        assert client.get(address).status_code == 404


def test_the_page_that_the_visitor_comes_from_is_passed_on_and_shown(annas):
    came = {"referer": "http://testserver/shop/gifts/?secret=1"}
    first = text_of(annas.get(START, headers=came))
    assert "/support/bug/?page=%2Fshop%2Fgifts%2F" in first
    assert "secret" not in first
    shown = text_of(annas.get(f"{WRITE}?page=/shop/gifts/"))
    for detail in ("/shop/gifts/", "Firefox on Linux", DEVICE, "UTC"):
        assert detail in shown


@pytest.mark.parametrize(
    "page",
    [
        "https://evil.example/shop/", "//evil.example/", "javascript:alert(1)", "shop", "/\\evil",
        "/account/password/reset/key/1-abc/", "/profile/notices/stop/abc/", "/support/mine/",
        "/support/link/abc/", "http://[broken", "/account/confirm-email/MQ:1abc:def/",
        "/account/confirm-email/MQ%3A1abc%3Adef/", "/%73upport/link/abc/",
    ],
)  # fmt: skip
def test_foreign_pages_and_secrets_are_left_out(client, page):
    for answer in (client.get(WRITE, {"page": page}), client.get(WRITE, headers={"referer": page})):
        assert 'name="page" value=""' in text_of(answer)


def test_a_member_sends_a_request_with_the_details_that_the_form_showed(annas, anna):
    answer = annas.post(WRITE, form(page="/shop/"))
    made = only_ticket()
    assert (answer.status_code, answer["Location"]) == (303, f"/support/mine/{made.public_id}/")
    assert (made.user, made.topic, made.language) == (anna, "BUG", "en")
    assert (made.page, made.device) == ("/shop/", DEVICE)
    assert made.version
    shown = text_of(annas.get(answer["Location"]))
    for part in ("The board is empty.", "Waiting for our answer", "/shop/", "Firefox on Linux"):
        assert part in shown


def test_details_and_match_can_be_left_out(annas, anna):
    sitting = FriendlySitting(Actor(user_id=anna.pk), Actor(guest=uuid4()))
    given = form(page="/shop/", match=sitting.public_id)
    del given["attaches"]
    annas.post(WRITE, given)
    made = only_ticket()
    assert (made.page, made.version, made.device, made.zone, made.room) == ("",) * 5


def test_the_match_of_the_table_is_attached(annas, anna):
    sitting = FriendlySitting(Actor(user_id=anna.pk), Actor(guest=uuid4())).sit().start_game()
    table = text_of(annas.get(f"/match/{sitting.public_id}/"))
    link = f"/support/?match={sitting.public_id}"
    assert link in table
    assert f"/support/match/?match={sitting.public_id}" in text_of(annas.get(link))
    annas.post("/support/match/write/", form(match=sitting.public_id))
    assert only_ticket().room == f"match:{sitting.public_id}"


def test_a_hidden_or_unknown_match_is_not_attached(annas):
    hidden = Sitting(Rules.of("short", length=3)).public_id
    for match in (hidden, "AbCdEf123456", "../../x", "AbCdEf123456:players"):
        answer = annas.get(WRITE, {"match": match})
        assert 'name="match" value=""' in text_of(answer)
        annas.post(WRITE, form(match=match))
    assert set(Ticket.objects.values_list("room", flat=True)) == {""}


def test_errors_keep_what_was_typed(client, annas):
    answer = client.post(WRITE, form("", email="not an address", page="/shop/"))
    shown = text_of(answer)
    assert answer.status_code == 422
    assert "Write your message." in shown
    assert "not an address" in shown
    assert 'name="page" value="/shop/"' in shown
    long = annas.post(WRITE, form("x" * 3001))
    assert (long.status_code, "x" * 3001 in text_of(long)) == (422, True)
    assert not Ticket.objects.exists()


def test_a_sender_without_an_account_gets_a_link_by_email(client, settings):
    settings.EMAIL_BACKEND = "accounts.mail.backend.StoringBackend"
    assert "Your email" in text_of(client.get(WRITE))
    answer = client.post(WRITE, form(email="Visitor@Example.org"), follow=True)
    assert answer.redirect_chain == [("/support/sent/", 303)]
    made = only_ticket()
    assert (made.user, made.email) == (None, MAILBOX)
    link = re.search(r"/support/link/\S+", OutgoingEmail.objects.get().text)[0]
    assert link not in text_of(answer)
    assert "The board is empty." in text_of(client.get(link))
    replied = client.post(link, form("One more thing."))
    assert (replied.status_code, replied["Location"]) == (303, f"{link}#last")
    assert made.messages.count() == 2


def test_an_unactivated_account_has_to_give_an_email(client):
    sign_in(client, unactivated("newbie5"))
    assert client.post(WRITE, form()).status_code == 422
    client.post(WRITE, form(email=MAILBOX))
    assert only_ticket().user is None


def test_a_link_is_signed_and_opens_no_request_of_a_member_who_can_sign_in(client, anna):
    made, by_email = asked(anna), asked(MAILBOX)
    good = token_of_request(by_email)
    forged = Signer(salt="another").sign(by_email.public_id)
    members = good.replace(by_email.public_id, made.public_id)
    for token in (by_email.public_id, forged, members, good + "x", "x"):
        assert client.get(reverse("support:by_link", args=[token])).status_code == 404
    assert client.get(reverse("support:by_link", args=[good])).status_code == 200
    signed = Signer(salt="chat.support.ticket").sign(made.public_id)
    link = reverse("support:by_link", args=[signed])
    for answer in (client.get(link), client.post(link, {"solved": "1"})):
        assert answer["Location"] == f"/support/mine/{made.public_id}/"
    made.refresh_from_db()
    assert made.state == "WAITING"


def test_a_banned_member_reads_the_answer_by_the_emailed_link_and_writes_back(
    client, anna, settings
):
    settings.EMAIL_BACKEND = "accounts.mail.backend.StoringBackend"
    made = asked(anna, "Why was I banned?")
    ban(anna.pk)
    answered(made, staff("boss5"), "For these words.")
    link = re.search(r"/support/link/\S+", OutgoingEmail.objects.latest("pk").text)[0]
    shown = text_of(client.get(link))
    assert "For these words." in shown
    assert 'href="/support/mine/"' not in shown
    assert client.post(link, form("That was not me."))["Location"] == f"{link}#last"
    assert made.messages.count() == 3
    unban(anna.pk)
    assert client.get(link)["Location"] == f"/support/mine/{made.public_id}/"


def test_an_address_that_grows_beyond_its_column_is_refused(client):
    label = "\ufb03" * 21  # one letter, stored as "ffi"
    email = f"{'a' * 64}@{label}.{label}.{label}.example.org"
    answer = client.post(WRITE, form(email=email))
    assert (answer.status_code, "A full address" in text_of(answer)) == (422, True)
    assert not Ticket.objects.exists()


def test_nobody_else_sees_or_answers_a_request(anna, client):
    made = asked(anna, "Between us")
    address = f"/support/mine/{made.public_id}/"
    assert client.get(address).status_code == 302
    for other in (member("boris5"), staff("boss5")):
        stranger = sign_in(Client(), other)
        assert stranger.get(address).status_code == 404
        for given in (form("Intrusion"), {"solved": "1"}):
            assert stranger.post(address, given).status_code == 404
        for page in (START, "/support/mine/"):
            assert "Between us" not in text_of(stranger.get(page))
    made.refresh_from_db()
    assert (made.state, made.messages.count()) == ("WAITING", 1)


def test_a_merged_request_leads_to_the_request_that_it_joined(annas, anna, client):
    first, second = asked(anna), asked(anna)
    handling.merge(second, first.public_id)
    answer = annas.get(f"/support/mine/{second.public_id}/")
    assert answer["Location"] == f"/support/mine/{first.public_id}/"
    assert second.public_id not in text_of(annas.get("/support/mine/"))
    one, two = asked(MAILBOX, "One"), asked(MAILBOX, "Two")
    handling.merge(two, one.public_id)
    shown = text_of(client.get(reverse("support:by_link", args=[token_of_request(two)])))
    assert "One" in shown
    assert "Two" in shown


def test_a_request_that_another_one_joined_is_not_closed_from_the_other_ones_link(client):
    one, two = asked(MAILBOX, "One"), asked(MAILBOX, "Two")
    own, others = (reverse("support:by_link", args=[token_of_request(each)]) for each in (one, two))
    handling.merge(two, one.public_id)
    assert client.post(others, {"solved": "1"})["Location"] == own
    one.refresh_from_db()
    assert one.state == "WAITING"
    client.post(own, {"solved": "1"})
    one.refresh_from_db()
    assert one.state == "CLOSED"


def test_a_message_typed_while_the_request_was_merged_joins_the_other_one(annas, anna):
    first, second = asked(anna), asked(anna)
    address = f"/support/mine/{second.public_id}/"
    handling.merge(second, first.public_id)
    assert annas.post(address, form("")).status_code == 422
    sent = annas.post(address, form("One more thing."))
    assert sent["Location"] == f"/support/mine/{first.public_id}/#last"
    assert [each.text for each in first.messages.all()][2:] == ["One more thing."]
    # The sender has not seen the joined conversation.
    solved = annas.post(address, {"solved": "1"})
    assert solved["Location"] == f"/support/mine/{first.public_id}/"
    first.refresh_from_db()
    assert first.state == "WAITING"


def test_a_message_typed_while_the_ban_ended_is_stored_and_the_link_shows_nothing(
    client, anna, settings
):
    limits = {**settings.ACCOUNT_RATE_LIMITS, "support": "2/h/ip"}
    settings.ACCOUNT_RATE_LIMITS = limits
    made = asked(anna, "Why was I banned?")
    ban(anna.pk)
    link = selectors.address_of(Ticket.objects.get())
    assert "Why was I banned?" in text_of(client.get(link))
    unban(anna.pk)
    for given in (form("That was not me."), form(""), {"solved": "1"}):
        assert client.post(link, given)["Location"] == f"/support/mine/{made.public_id}/"
    made.refresh_from_db()
    assert (made.state, made.messages.last().text) == ("WAITING", "That was not me.")
    client.post(link, form("Nor that."))
    refused = client.post(link, form("Beyond the limit"))
    assert (refused.status_code, "Why was I banned?" in text_of(refused)) == (429, False)
    Ticket.objects.all().delete()
    assert client.post(link, form("Too late")).status_code == 404


def test_an_answer_is_marked_until_it_is_read(annas, anna):
    made = answered(asked(anna), staff("boss5"), "They are reserved.")
    home = text_of(annas.get("/en/"))
    assert '<span class="badge" aria-hidden="true">1</span>' in home
    assert "1 answer from support" in home
    assert "1 answer from support" in text_of(annas.get("/header/"))
    assert "New answer" in text_of(annas.get("/support/mine/"))
    annas.head(f"/support/mine/{made.public_id}/")
    assert "New answer" in text_of(annas.get(START))
    assert "They are reserved." in text_of(annas.get(f"/support/mine/{made.public_id}/"))
    assert "New answer" not in text_of(annas.get("/support/mine/"))
    assert "answer from support" not in text_of(annas.get("/en/"))


@pytest.mark.parametrize("given", [form("One more thing."), {"solved": "1"}])
def test_a_request_that_is_deleted_at_that_moment_is_not_found(annas, anna, monkeypatch, given):
    made = asked(anna)
    find = selectors.find_own

    def find_before_the_deletion(*args):
        found = find(*args)
        Ticket.objects.all().delete()
        return found

    monkeypatch.setattr(selectors, "find_own", find_before_the_deletion)
    assert annas.post(f"/support/mine/{made.public_id}/", given).status_code == 404


def test_the_sender_closes_a_request_and_opens_it_again(annas, anna):
    made = asked(anna)
    address = f"/support/mine/{made.public_id}/"
    assert "Your request is closed." in text_of(annas.post(address, {"solved": "1"}, follow=True))
    shown = text_of(annas.get(address))
    assert "Not solved after all?" in shown
    assert 'name="solved"' not in shown
    annas.post(address, form("It came back."))
    assert "Waiting for our answer" in text_of(annas.get(address))


def test_an_empty_reply_is_refused_on_the_page(annas, anna):
    made = asked(anna)
    answer = annas.post(f"/support/mine/{made.public_id}/", form(""))
    assert (answer.status_code, "Write your message." in text_of(answer)) == (422, True)


def test_beyond_the_limit_of_a_network_the_text_stays_in_the_form(client, settings):
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "support": "1/h/ip"}
    client.post(WRITE, form(email=MAILBOX))
    answer = client.post(WRITE, form("Once more, with feeling", email=MAILBOX))
    assert (answer.status_code, answer.headers[HEADER]) == (429, "too_fast")
    assert "Once more, with feeling" in text_of(answer)
    assert "still in the form" in text_of(answer)
    assert Ticket.objects.count() == 1


def test_a_form_sent_twice_counts_once_for_the_limits(client, annas, anna, settings):
    limits = {"support": "2/h/ip", "support_mailbox": "1/d/key"}
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, **limits}
    question, made = form(email=MAILBOX), asked(anna)
    reply, address = form("And one more thing."), f"/support/mine/{made.public_id}/"
    for _ in range(3):
        assert client.post(WRITE, question).status_code == 303
        assert annas.post(address, reply).status_code == 303
    assert (Ticket.objects.count(), made.messages.count()) == (2, 2)
    assert annas.post(address, form("Beyond the limit")).status_code == 429


def test_a_form_sent_again_with_another_text_or_address_is_another_message(client, annas, anna):
    """The response to the first form was lost, so the page still has the form and its id."""
    once, made = str(uuid4()), asked(anna)
    for text in ("One", "One", "Two"):
        annas.post(f"/support/mine/{made.public_id}/", form(text, once=once))
    assert list(made.messages.values_list("text", flat=True))[1:] == ["One", "Two"]
    for email in ("vistor@example.org", MAILBOX):
        assert client.post(WRITE, form(once=once, email=email)).status_code == 303
    assert Ticket.objects.filter(email=MAILBOX).exists()


def test_links_to_one_mailbox_are_limited_regardless_of_its_spelling(client, settings):
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "support_mailbox": "1/d/key"}
    client.post(WRITE, form(email="visitor@gmail.com"))
    assert client.post(WRITE, form(email="v.isitor+x@gmail.com")).status_code == 429
    assert client.post(WRITE, form(email="another@gmail.com")).status_code == 303


def test_strangers_elsewhere_do_not_keep_a_mailbox_from_writing(client, settings):
    limits = {"support_mailbox": "1/d/key", "support_mailbox_anywhere": "2/d/key"}
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, **limits}
    stranger, other = Client(REMOTE_ADDR="192.0.2.1"), Client(REMOTE_ADDR="192.0.2.2")
    for _ in range(2):
        stranger.post(WRITE, form(email=MAILBOX))
    assert client.post(WRITE, form(email=MAILBOX)).status_code == 303
    assert other.post(WRITE, form(email=MAILBOX)).status_code == 429
    assert Ticket.objects.count() == 2


def test_the_list_of_requests_has_an_empty_state_and_pages(annas, anna, settings):
    assert "You have not written to us yet." in text_of(annas.get("/support/mine/"))
    for number in range(21):
        Ticket.objects.create(
            user=anna, once=uuid4(), language="en", topic="BUG", subject=f"Subject {number}",
            created_at=anna.date_joined, last_at=anna.date_joined,
        )  # fmt: skip
    assert "Older" in text_of(annas.get("/support/mine/"))
    assert text_of(annas.get("/support/mine/?page=2")).count("ticket-subject") == 1


def test_contacts_shown_are_those_of_the_settings(client, settings):
    assert "Other ways to reach us" not in text_of(client.get(START))
    settings.SUPPORT_EMAIL = "help@example.org"
    settings.SUPPORT_FACEBOOK = "https://www.facebook.com/example"
    shown = text_of(client.get(START))
    assert 'href="mailto:help@example.org"' in shown
    assert 'href="https://www.facebook.com/example"' in shown


def test_pages_and_the_not_found_page_lead_to_support(client, annas):
    assert 'href="/support/"' in text_of(client.get("/en/"))
    assert 'href="/support/"' in text_of(annas.get("/shop/"))
    # In the menu, below the error's text and in the footer.
    assert text_of(client.get("/no/such/page/")).count('href="/support/"') == 3


def test_the_server_error_page_leads_to_support_without_queries(
    django_assert_num_queries,
):
    from config.views import server_error

    with django_assert_num_queries(0):
        answer = server_error(None)
    assert 'href="/support/"' in text_of(answer)


def test_the_header_counts_messages_and_answers_in_one_query(anna, django_assert_num_queries):
    from chat.unread import Unread, unread_of

    answered(asked(anna), staff("boss5"))
    with django_assert_num_queries(1):
        assert unread_of(anna.pk) == Unread(messages=0, answers=1)


def test_a_member_without_an_email_reads_where_the_answer_will_be():
    silent = sign_in(Client(), UserFactory(username="silent5", member=True, email=""))
    assert "Your account has no email." in text_of(silent.get(WRITE))
