"""A silenced member sees the end of and the reason for the silence, and may appeal."""

from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import OutgoingEmail, Preferences
from accounts.shared.refusals import HEADER, Refused
from chat import personal_data, selectors
from chat.models import Message, Report, Silence
from chat.services import messages, moderation
from tests.accounts.factories import member, sign_in, staff
from tests.chat.factories import MessageFactory

pytestmark = pytest.mark.django_db
PAGE = "/chat/silence/"
SILENCES = "/admin/chat/silence/"


@pytest.fixture(autouse=True)
def _stored_emails(settings):
    settings.EMAIL_BACKEND = "accounts.mail.backend.StoringBackend"


@pytest.fixture
def boss():
    return staff("person1")


@pytest.fixture
def rude():
    return member("rude55")


@pytest.fixture
def silence(boss, rude):
    now = timezone.now()
    message = MessageFactory(author=rude, body="rude words", now=now)
    messages.report(member("victim"), message.pk, now)
    moderation.silence(Report.objects.get(), boss, timedelta(days=3), now, "Insults")
    return Silence.objects.get()


@pytest.fixture
def browser(rude):
    return sign_in(Client(), rude)


def page(browser):
    return browser.get(PAGE).content.decode()


def act(boss, action, silence, **more):
    chosen = {"action": action, "_selected_action": [silence.pk], "confirmed": "yes"}
    return sign_in(Client(), boss).post(SILENCES, {**chosen, "reason": "We looked", **more})


def appeal(browser, text="It was a joke"):
    return browser.post(PAGE, {"appeal": text})


def test_page_shows_the_end_the_reason_and_the_message_of_a_silence(browser, silence):
    text = page(browser)
    assert "Chat is turned off for you until <time" in text
    assert "Reason: Insults" in text
    assert "<blockquote>rude words</blockquote>" in text
    assert "Send the appeal" in text
    assert reverse("chat:silence") in browser.get(reverse("chat:muted")).content.decode()


def test_page_of_a_member_who_is_not_silenced_offers_no_appeal(browser):
    text = page(browser)
    assert "You can chat at every table." in text
    assert "appeal" not in text.split("<main")[1].lower()
    answer = appeal(browser)
    assert (answer.status_code, answer.headers[HEADER]) == (409, "not_silenced")


def test_refusal_carries_the_end_and_the_reason_of_the_silence(rude, silence):
    with pytest.raises(Refused) as refused:
        messages.say("lounge", rude, Message.Kind.TEXT, "again", timezone.now())
    until = silence.until.strftime("%Y-%m-%dT%H:%M:%SZ")
    assert refused.value.to_dict() == {"code": "silenced", "until": until, "note": "Insults"}


def test_email_announces_the_silence_in_the_members_language_and_zone(boss, rude):
    Preferences.objects.filter(user=rude).update(language="tr", time_zone="Asia/Tokyo")
    now = timezone.now()
    message = MessageFactory(author=rude, now=now)
    messages.report(member("victim"), message.pk, now)
    moderation.silence(Report.objects.get(), boss, timedelta(days=1), now, "Hakaret")
    email = OutgoingEmail.objects.get(to=rude.email)
    assert email.subject == "Sohbette susturuldunuz"
    assert "Neden: Hakaret" in email.text
    assert "(UTC+9)" in email.text
    assert PAGE in email.text
    assert (email.language, email.user_id) == ("tr", rude.pk)


def test_only_a_longer_silence_sends_a_second_email(boss, silence, rude):
    report = Report.objects.get()
    moderation.silence(report, boss, timedelta(days=2), timezone.now(), "Shorter")
    assert OutgoingEmail.objects.filter(to=rude.email).count() == 1
    moderation.silence(report, boss, timedelta(days=30), timezone.now(), "Longer")
    assert OutgoingEmail.objects.filter(to=rude.email).count() == 2
    silence.refresh_from_db()
    assert silence.reason == "Longer"


