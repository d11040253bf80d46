"""The support queue: permissions, answers with and without ready texts, merging, own requests."""

import re
from importlib import import_module
from uuid import uuid4

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone

from accounts.models import User
from chat.models import AnswerPreset, Ticket
from chat.support import handling, services
from chat.support.services import Details
from tests.accounts.factories import member, sign_in, staff
from tests.chat.support.factories import answered, asked
from tests.games.factories import StakeSitting
from tests.wallet.factories import player

pytestmark = [pytest.mark.django_db, pytest.mark.portable]
QUEUE = "/admin/chat/ticket/"
MAILBOX = "visitor@example.org"
NEWER = "A new message has arrived since you opened this page."


@pytest.fixture
def anna():
    return member("anna5")


def browser_of_clerk(*permissions):
    """Return a browser of staff with these permissions only."""
    user = member("clerk5")
    User.objects.filter(pk=user.pk).update(is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    return sign_in(Client(), User.objects.get(pk=user.pk))


def act(browser, action, *tickets, **more):
    chosen = {"action": action, "_selected_action": [each.pk for each in tickets]}
    return browser.post(QUEUE, {**chosen, "confirmed": "yes", **more}, follow=True)


def conversation_on(page):
    """Return the hidden fields of an answer page: its key and the number of messages."""
    names = ("once", "shown")
    return {name: re.search(rf'name="{name}" value="([-0-9a-f]+)"', page)[1] for name in names}


def send(browser, ticket, **more):
    return browser.post(f"{QUEUE}{ticket.pk}/answer/", {"once": str(uuid4()), **more}, follow=True)


def log():
    return list(LogEntry.objects.order_by("pk").values_list("change_message", flat=True))


def test_the_queue_shows_the_longest_waiting_request_first(client, boss, anna):
    now = timezone.now()
    later = asked(anna, "Later words", now=now)
    first = asked(MAILBOX, "First words", now=now - timezone.timedelta(hours=5))
    done = answered(asked(anna, "Done words", now=now - timezone.timedelta(days=1)), boss)
    page = client.get(QUEUE).text
    order = [page.index(each.subject) for each in (first, later, done)]
    assert order == sorted(order)
    assert MAILBOX in page
    assert f"/admin/accounts/user/{anna.pk}/change/" in page


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("state=WAITING", {"one", "mine"}), ("assignee=me", {"mine"}), ("assignee=nobody", {"one"}),
        ("topic=BUG", {"one"}), ("language=tr", {"mine"}), ("q=anna5", {"mine", "done"}),
        (f"q={MAILBOX}", {"one"}), ("q=AbCdEf123456", {"done"}), ("q=nonsense", set()),
    ],
)  # fmt: skip
def test_the_queue_is_filtered_and_searched(client, boss, anna, query, found):
    tickets = {
        "one": asked(MAILBOX, "one", topic=Ticket.Topic.BUG),
        "mine": asked(anna, "mine", language="tr"),
        "done": answered(asked(anna, "done", room="match:AbCdEf123456"), staff("other5")),
    }
    Ticket.objects.filter(pk=tickets["mine"].pk).update(assignee=boss)
    page = client.get(f"{QUEUE}?{query}").text
    assert {name for name, each in tickets.items() if f"{QUEUE}{each.pk}/change/" in page} == found


def test_the_page_of_a_request_leads_to_match_member_and_sanctions(client, boss):
    sitting = StakeSitting(player("white5"), player("black5"))
    white = User.objects.get(username="white5")
    details = Details(page="/shop/", device="<b>Fire</b>fox")
    made = asked(white, "<script>x</script>", room=f"match:{sitting.public_id}", details=details)
    page = client.get(f"{QUEUE}{made.pk}/change/").text
    for address in (
        f"/admin/games/match/{sitting.match.pk}/case/",
        f"/admin/accounts/user/{white.pk}/change/",
        f"{QUEUE}{made.pk}/answer/",
        *(f"/admin/{name}/?q=white5" for name in (
            "chat/ticket", "chat/playerreport", "chat/silence", "games/strike", "wallet/account",
            "shop/payment",
        )),
    ):  # fmt: skip
        assert f'href="{address}"' in page, address
        assert client.get(address).status_code == 200, address
    assert "<p>&lt;script&gt;x&lt;/script&gt;</p>" in page
    assert "<script>x" not in page
    assert "<b>Fire" not in page
    assert "/shop/" in page


