"""Requests to support: idempotent, limited, answered by email, deleted by age or with accounts."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts import broadcast
from accounts.closing.services import close as close_account
from accounts.models import OutgoingEmail, Preferences, User
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from chat import personal_data
from chat.models import Ticket, TicketMessage
from chat.support import handling, services
from chat.support.selectors import newest_message
from chat.support.services import Details
from chat.unread import unread_of
from tests.accounts.factories import UserFactory, member, staff
from tests.chat.support.factories import answered, asked
from tests.support.races import at_once, one_after_the_other

pytestmark = [pytest.mark.django_db, pytest.mark.both]
State = Ticket.State
MAILBOX = "visitor@example.org"


@pytest.fixture
def anna():
    return member("anna5")


@pytest.fixture
def boss():
    return staff("boss5")


@pytest.fixture(autouse=True)
def _stored(settings):
    settings.EMAIL_BACKEND = "accounts.mail.backend.StoringBackend"


def texts(ticket):
    return list(ticket.messages.values_list("text", flat=True))


def write_more(ticket, text="And one more thing.", now=None):
    services.reply(ticket, text, uuid4(), now or timezone.now())


def state_of(ticket):
    return Ticket.objects.get(pk=ticket.pk).state


def email():
    return OutgoingEmail.objects.latest("pk")


def test_a_request_stores_the_data_that_its_sender_gave(anna):
    details = Details(page="/shop/", version="0.3.0", device="Firefox", zone="UTC+3")
    made = asked(anna, "Where are\n my  credits?", room="match:AbCdEf123456", details=details)
    assert (made.user, made.email, made.state) == (anna, "", State.WAITING)
    assert made.subject == "Where are my credits?"
    assert texts(made) == ["Where are\n my  credits?"]
    assert (made.page, made.version, made.device, made.zone) == (
        "/shop/", "0.3.0", "Firefox", "UTC+3"
    )  # fmt: skip
    assert made.match_id == "AbCdEf123456"


def test_the_same_form_sent_twice_is_one_request(anna):
    once = uuid4()
    assert asked(anna, once=once) == asked(anna, once=once)
    assert TicketMessage.objects.count() == 1


@pytest.mark.parametrize("has_account", [True, False])
@pytest.mark.django_db(transaction=True)
def test_a_form_sent_many_times_at_once_is_one_request(anna, has_account):
    once, sender = uuid4(), anna if has_account else MAILBOX
    assert len(set(at_once(lambda _: asked(sender, once=once).pk))) == 1
    assert TicketMessage.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_the_daily_limit_holds_for_concurrent_requests(anna, monkeypatch):
    monkeypatch.setattr(services, "DAILY_TICKETS", 2)

    def ask(_):
        try:
            return bool(asked(anna))
        except Refused:
            return False

    assert sum(at_once(ask)) == 2


def test_requests_and_messages_of_a_member_are_limited_per_day(anna, monkeypatch):
    monkeypatch.setattr(services, "DAILY_TICKETS", 1)
    monkeypatch.setattr(services, "DAILY_REPLIES", 2)
    now = timezone.now()
    made = asked(anna, now=now)
    with pytest.raises(Refused, match="too_fast"):
        asked(anna, now=now)
    write_more(made, now=now)
    with pytest.raises(Refused, match="too_fast"):
        write_more(made, now=now)
    write_more(made, now=now + timedelta(days=1))
    assert asked(anna, now=now + timedelta(days=1))


def test_a_sender_without_an_account_gets_an_email_with_a_link_but_not_the_text():
    asked(MAILBOX, "SPAM for a stranger", language="tr")
    assert (email().to, email().language, email().user_id) == (MAILBOX, "tr", None)
    assert "/support/link/" in email().text
    assert "SPAM" not in email().text + email().subject


def test_a_subject_fits_its_column_with_combining_characters(anna):
    assert len(asked(anna, "e\u0301\u0302\u0303x" * 60).subject) == 80


def test_an_answer_reaches_the_member_in_their_language(anna, boss):
    Preferences.objects.filter(user=anna).update(language="ru")
    made = answered(asked(anna, language="en"), boss, "Кредиты в резерве.")
    assert (made.state, made.has_unread_answer, made.assignee) == (State.ANSWERED, True, boss)
    assert (email().to, email().language, email().user_id) == (anna.email, "ru", anna.pk)
    assert "Кредиты в резерве." in email().text
    assert f"/support/mine/{made.public_id}/" in email().text
    assert unread_of(anna.pk).answers == 1
    services.read(made)
    assert unread_of(anna.pk).answers == 0


def test_a_member_without_an_email_reads_the_answer_on_the_site(boss):
    silent = UserFactory(username="silent5", member=True, email="")
    answered(asked(silent), boss)
    assert not OutgoingEmail.objects.exists()
    assert unread_of(silent.pk).answers == 1


def test_the_same_answer_is_sent_once(anna, boss):
    made, once, now = asked(anna), uuid4(), timezone.now()
    assert handling.answer(made, boss, "Yes.", once, now)
    assert not handling.answer(made, boss, "Yes.", once, now)
    assert texts(made) == ["My credits are gone.", "Yes."]
    assert OutgoingEmail.objects.count() == 1


def test_an_answer_that_crosses_a_message_is_refused(anna, boss):
    made, once, now = asked(anna), uuid4(), timezone.now()
    write_more(made)
    with pytest.raises(Refused, match="newer_message"):
        handling.answer(made, boss, "Yes.", once, now, seen=1)
    assert state_of(made) == State.WAITING
    assert not OutgoingEmail.objects.exists()
    assert handling.answer(made, boss, "Yes.", once, now, seen=2)
    assert not handling.answer(made, boss, "Yes.", once, now, seen=2)  # a second press


@pytest.mark.parametrize("see", [services.read, services.settle, write_more])
def test_pages_of_the_member_are_nudged_when_an_answer_is_read(
    see, anna, boss, monkeypatch, django_capture_on_commit_callbacks
):
    made = answered(asked(anna), boss)
    sent = []
    monkeypatch.setattr(broadcast, "nudge", lambda user_id, what: sent.append((user_id, what)))
    for _ in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            see(made)
        made.refresh_from_db()
        assert sent == [(anna.pk, "messages")]


def test_a_further_message_opens_a_closed_request_again(anna, boss):
    made = asked(anna)
    handling.answer(made, boss, "Done.", uuid4(), timezone.now(), closes=True)
    assert state_of(made) == State.CLOSED
    write_more(made)
    assert state_of(made) == State.WAITING
    assert unread_of(anna.pk).answers == 0
    services.settle(made)
    assert state_of(made) == State.CLOSED


def test_staff_close_reopen_and_assign_once(anna, boss):
    made = asked(anna)
    assert (handling.assign(made, boss), handling.assign(made, boss)) == (True, False)
    assert (handling.assign(made, None), handling.assign(made, None)) == (True, False)
    assert (handling.close(made), handling.close(made)) == (True, False)
    assert (handling.reopen(made), handling.reopen(made)) == (True, False)


def test_merged_requests_become_one_with_all_messages_in_order(anna, boss):
    now = timezone.now()
    first = asked(anna, "First", now=now - timedelta(hours=3))
    second = asked(anna, "Second", now=now - timedelta(hours=2), room="match:AbCdEf123456")
    third = asked(anna, "Third", now=now - timedelta(hours=1))
    handling.merge(third, second.public_id)
    answered(first, boss, "Answer")
    assert handling.merge(second, first.public_id)
    assert texts(first) == ["First", "Second", "Third", "Answer"]
    assert Ticket.objects.get(pk=first.pk).room == "match:AbCdEf123456"
    assert [state_of(each) for each in (first, second, third)] == [
        State.WAITING, State.CLOSED, State.CLOSED
    ]  # fmt: skip
    third.refresh_from_db()
    assert third.merged_into == first
    write_more(second, "Fourth")
    assert texts(first)[-1] == "Fourth"
    assert state_of(second) == State.CLOSED


def test_only_requests_of_one_sender_are_merged(anna):
    own, others, by_email = asked(anna), asked(member("boris5")), asked(MAILBOX)
    for other in (others, by_email):
        with pytest.raises(Refused, match="other_sender"):
            handling.merge(own, other.public_id)
    for unknown in (own.public_id, "AbCdEf123456"):
        with pytest.raises(Refused, match="unknown"):
            handling.merge(own, unknown)
    handling.merge(by_email, asked(MAILBOX).public_id)
    with pytest.raises(Refused, match="merged"):
        handling.merge(by_email, asked(MAILBOX).public_id)


def test_a_request_that_is_deleted_at_that_moment_is_not_merged(anna):
    gone, kept = asked(anna, "Gone"), asked(anna, "Kept")
    Ticket.objects.filter(pk=gone.pk).delete()
    assert not handling.merge(gone, kept.public_id)
    assert texts(kept) == ["Kept"]


def test_old_requests_are_forgotten_unless_they_wait(anna, boss):
    long_ago = timezone.now() - timedelta(days=400)
    waiting, ended = asked(anna, "Waits", now=long_ago), asked(anna, "Ended", now=long_ago)
    handling.close(ended)
    recent = asked(anna, "Recent")
    handling.close(recent)
    call_command("forgettickets", verbosity=0)
    assert set(Ticket.objects.all()) == {waiting, recent}
    assert set(TicketMessage.objects.values_list("text", flat=True)) == {"Waits", "Recent"}
    with pytest.raises(CommandError):
        call_command("forgettickets", days=0)


def test_a_merged_request_is_kept_as_long_as_the_one_it_leads_to(anna):
    long_ago = timezone.now() - timedelta(days=400)
    merged, kept = asked(anna, "Merged", now=long_ago), asked(anna, "Kept")
    handling.merge(merged, kept.public_id)
    handling.close(kept)
    call_command("forgettickets", verbosity=0)
    assert Ticket.objects.count() == 2
    Ticket.objects.update(last_at=long_ago)
    call_command("forgettickets", verbosity=0)
    assert not Ticket.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_request_in_which_somebody_writes_at_the_moment_is_not_forgotten(anna):
    now = timezone.now()
    made = asked(anna, "Old", now=now - timedelta(days=400))
    handling.close(made)
    counts = []
    one_after_the_other(
        lambda: write_more(made, "New"),
        lambda: counts.append(services.forget_old(now - timedelta(days=365))),
    )
    assert (counts, texts(made)) == ([0], ["Old", "New"])


@pytest.mark.django_db(transaction=True)
def test_a_request_in_which_the_sender_writes_at_the_moment_is_not_closed(anna):
    made, refusals = asked(anna), []
    newest = newest_message()

    def close():
        try:
            handling.close(made, newest=newest)
        except Refused as refusal:
            refusals.append(refusal.code)

    one_after_the_other(lambda: write_more(made), close)
    assert (refusals, state_of(made)) == (["newer_message"], State.WAITING)


@pytest.mark.django_db(transaction=True)
def test_a_message_that_is_written_while_the_account_closes_is_deleted_with_its_request(anna):
    made, done = asked(anna), []

    def forget():
        with write_transaction():
            services.forget_of(anna.pk)
        done.append(True)

    one_after_the_other(lambda: write_more(made), forget)
    assert done
    assert not Ticket.objects.exists()


def test_closing_an_account_deletes_its_requests_and_those_from_its_address(anna, boss):
    other = asked(member("boris5"))
    answered(asked(anna), boss)
    asked(anna.email, "Signed out")
    close_account(anna.pk, timezone.now())
    assert list(Ticket.objects.all()) == [other]
    assert TicketMessage.objects.count() == 1


def test_an_account_that_was_closed_meanwhile_writes_nothing(anna):
    close_account(anna.pk, timezone.now())
    with pytest.raises(Refused, match="not_member"):
        asked(User.objects.get(pk=anna.pk))


def test_the_export_has_own_requests_with_the_answers(anna, boss):
    answered(asked(anna, "Mine", details=Details(page="/shop/")), boss, "Ours")
    asked(anna.email, "Signed out")
    asked(member("boris5"), "Theirs")
    first, second = personal_data.of(anna.pk)["support"]
    assert [(each["by"], each["text"]) for each in first["messages"]] == [
        ("me", "Mine"), ("support", "Ours")
    ]  # fmt: skip
    assert first["page"] == "/shop/"
    assert second["messages"][0]["text"] == "Signed out"
    assert "boss5" not in str(first)