def test_appeal_is_made_once(browser, silence):
    assert appeal(browser, " ").status_code == 422
    assert appeal(browser, "x" * 501).status_code == 422
    assert appeal(browser).status_code == 303
    text = page(browser)
    assert "It was a joke" in text
    assert "Send the appeal" not in text
    assert appeal(browser).status_code == 303  # the button was pressed twice
    again = appeal(browser, "Please")
    assert (again.status_code, again.headers[HEADER]) == (409, "already_appealed")
    silence.refresh_from_db()
    assert silence.appeal == "It was a joke"


def test_staff_find_an_open_appeal_and_refuse_it(boss, browser, silence, rude):
    act(boss, "uphold", silence)  # nothing to refuse yet
    assert not LogEntry.objects.exists()
    appeal(browser)
    listed = sign_in(Client(), boss).get(SILENCES, {"appeal": "open"}).content.decode()
    assert "It was a joke" in listed
    act(boss, "uphold", silence)
    silence.refresh_from_db()
    assert (silence.answer, silence.until > timezone.now()) == ("We looked", True)
    assert LogEntry.objects.get().change_message == "Appeal refused: We looked"
    assert "We looked" in page(browser)
    assert (
        OutgoingEmail.objects.filter(to=rude.email).first().subject == "Your appeal about the chat"
    )
    listed = sign_in(Client(), boss).get(SILENCES, {"appeal": "open"}).content.decode()
    assert "It was a joke" not in listed


def test_email_about_an_appeal_refused_after_the_end_does_not_say_that_chat_stays_off(
    boss, browser, silence, rude
):
    appeal(browser)
    Silence.objects.update(until=timezone.now() - timedelta(hours=1))
    act(boss, "uphold", silence)
    text = OutgoingEmail.objects.filter(to=rude.email).first().text
    assert "it was right to turn off chat for you" in text
    assert "stays turned off" not in text


def test_each_line_break_of_an_appeal_counts_as_one_character(browser, silence):
    lines = "\r\n".join("x" * 250)  # 499 characters as the browser counts
    assert appeal(browser, f"{lines}yy").status_code == 422
    assert appeal(browser, lines).status_code == 303


def test_granted_appeal_ends_the_silence_and_sends_an_email(boss, browser, silence, rude):
    appeal(browser)
    act(boss, "end", silence)
    text = page(browser)
    assert "You can chat at every table." in text
    assert "We looked" in text
    assert OutgoingEmail.objects.filter(to=rude.email).first().subject == "You can chat again"
    assert messages.say("lounge", rude, Message.Kind.TEXT, "hello", timezone.now())


def test_reports_of_one_message_bring_one_silence_and_one_email(boss, rude):
    now = timezone.now()
    message = MessageFactory(author=rude, now=now)
    for number in range(5):
        messages.report(member(f"victim{number}"), message.pk, now)
    for report in Report.objects.all():
        moderation.silence(report, boss, timedelta(days=3), now, "Insults")
    assert Silence.objects.count() == 1
    assert OutgoingEmail.objects.filter(to=rude.email).count() == 1


def test_lifting_one_silence_ends_the_others_too(boss, browser, silence, rude):
    now = timezone.now()
    Silence.objects.update(until=now)
    message = MessageFactory(author=rude, body="more words", now=now + timedelta(minutes=1))
    Silence.objects.update(until=silence.until)
    messages.report(member("second"), message.pk, now)
    moderation.silence(Report.objects.get(message=message), boss, timedelta(days=7), now, "Again")
    other = Silence.objects.exclude(pk=silence.pk).get()
    appeal(browser)
    moderation.uphold(other, "No", now)
    act(boss, "end", silence)
    assert "You can chat at every table." in page(browser)
    assert "We looked" in OutgoingEmail.objects.filter(to=rude.email).first().text
    for each, answer in ((silence, "We looked"), (other, "No")):
        each.refresh_from_db()
        assert (each.answer, each.until <= timezone.now()) == (answer, True)


def test_open_appeal_is_granted_after_the_end_too(boss, browser, silence):
    appeal(browser)
    Silence.objects.update(until=timezone.now() - timedelta(hours=1))
    ended_at = Silence.objects.get().until
    assert "Our team will look at it." in page(browser)
    act(boss, "end", silence)
    silence.refresh_from_db()
    assert (silence.answer, silence.until) == ("We looked", ended_at)
    assert not moderation.end_silence(silence, timezone.now(), "Twice")