def test_an_answer_can_be_previewed_before_it_is_sent(client, boss, anna):
    made = asked(anna, "Where are my credits?")
    assert "Where are my credits?" in client.get(f"{QUEUE}{made.pk}/answer/").text
    shown = send(client, made, text="They are reserved.").text
    assert "The sender will read:" in shown
    assert made.messages.count() == 1
    once = str(uuid4())
    for _ in range(2):  # the button is pressed twice
        sent = send(client, made, text="They are reserved.", once=once, confirmed="yes")
        assert "Your answer is sent." in sent.text
    made.refresh_from_db()
    assert (made.state, made.messages.last().staff, made.messages.count()) == ("ANSWERED", boss, 2)
    assert log() == ["Answered"]


def test_a_ready_answer_may_be_edited_or_replaced_before_it_is_sent(client, boss, anna):
    made = asked(anna)
    preset = AnswerPreset.objects.create(name="A", language="en", text="A ready text.")
    shown = send(client, made, preset=preset.pk).text
    assert "A ready text." in shown
    once = re.search(r'name="once" value="([-0-9a-f]{36})"', shown)[1]
    edited = send(client, made, text="A ready text.", closes="True", once=once, edit="yes").text
    assert "A ready text.</textarea>" in edited
    assert f'name="once" value="{once}"' in edited
    both = send(client, made, preset=preset.pk, text="My own words.", confirmed="yes", closes="on")
    assert "Your answer is sent." in both.text
    made.refresh_from_db()
    assert (made.messages.last().text, made.state) == ("My own words.", "CLOSED")


def test_an_answer_form_sent_again_with_another_text_is_another_answer(client, boss, anna):
    made = asked(anna)
    opened = conversation_on(client.get(f"{QUEUE}{made.pk}/answer/").text)
    for _ in range(2):
        send(client, made, text="They are gone.", confirmed="yes", **opened)
    shown = send(client, made, text="They are reserved.", confirmed="yes", **opened).text
    assert NEWER in shown
    send(client, made, text="They are reserved.", confirmed="yes", **conversation_on(shown))
    assert [each.text for each in made.messages.all()][1:] == [
        "They are gone.", "They are reserved."
    ]  # fmt: skip


def test_an_answer_is_sent_at_once_but_a_ready_one_is_shown_first(client, boss, anna):
    made = asked(anna)
    page = client.get(f"{QUEUE}{made.pk}/answer/").text
    assert 'name="confirmed" value="Send the answer"' in page
    assert "It is sent by email too." in page
    preset = AnswerPreset.objects.create(name="A", language="en", text="A ready text.")
    assert "The sender will read:" in send(client, made, preset=preset.pk, confirmed="yes").text
    assert made.messages.count() == 1
    sent = send(client, made, text="They are reserved.", confirmed="Send the answer")
    assert "Your answer is sent." in sent.text


@pytest.mark.parametrize("who", ["a colleague", "the sender"])
def test_an_answer_is_shown_first_if_a_message_has_arrived_meanwhile(client, boss, anna, who):
    made, words = asked(anna), {"text": "They are reserved.", "confirmed": "Send the answer"}
    address = f"{QUEUE}{made.pk}/answer/"
    opened = conversation_on(client.get(address).text)
    if who == "a colleague":
        answered(made, staff("other5"), "They are in your tournament.")
    else:
        services.reply(made, "I have found them.", uuid4(), timezone.now())
    shown = send(client, made, **words, **opened).text
    assert NEWER in shown
    assert "The sender will read:" in shown
    assert made.messages.count() == 2
    assert NEWER in send(client, made, **words, **opened, edit="yes").text
    for _ in range(2):  # the button is pressed twice
        sent = send(client, made, **words, **conversation_on(shown)).text
        assert "Your answer is sent." in sent
    assert made.messages.count() == 3


def test_an_answer_is_not_sent_if_a_message_arrives_while_it_is_being_sent(
    client, boss, anna, monkeypatch
):
    made, answer = asked(anna), handling.answer

    def answer_later(*given, **more):
        services.reply(made, "I have found them.", uuid4(), timezone.now())
        return answer(*given, **more)

    monkeypatch.setattr(handling, "answer", answer_later)
    refused = send(client, made, text="They are reserved.", confirmed="Send the answer")
    assert NEWER in refused.text
    assert "They are reserved.</textarea>" in refused.text
    made.refresh_from_db()
    assert (made.state, made.messages.count()) == ("WAITING", 1)


def test_an_answer_is_shown_first_if_another_request_was_merged_meanwhile(client, boss, anna):
    merged, made = asked(anna, "An earlier question"), asked(anna)
    opened = conversation_on(client.get(f"{QUEUE}{made.pk}/answer/").text)
    act(client, "merge", merged, into=made.public_id)
    shown = send(client, made, text="They are reserved.", confirmed="yes", **opened).text
    assert NEWER in shown
    assert "An earlier question" in shown


