"""The pages of messages, without scripts."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from accounts.people import blocks, presence
from accounts.shared.refusals import HEADER
from chat.direct import selectors, services
from chat.models import Message, Reach, Report
from chat.services import messages, moderation
from tests.accounts.factories import member, sign_in, staff
from tests.stats.counted_matches import play_counted
from tests.wallet.factories import player

pytestmark = [pytest.mark.django_db, pytest.mark.portable]
LIST = "/chat/"


@pytest.fixture
def anna():
    return player("anna5", credits=5000)


@pytest.fixture
def boris():
    return player("boris5", credits=5000)


@pytest.fixture
def annas(anna):
    return sign_in(Client(), anna)


@pytest.fixture
def boriss(boris):
    return sign_in(Client(), boris)


def page_with(other):
    return f"{LIST}with/{other.public_id}/"


def text_of(answer):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))


def test_a_sent_message_is_shown_as_unread_and_then_as_read(anna, boris, annas, boriss):
    sent = annas.post(page_with(boris), {"text": "Shall we play?"}, follow=True)
    assert sent.redirect_chain == [(page_with(boris), 302)]
    assert "1 unread message" in text_of(boriss.get(LIST))
    assert "Shall we play?" in text_of(boriss.get(page_with(anna)))
    assert "unread" not in text_of(boriss.get(LIST)).replace("Unread", "")
    assert "· read" in text_of(annas.get(page_with(boris)))


def test_an_unread_message_of_a_muted_member_is_neither_shown_nor_counted(
    anna, boris, annas, boriss
):
    annas.post(page_with(boris), {"text": "Shall we play?"})
    messages.mute(boris, anna.pk, timezone.now())
    listed = text_of(boriss.get(LIST))
    assert "You have muted this player." in listed
    assert "Shall we play?" not in listed
    assert "1 unread message" not in listed  # nor in the header
    assert selectors.unread_count(boris.pk) == 0
    assert anna.username not in text_of(boriss.get(LIST, {"show": "unread"})).split("People")[-1]
    messages.unmute(boris, anna.pk)
    assert "1 unread message" in text_of(boriss.get(LIST))


def test_a_head_request_marks_nothing_as_read(anna, boris, boriss):
    services.send(anna, boris, "Hi", timezone.now())
    boriss.head(page_with(anna))
    assert selectors.unread_count(boris.pk) == 1


def test_a_page_in_a_hidden_tab_marks_nothing_as_read(anna, boris, boriss):
    services.send(anna, boris, "Hi", timezone.now())
    part = {"HX-Request": "true", "HX-Target": "conversation-lines"}
    assert ">Hi<" in boriss.get(f"{page_with(anna)}?away=1", headers=part).text
    assert selectors.unread_count(boris.pk) == 1
    boriss.get(page_with(anna), headers=part)
    assert selectors.unread_count(boris.pk) == 0


def test_a_conversation_with_a_muted_member_says_so_and_unmutes_them(anna, boris, annas, boriss):
    services.send(anna, boris, "Shall we play?", timezone.now())
    messages.mute(boris, anna.pk, timezone.now())
    services.send(boris, anna, "Not now", timezone.now())
    shown = boriss.get(page_with(anna))
    assert "You have muted this player." in text_of(shown)
    assert "Shall we play?" not in text_of(shown)
    assert "· read" not in text_of(annas.get(page_with(boris)))
    unmuted = {"player": anna.public_id, "next": page_with(anna)}
    shown = boriss.post("/chat/muted/", unmuted, follow=True)
    assert shown.redirect_chain == [(page_with(anna), 303)]
    assert "Shall we play?" in text_of(shown)
    assert "You have muted this player." not in text_of(shown)


def test_unread_messages_of_a_blocked_member_are_not_counted_in_the_list(anna, boris, boriss):
    services.send(anna, boris, "Hi", timezone.now())
    blocks.block(boris.pk, anna.pk, timezone.now())
    listed = text_of(boriss.get(LIST, {"show": "blocked"}))
    assert anna.username in listed
    assert "1 unread message" not in listed


def test_a_refused_message_keeps_its_text(anna, boris, annas):
    too_long = "x" * (services.MAX_TEXT + 1)
    answer = annas.post(page_with(boris), {"text": too_long})
    assert (answer.status_code, answer.headers[HEADER]) == (422, "unreadable")
    assert f">{too_long}</textarea>" in answer.content.decode()
    assert not Message.objects.exists()


def test_a_message_to_a_member_who_accepts_none_is_refused_with_the_reason(anna, boris, annas):
    services.choose_reach(boris, Reach.From.NOBODY)
    answer = annas.post(page_with(boris), {"text": "Hello"})
    assert (answer.status_code, answer.headers[HEADER]) == (422, "not_accepted")
    assert "boris5 does not accept messages from you." in text_of(answer)
    assert not Message.objects.exists()


@pytest.mark.parametrize("code", ["not_accepted", "blocked", "silenced"])
def test_a_message_that_can_no_longer_be_sent_stays_to_be_copied(anna, boris, annas, code):
    now = timezone.now()
    if code == "not_accepted":
        blocks.block(boris.pk, anna.pk, now)
    elif code == "blocked":
        blocks.block(anna.pk, boris.pk, now)
    else:
        said = services.send(anna, boris, "Rude", now)
        messages.report(boris, said.pk, now)
        moderation.silence(Report.objects.get(), staff("boss5"), timedelta(days=1), now, "Insults")
    answer = annas.post(page_with(boris), {"text": "Still here"})
    assert (answer.status_code, answer.headers[HEADER]) == (422, code)
    assert ">Still here</textarea>" in answer.content.decode()
    assert "data-enter-sends" not in answer.content.decode()


def test_an_htmx_request_gets_only_the_conversation(anna, boris, annas):
    asked = {"HX-Request": "true", "HX-Target": "conversation"}
    answer = annas.post(page_with(boris), {"text": "Hi"}, headers=asked)
    page = answer.content.decode()
    assert page.lstrip().startswith('<div id="conversation"')
    assert "<html" not in page
    assert ">Hi<" in page


def test_earlier_messages_are_on_earlier_pages(anna, boris, annas, monkeypatch):
    monkeypatch.setattr(selectors, "PAGE_LENGTH", 2)
    monkeypatch.setattr(messages, "BURST", 100)
    for number in range(5):
        services.send(anna, boris, f"Number {number}", timezone.now())
    seen, address = [], page_with(boris)
    while address:
        page = annas.get(address).content.decode()
        seen.append(re.findall(r"Number (\d)", page))
        found = re.search(r'rel="next" href="([^"]+)"', page)
        address = found and found[1]
    assert seen == [["3", "4"], ["1", "2"], ["0"]]


def test_text_is_found_in_a_conversation(anna, boris, annas):
    for text in ("A red die", "A blue die"):
        services.send(anna, boris, text, timezone.now())
    assert "A red die" not in text_of(annas.get(page_with(boris) + "?find=BLUE"))
    assert "A blue die" in text_of(annas.get(page_with(boris) + "?find=BLUE"))
    assert "Nothing found." in text_of(annas.get(page_with(boris) + "?find=green"))
    for odd in ("%25", "x" * 101):
        assert annas.get(page_with(boris) + f"?find={odd}&before=x").status_code == 200


@pytest.mark.parametrize(
    ("written", "sought"),
    [
        ("Привет, Борис", "привет"),
        ("привет", "ПРИВЕТ"),
        ("İzmir, Işık", "izmir"),
        ("İzmir, Işık", "ışık"),
        ("ışık", "IŞIK"),
        ("izmir", "İzmir"),
    ],
)
def test_text_is_found_regardless_of_capitals_in_every_language(
    anna, boris, annas, written, sought
):
    services.send(anna, boris, written, timezone.now())
    assert written in text_of(annas.get(page_with(boris), {"find": sought}))


def test_a_form_sent_again_with_another_text_is_another_message(anna, boris, annas):
    """The response to the first form was lost, so the page still has the form and its id."""
    form_id = str(uuid4())
    for text in ("At eight", "At eight", "At\nnine", "At\r\nnine"):
        annas.post(page_with(boris), {"id": form_id, "text": text})
    assert list(Message.objects.values_list("body", flat=True)) == ["At eight", "At\nnine"]


def test_a_stranger_sees_no_conversation_of_others(anna, boris):
    services.send(anna, boris, "Between us", timezone.now())
    stranger = sign_in(Client(), member("cem55"))
    for other in (anna, boris):
        assert "Between us" not in text_of(stranger.get(page_with(other)))
    message = Message.objects.get()
    for other in (anna, boris):
        assert stranger.get(f"{page_with(other)}report/{message.pk}/").status_code == 404
        assert stranger.post(f"{page_with(other)}report/{message.pk}/").status_code == 404
    assert not Report.objects.exists()


def test_a_message_is_reported_after_a_question_and_staff_read_its_context(anna, boris, boriss):
    said = [
        services.send(anna, boris, text, timezone.now()) for text in ("Before", "Rude", "After")
    ]
    address = f"{page_with(anna)}report/{said[1].pk}/"
    assert "Rude" in text_of(boriss.get(address))
    boriss.post(address)
    boriss.post(address)
    boss = sign_in(Client(), staff("boss5"))
    shown = text_of(boss.get(f"/admin/chat/report/{Report.objects.get().pk}/change/"))
    assert all(text in shown for text in ("Before", "Rude", "After"))
    moderation.hide(Report.objects.get(), staff("boss6"), timezone.now())
    assert "Rude" not in text_of(boriss.get(page_with(anna)))
    assert "Removed by our team" in text_of(boriss.get(page_with(anna)))
    assert boriss.get(address).status_code == 404


def test_staff_read_no_conversation_that_nobody_reported(anna, boris):
    said = services.send(anna, boris, "Between us", timezone.now())
    boss = sign_in(Client(), staff("boss5"))
    assert "Between us" not in text_of(boss.get("/admin/chat/message/"))
    messages.report(boris, said.pk, timezone.now())
    assert "Between us" in text_of(boss.get("/admin/chat/message/"))


def test_own_messages_cannot_be_reported(anna, boris, annas):
    said = services.send(anna, boris, "Mine", timezone.now())
    assert annas.get(f"{page_with(boris)}report/{said.pk}/").status_code == 404


def test_the_list_shows_the_people_of_the_chosen_filter(anna, boris, annas):
    member("Bella5")
    online = member("cem55")
    presence.touch(online.pk, timezone.now())
    hidden = member("dina5")
    hidden.profile.shows_online = False
    hidden.profile.save()
    presence.touch(hidden.pk, timezone.now())
    play_counted(anna, boris)

    def names(query):
        return set(re.findall(r'player-name">([^<]+)', annas.get(LIST + query).content.decode()))

    assert names("") == set()
    assert names("?login=b") == {"boris5", "Bella5"}
    assert names("?login=BORİ") == names("?login=borı") == {"boris5"}
    assert names("?show=online") == {"cem55"}
    assert names("?show=met") == {"boris5"}
    for odd in ("?show=x", "?login=" + "b" * 16, "?page=0"):
        assert annas.get(LIST + odd).status_code == 200


def test_each_person_has_score_last_match_and_an_offer_to_play(anna, boris, annas):
    match = play_counted(anna, boris)
    page = annas.get(LIST + "?show=met").content.decode()
    assert f'href="/match/{match.public_id}/"' in page
    assert "Score " in page
    assert "/play/friend/?to=boris5" in page


def test_the_number_of_queries_does_not_grow_with_the_list(
    anna, boris, annas, django_assert_max_num_queries
):
    def cost():
        with django_assert_max_num_queries(60) as queries:
            annas.get(LIST)
        return len(queries)

    services.send(boris, anna, "Hi", timezone.now())
    play_counted(anna, boris)
    cost()  # fills the caches
    few = cost()
    for number in range(8):
        other = player(f"person{number}", credits=1000)
        services.send(other, anna, "Hi", timezone.now())
        play_counted(anna, other)
    assert cost() == few


def test_the_choice_of_who_may_write_is_saved(anna, annas):
    annas.post(f"{LIST}reach/", {"accepts": "KNOWN"})
    assert selectors.accepts(anna.pk) is Reach.From.KNOWN
    assert annas.post(f"{LIST}reach/", {"accepts": "WHO"}).status_code == 404


def test_markup_in_a_message_is_escaped(anna, boris, boriss):
    services.send(anna, boris, "<script>alert(1)</script> https://example.org", timezone.now())
    for address in (LIST, page_with(anna)):
        page = boriss.get(address).content.decode()
        assert "<script>alert" not in page
        assert 'href="https://example.org' not in page


def test_a_silenced_member_sees_when_the_silence_ends(anna, boris, annas):
    said = services.send(anna, boris, "Rude", timezone.now())
    messages.report(boris, said.pk, timezone.now())
    moderation.silence(
        Report.objects.get(), staff("boss5"), timedelta(days=1), timezone.now(), "Insults"
    )
    page = annas.get(page_with(boris))
    assert "Chat is turned off for you until" in text_of(page)
    assert "<textarea" not in page.content.decode()