def test_lengthened_silence_may_be_appealed_again(boss, browser, silence):
    appeal(browser)
    moderation.uphold(silence, "No", timezone.now())
    moderation.silence(Report.objects.get(), boss, timedelta(days=30), timezone.now(), "Longer")
    text = page(browser)
    assert "Send the appeal" in text
    assert "It was a joke" not in text
    assert appeal(browser, "Again").status_code == 303


@pytest.mark.parametrize("days", [1, 7])
@pytest.mark.parametrize(
    ("is_reported_again", "is_answered"), [(True, True), (True, False), (False, True)]
)
def test_silence_chosen_after_the_end_of_an_earlier_one_begins_now(
    boss, browser, silence, rude, days, is_reported_again, is_answered
):
    appeal(browser)
    if is_answered:
        moderation.uphold(silence, "No", silence.created_at)
    now = silence.until + timedelta(days=20)
    if is_reported_again:
        messages.report(member("second"), silence.report.message_id, now)
    moderation.silence(Report.objects.latest("pk"), boss, timedelta(days=days), now, "Again")
    latest = selectors.latest_silence(rude.pk)
    assert (latest.created_at, latest.until) == (now, now + timedelta(days=days))
    assert (latest.reason, latest.appealed_at, latest.answered_at) == ("Again", None, None)
    assert "Again" in OutgoingEmail.objects.filter(to=rude.email).first().text
    moderation.appeal(rude.pk, "It was a quotation", now)
    silence.refresh_from_db()
    assert (silence.answer == "No") == (is_reported_again and is_answered)


def test_silence_is_not_renewed_before_the_appeal_against_the_ended_one_is_answered(
    boss, browser, silence
):
    appeal(browser)
    Silence.objects.update(until=timezone.now() - timedelta(hours=1))
    chosen = {"action": "silence", "_selected_action": [silence.report_id], "confirmed": "yes"}
    form = {**chosen, "days": "7", "reason": "Again"}
    reports, client = "/admin/chat/report/", sign_in(Client(), boss)
    refused = client.post(reports, form, follow=True).content.decode()
    assert "Answer the appeal first." in refused
    silence.refresh_from_db()
    assert (silence.reason, silence.appeal) == ("Insults", "It was a joke")
    assert silence.has_open_appeal
    act(boss, "uphold", silence)
    client.post(reports, form)
    silence.refresh_from_db()
    assert (silence.reason, silence.until > timezone.now()) == ("Again", True)


def test_open_appeal_stays_open_when_the_silence_is_lengthened(boss, browser, silence):
    appeal(browser)
    moderation.silence(Report.objects.get(), boss, timedelta(days=30), timezone.now(), "Longer")
    silence.refresh_from_db()
    assert (silence.reason, silence.has_open_appeal) == ("Longer", True)
    assert "It was a joke" in page(browser)
    act(boss, "uphold", silence)
    assert "We looked" in page(browser)


def test_page_shows_the_appealed_one_of_silences_lifted_together(boss, browser, rude):
    now, victim = timezone.now(), member("victim")
    for message in [MessageFactory(author=rude, now=now) for _ in range(3)]:
        messages.report(victim, message.pk, now)
    for report, days in zip(Report.objects.order_by("pk"), (3, 7, 1), strict=True):
        moderation.silence(report, boss, timedelta(days=days), now, "Insults")
    appeal(browser)
    _, appealed, last = Silence.objects.order_by("pk")
    act(boss, "end", last)
    assert selectors.latest_silence(rude.pk) == appealed
    assert "It was a joke" in page(browser)


def test_appeal_is_in_the_members_export(browser, silence, rude):
    appeal(browser)
    (row,) = personal_data.of(rude.pk)["silenced"]
    assert (row["reason"], row["appeal"]) == ("Insults", "It was a joke")


def test_the_page_of_the_report_tells_a_silence_that_is_over_from_a_running_one(boss, silence):
    client = sign_in(Client(), boss)
    address = reverse("admin:chat_report_change", args=[silence.report_id])
    assert "The author cannot chat until" in client.get(address).content.decode()
    Silence.objects.update(until=timezone.now())
    assert "The author could not chat until" in client.get(address).content.decode()