def test_an_answer_typed_while_the_request_was_merged_is_shown_with_the_other_one_first(
    client, boss, anna
):
    made, other = asked(anna), asked(anna, "An earlier question")
    opened = conversation_on(client.get(f"{QUEUE}{made.pk}/answer/").text)
    act(client, "merge", made, into=other.public_id)
    shown = send(client, made, text="They are reserved.", confirmed="yes", **opened).text
    for text in (NEWER, "An earlier question", "They are reserved."):
        assert text in shown
    send(client, made, text="They are reserved.", confirmed="yes", **conversation_on(shown))
    assert [each.text for each in other.messages.all()][2:] == ["They are reserved."]
    assert Ticket.objects.get(pk=other.pk).state == "ANSWERED"


def test_an_answer_to_the_shown_conversation_is_sent_at_once_even_when_pressed_twice(
    client, boss, anna
):
    made = asked(anna)
    opened = conversation_on(client.get(f"{QUEUE}{made.pk}/answer/").text)
    for _ in range(2):
        sent = send(client, made, text="They are reserved.", confirmed="yes", **opened)
        assert "Your answer is sent." in sent.text
    assert made.messages.count() == 2


def test_enter_in_a_field_shows_the_answer_and_does_not_send_it(client, boss, anna):
    """A browser presses a form's first button when Enter is pressed in a field."""
    page = client.get(f"{QUEUE}{asked(anna).pk}/answer/").text
    buttons = re.findall(r'<input type="submit"[^>]*>', page)
    assert ["confirmed" in button for button in buttons] == [False, True]


def test_ready_answers_of_the_senders_language_come_first(client, boss):
    AnswerPreset.objects.all().delete()
    for language in ("en", "ru", "tr"):
        AnswerPreset.objects.create(name="A", language=language, text="Text")
    page = client.get(f"{QUEUE}{asked(MAILBOX, language='ru').pk}/answer/").text
    assert re.findall(r">(\w\w): A</option>", page) == ["ru", "en", "tr"]


def test_the_page_of_a_request_offers_the_actions_that_apply(client, boss, anna):
    made = asked(anna)
    page = client.get(f"{QUEUE}{made.pk}/change/").text
    assert "Close the request…" in page
    assert "No answer is sent. The sender sees that the request is closed" in page
    assert "Reopen…" not in page
    act(client, "close", made, reason="Spam")
    page = client.get(f"{QUEUE}{made.pk}/change/").text
    assert "Close the request…" not in page
    assert "Reopen…" in page


def test_a_request_is_not_closed_if_its_sender_writes_while_staff_give_the_reason(
    client, boss, anna
):
    made, other = asked(anna), answered(asked(anna), boss)
    answered(made, boss)
    chosen = {"action": "close", "_selected_action": [made.pk, other.pk]}
    page = client.post(QUEUE, chosen).text
    newest = re.search(r'name="newest" value="(\d+)"', page)[1]
    services.reply(made, "It is still wrong.", uuid4(), timezone.now())
    answered(other, staff("other5"), "One more thing.")
    refused = act(client, "close", made, other, reason="Answered", newest=newest)
    assert NEWER in refused.text
    states = [Ticket.objects.get(pk=each.pk).state for each in (made, other)]
    assert states == ["WAITING", "CLOSED"]
    again = client.post(QUEUE, {**chosen, "_selected_action": [made.pk]}).text
    newest = re.search(r'name="newest" value="(\d+)"', again)[1]
    act(client, "close", made, reason="Spam", newest=newest)
    assert Ticket.objects.get(pk=made.pk).state == "CLOSED"


def test_an_empty_answer_is_refused(client, boss, anna):
    answer = send(client, asked(anna), text=" ", confirmed="yes")
    assert answer.status_code == 422
    assert "Write an answer, or choose a ready one." in answer.text


def test_ready_answers_are_written_in_three_languages():
    """Read the data migration, since a transactional test flushes its rows."""
    answers = import_module("chat.migrations.0012_ready_answers").ANSWERS
    assert len(answers) >= 5
    assert all(set(texts) == {"ru", "en", "tr"} for texts in answers.values())


def test_staff_edit_ready_answers(client, boss):
    new = {"name": "New", "language": "ru", "text": "Привет"}
    assert client.post("/admin/chat/answerpreset/add/", new).status_code == 302
    assert AnswerPreset.objects.filter(**new).exists()


