"""Words that staff do not allow in typed messages."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts.shared.plain_text import comparable
from accounts.shared.refusals import Refused
from chat.direct import services as direct
from chat.models import Message, RefusedWord
from chat.services import messages
from chat.word_list import WordList, forget_list, word_list
from tests.accounts.factories import member, sign_in, staff

pytestmark = pytest.mark.django_db
LIST = WordList(frozenset({"fool", "isik"}), ("дурак",))
ADMIN = "/admin/chat/refusedword/"


@pytest.mark.parametrize(
    "text",
    ["You fool!", "FOOL", "f\u00f3\u00f6l", "Дураком", "вот ДУРАКИ", "ışık", "IŞIK", "\uff46ool"],
)
def test_words_are_found_regardless_of_capitals_accents_and_endings(text):
    assert LIST.refuses(text)


@pytest.mark.parametrize(
    "hidden", ["\ufe0f", "\u034f", "\u20dd", "\u200d", "\u3164", "\u115f", "\uffa0", "\u2065"]
)
def test_words_are_found_with_an_invisible_character_inside(hidden):
    assert LIST.refuses(f"fo{hidden}ol")


def test_words_are_found_in_bold_mathematical_capitals():
    assert LIST.refuses("\U0001d405\U0001d40e\U0001d40e\U0001d40b")


@pytest.mark.parametrize("text", ["f\u043e\u043el", "ДУР\u0041К", "\u0434\u0443\u0440\u0061ки"])
def test_words_are_found_with_letters_of_the_other_alphabet_that_look_alike(text):
    assert LIST.refuses(text)


@pytest.mark.parametrize("text", ["_fool_", "You_fool", "дурак_"])
def test_words_are_found_between_underscores(text):
    assert LIST.refuses(text)


@pytest.mark.parametrize(
    "text", ["foolish", "A food", "придурак", "ışıklar", "", "foo_l", "email-письмо", "iPhoneом"]
)
def test_other_words_are_allowed(text):
    assert not LIST.refuses(text)


def test_an_empty_list_refuses_nothing():
    assert not WordList(frozenset(), ()).refuses("anything")


def test_letters_are_compared_without_their_marks():
    assert comparable("Ёлка Й") == "елка и"


def test_a_listed_word_is_refused_at_tables_and_in_messages_until_it_is_taken_off(
    django_capture_on_commit_callbacks,
):
    boss = sign_in(Client(), staff("boss5"))
    anna, boris = member("anna5"), member("boris5")

    def say(text):
        return messages.say("match:x:players", anna, Message.Kind.TEXT, text, timezone.now())

    assert say("fool")
    with django_capture_on_commit_callbacks(execute=True):
        boss.post(f"{ADMIN}add/", {"language": "en", "word": "fool*"})
    with pytest.raises(Refused, match="refused_word"):
        say("Foolish")
    with pytest.raises(Refused, match="refused_word"):
        direct.send(anna, boris, "You\nfool", timezone.now())
    assert messages.say("match:x:players", anna, Message.Kind.PHRASE, "oops", timezone.now())
    with django_capture_on_commit_callbacks(execute=True):
        boss.post(f"{ADMIN}{RefusedWord.objects.get().pk}/delete/", {"post": "yes"})
    assert say("Foolish")


def test_a_listed_word_of_invisible_letters_refuses_nothing():
    for word in ("\u3164\u3164*", "\u3164\u3164"):
        RefusedWord.objects.create(language="en", word=word)
    forget_list()
    try:
        assert word_list() == WordList(frozenset(), ())
    finally:
        forget_list()


@pytest.mark.parametrize("word", ["", "x", "two words", "*", "a*b", "\u3164\u3164*"])
def test_a_malformed_word_is_refused(word):
    boss = sign_in(Client(), staff("boss5"))
    assert boss.post(f"{ADMIN}add/", {"language": "en", "word": word}).status_code == 200
    assert not RefusedWord.objects.exists()
