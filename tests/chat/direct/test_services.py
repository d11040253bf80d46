"""Messages between two members: who may write to whom, unread messages, notices."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from accounts import broadcast
from accounts.closing import services as closing
from accounts.models import EmailWish, Notice, NoticeKind, User
from accounts.people import blocks, friends, presence
from accounts.shared.refusals import Refused
from chat import personal_data
from chat.direct import selectors, services
from chat.direct.selectors import Show
from chat.models import Conversation, Message, Reach, Report
from chat.services import messages, moderation
from tests.accounts.factories import UserFactory, member, staff
from tests.stats.counted_matches import play_counted
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna():
    return player("anna5", credits=5000)


@pytest.fixture
def boris():
    return player("boris5", credits=5000)


def send(author, other, text="Hello", later=timedelta(), client_id=None):
    return services.send(author, other, text, timezone.now() + later, client_id)


def refused(author, other, later=timedelta()):
    with pytest.raises(Refused) as refusal:
        send(author, other, later=later)
    return refusal.value.code


def unread(user):
    return selectors.unread_count(user.pk)


def bodies(reader, other):
    return [message.body for message in selectors.messages_of(reader, other)]


def test_both_members_have_the_conversation_and_the_receiver_has_it_unread(anna, boris):
    send(anna, boris, "One")
    send(anna, boris, "Two")
    assert (unread(anna), unread(boris)) == (0, 2)
    assert bodies(anna, boris) == bodies(boris, anna) == ["Two", "One"]
    mine, theirs = (
        selectors.conversation_of(*pair) for pair in ((anna.pk, boris.pk), (boris.pk, anna.pk))
    )
    assert (mine.has_begun_it, theirs.has_begun_it) == (True, False)
    assert mine.last_message == theirs.last_message


def test_a_read_message_is_marked_for_its_author(anna, boris):
    first, second = send(anna, boris, "One"), send(anna, boris, "Two")
    services.read(boris, anna, first.pk)
    assert unread(boris) == 1
    services.read(boris, anna, second.pk)
    services.read(boris, anna, first.pk)  # an older page of the conversation
    assert unread(boris) == 0
    assert selectors.conversation_of(boris.pk, anna.pk).read_id == second.pk


def test_a_repeated_send_stores_one_message(anna, boris):
    client_id = uuid4()
    assert send(anna, boris, client_id=client_id) is not None
    assert send(anna, boris, client_id=client_id) is None
    assert (Message.objects.count(), unread(boris)) == (1, 1)


def test_lines_are_kept_and_invisible_characters_dropped(anna, boris):
    assert send(anna, boris, " One \r\n\u202eTwo\x07 ").body == "One \nTwo"
    with pytest.raises(Refused, match="unreadable"):
        send(anna, boris, " \n ")
    with pytest.raises(Refused, match="unreadable"):
        send(anna, boris, "x" * (services.MAX_TEXT + 1))
    assert send(anna, boris, "x" * services.MAX_TEXT)


def test_a_text_with_too_many_invisible_characters_is_refused(anna, boris):
    assert send(anna, boris, "\u200b" * services.MAX_TEXT + "Hello").body == "Hello"
    with pytest.raises(Refused, match="unreadable"):
        send(anna, boris, "\u200b" * 4 * services.MAX_TEXT + "Hello")


def test_a_block_refuses_both_and_does_not_show_who_blocked(anna, boris):
    blocks.block(anna.pk, boris.pk, timezone.now())
    assert refused(anna, boris) == "blocked"
    assert refused(boris, anna) == "not_accepted"
    blocks.unblock(anna.pk, boris.pk)
    assert send(boris, anna)


def test_a_blocked_person_is_only_in_the_list_of_blocked_people(anna, boris):
    send(boris, anna)
    blocks.block(anna.pk, boris.pk, timezone.now())
    now = timezone.now()
    shown = {show: list(selectors.people(anna, show, "", now)) for show in Show}
    assert shown.pop(Show.BLOCKED) == [boris]
    assert not any(shown.values())
    assert not selectors.people(anna, Show.ALL, "boris", now)
    assert unread(anna) == 0


def test_a_blocker_is_not_shown_as_online_to_the_blocked(anna, boris):
    now = timezone.now()
    send(boris, anna)
    presence.touch(anna.pk, now)
    assert list(selectors.people(boris, Show.ONLINE, "", now)) == [anna]
    blocks.block(anna.pk, boris.pk, now)
    assert not selectors.people(boris, Show.ONLINE, "", now)
    rows = selectors.people(boris, Show.ALL, "", now)
    assert [each.is_online for each in selectors.listed_people(boris, rows, now)] == [False]


def test_messages_to_oneself_or_a_closed_account_or_by_an_unactivated_one_are_refused(anna):
    assert refused(anna, anna) == "oneself"
    assert refused(UserFactory(), anna) == "not_member"
    gone = member("gone5")
    closing.close(gone.pk, timezone.now())
    assert refused(anna, User.objects.get(pk=gone.pk)) == "closed_account"


def test_a_member_chooses_who_may_write(anna, boris):
    services.choose_reach(anna, Reach.From.KNOWN)
    assert refused(boris, anna) == "not_accepted"
    send(anna, boris)
    assert send(boris, anna)
    services.choose_reach(anna, Reach.From.NOBODY)
    assert send(boris, anna), "an answer to a message is always accepted"
    assert refused(member("cem55"), anna) == "not_accepted"


def test_a_past_opponent_is_not_a_stranger(anna, boris):
    play_counted(anna, boris)
    services.choose_reach(anna, Reach.From.KNOWN)
    assert send(boris, anna)
    assert list(selectors.people(anna, Show.MET, "", timezone.now())) == [boris]


def test_a_friend_is_not_a_stranger(anna, boris):
    services.choose_reach(anna, Reach.From.KNOWN)
    now = timezone.now()
    friends.ask(boris.pk, anna.pk, now)
    assert refused(boris, anna) == "not_accepted"
    friends.accept(anna.pk, boris.pk, now)
    assert send(boris, anna)
    assert list(selectors.people(anna, Show.FRIENDS, "", now)) == [boris]


def test_a_stranger_waits_for_an_answer_after_a_few_messages(anna, boris, settings):
    for number in range(services.UNANSWERED):
        send(anna, boris, later=timedelta(minutes=number))
    assert refused(anna, boris, timedelta(hours=1)) == "unanswered"
    send(boris, anna, later=timedelta(hours=1))
    assert send(anna, boris, later=timedelta(hours=2))


def test_new_conversations_with_strangers_are_limited_per_day(anna, boris, monkeypatch):
    monkeypatch.setattr(services, "STRANGERS", 2)
    for name in ("cem55", "dina5"):
        send(anna, member(name))
    assert refused(anna, boris) == "many_strangers"
    assert send(anna, boris, later=timedelta(days=1, minutes=1))


def test_a_muted_author_is_neither_shown_nor_counted(anna, boris):
    messages.mute(anna, boris.pk, timezone.now())
    send(boris, anna)
    assert (unread(anna), bodies(anna, boris), bodies(boris, anna)) == (0, [], ["Hello"])


def test_a_silenced_member_writes_nothing(anna, boris):
    said = send(anna, boris, "rude")
    messages.report(boris, said.pk, timezone.now())
    moderation.silence(Report.objects.get(), staff("boss5"), timedelta(days=1), timezone.now())
    assert refused(anna, boris) == "silenced"


def test_pages_of_both_members_are_nudged_after_the_commit(
    anna, boris, monkeypatch, django_capture_on_commit_callbacks
):
    sent = []
    monkeypatch.setattr(broadcast, "nudge", lambda user_id, what: sent.append((user_id, what)))
    with django_capture_on_commit_callbacks(execute=True):
        send(anna, boris)
    assert sorted(sent) == sorted([(anna.pk, "messages"), (boris.pk, "messages")])


def test_pages_of_both_members_are_nudged_when_staff_hide_a_message(
    anna, boris, monkeypatch, django_capture_on_commit_callbacks
):
    messages.report(boris, send(anna, boris, "rude").pk, timezone.now())
    sent = []
    monkeypatch.setattr(broadcast, "nudge", lambda user_id, what: sent.append((user_id, what)))
    with django_capture_on_commit_callbacks(execute=True):
        moderation.hide(Report.objects.get(), staff("boss5"), timezone.now())
    assert sorted(sent) == sorted([(anna.pk, "messages"), (boris.pk, "messages")])


@pytest.mark.parametrize("act", ["block", "unblock", "mute", "unmute"])
def test_own_pages_count_the_unread_messages_again_after_a_block_or_mute(
    anna, boris, act, monkeypatch, django_capture_on_commit_callbacks
):
    sent, now = [], timezone.now()
    monkeypatch.setattr(broadcast, "nudge", lambda user_id, what: sent.append((user_id, what)))
    with django_capture_on_commit_callbacks(execute=True):
        {
            "block": lambda: blocks.block(anna.pk, boris.pk, now),
            "unblock": lambda: blocks.unblock(anna.pk, boris.pk),
            "mute": lambda: messages.mute(anna, boris.pk, now),
            "unmute": lambda: messages.unmute(anna, boris.pk),
        }[act]()
    assert (anna.pk, "messages") in sent
    assert (boris.pk, "messages") not in sent


@pytest.mark.parametrize("act", ["block", "mute"])
def test_unread_messages_of_a_blocked_or_muted_member_do_not_count_after_the_account_is_closed(
    anna, boris, act
):
    send(anna, boris)
    if act == "block":
        blocks.block(boris.pk, anna.pk, timezone.now())
    else:
        messages.mute(boris, anna.pk, timezone.now())
    closing.close(anna.pk, timezone.now())
    assert unread(boris) == 0


def test_the_first_unread_message_gives_one_notice(anna, boris):
    EmailWish.objects.create(user=boris, kind=NoticeKind.MESSAGE)
    first = send(anna, boris)
    send(anna, boris)
    notice = Notice.objects.get()
    assert (notice.user, notice.path) == (boris, f"/chat/with/{anna.public_id}/")
    services.read(boris, anna, first.pk + 1)
    notice.refresh_from_db()
    assert notice.state == Notice.State.SEEN
    send(anna, boris)
    assert Notice.objects.count() == 2


def test_a_message_gives_a_notice_unless_one_was_sent_for_an_earlier_unread_one(anna, boris):
    EmailWish.objects.create(user=boris, kind=NoticeKind.MESSAGE)
    send(anna, boris)
    Notice.objects.update(state=Notice.State.SEEN, due_at=None)  # a page of the site was open
    send(anna, boris)
    assert Notice.objects.count() == 2
    Notice.objects.filter(state=Notice.State.ASKED).update(state=Notice.State.SENT, due_at=None)
    send(anna, boris)
    assert Notice.objects.count() == 2


def test_the_export_names_the_people_written_to(anna, boris):
    send(anna, boris)
    exported = personal_data.of(anna.pk)
    assert [each["with"] for each in exported["conversations"]] == ["boris5"]
    assert exported["accepts_messages_from"] == "EVERYBODY"


def test_the_other_member_keeps_the_messages_of_a_closed_account(anna, boris):
    send(anna, boris)
    closing.close(anna.pk, timezone.now())
    assert bodies(boris, User.objects.get(pk=anna.pk)) == ["Hello"]
    assert not Conversation.objects.filter(owner=anna).exists()