def test_actions_of_the_queue_change_the_request_and_are_logged(client, boss, anna):
    other = staff("other5")
    made = asked(anna)
    act(client, "take", made)
    assert Ticket.objects.get().assignee == boss
    assert LogEntry.objects.get().object_repr == made.public_id
    act(client, "assign", made, to=other.pk)
    assert Ticket.objects.get().assignee == other
    act(client, "assign", made)
    assert Ticket.objects.get().assignee is None
    act(client, "close", made, reason="Spam")
    assert Ticket.objects.get().state == "CLOSED"
    assert "They are closed already." in act(client, "close", made, reason="Spam").text
    act(client, "reopen", made)
    assert Ticket.objects.get().state == "WAITING"
    assert "They are open already." in act(client, "reopen", made).text
    assert log() == ["Taken", "Assigned to other5", "Assigned to None", "Closed: Spam", "Reopened"]


def test_requests_are_assigned_to_active_staff_only(client, boss, anna):
    act(client, "assign", asked(anna), to=anna.pk)
    assert Ticket.objects.get().assignee is None


def test_requests_are_assigned_to_staff_who_may_answer_them(client, boss, anna):
    made, clerk, outsider = asked(anna), member("clerk5"), member("other5")
    User.objects.filter(pk__in=[clerk.pk, outsider.pk]).update(is_staff=True)
    rights = Permission.objects.filter(codename__in=["view_ticket", "change_ticket"])
    clerk.user_permissions.set(rights)
    outsider.user_permissions.set(rights.filter(codename="view_ticket"))
    act(client, "assign", made, to=outsider.pk)
    assert Ticket.objects.get().assignee is None
    act(client, "assign", made, to=clerk.pk)
    assert Ticket.objects.get().assignee == clerk


def test_requests_are_not_assigned_to_their_sender(client, boss):
    other = staff("other5")
    answer = act(client, "assign", asked(other), to=other.pk)
    assert "A request cannot be assigned to its sender." in answer.text
    assert Ticket.objects.get().assignee is None


def test_an_answer_to_a_request_that_is_deleted_at_that_moment_is_not_found(
    client, boss, anna, monkeypatch
):
    made, answer = asked(anna), handling.answer

    def answer_after_the_deletion(*args, **more):
        Ticket.objects.all().delete()
        answer(*args, **more)

    monkeypatch.setattr(handling, "answer", answer_after_the_deletion)
    assert send(client, made, text="Hello", confirmed="yes").status_code == 404


def test_merging_says_why_it_is_refused(client, boss, anna):
    one, two, theirs = asked(anna), asked(anna), asked(MAILBOX)
    assert "no other request" in act(client, "merge", one, into="AbCdEf123456").text
    assert "from somebody else" in act(client, "merge", one, into=theirs.public_id).text
    assert "Done" in act(client, "merge", one, into=f" {two.public_id} ").text
    assert two.messages.count() == 2
    assert "already" in act(client, "merge", theirs, into=one.public_id).text
    assert f"Answer {two.public_id}" in client.get(f"{QUEUE}{one.pk}/answer/").text


def test_staff_with_permission_to_view_can_do_nothing_else(anna):
    made, viewer = asked(anna), browser_of_clerk("view_ticket")
    page = viewer.get(f"{QUEUE}{made.pk}/change/")
    assert page.status_code == 200
    assert "/answer/" not in page.text
    assert viewer.get(f"{QUEUE}{made.pk}/answer/").status_code == 403
    assert send(viewer, made, text="Hi", confirmed="yes").status_code == 403
    act(viewer, "close", made, reason="Mine")
    made.refresh_from_db()
    assert (made.state, made.messages.count()) == ("WAITING", 1)


def test_staff_without_the_permission_see_no_queue(anna):
    made, outsider = asked(anna), browser_of_clerk("view_report")
    for address in (QUEUE, f"{QUEUE}{made.pk}/change/", f"{QUEUE}{made.pk}/answer/"):
        assert outsider.get(address).status_code == 403
    assert outsider.get("/admin/chat/answerpreset/").status_code == 403


def test_support_staff_who_answer_see_no_link_to_credits(anna):
    made, clerks = asked(anna), browser_of_clerk("view_ticket", "change_ticket")
    page = clerks.get(f"{QUEUE}{made.pk}/change/").text
    assert f"{QUEUE}{made.pk}/answer/" in page
    assert "/admin/wallet/account/" not in page
    assert "Your answer is sent." in send(clerks, made, text="Hello", confirmed="yes").text


def test_staff_do_not_answer_their_own_requests(client, boss):
    made = asked(boss)
    refused = send(client, made, text="Yes, of course.", confirmed="yes")
    assert "Another member of the staff has to answer your own request." in refused.text
    assert made.messages.count() == 1
