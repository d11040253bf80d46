"""A newcomer's question, in their own words, finds the section that answers it."""

import pytest

from accounts.shared.plain_text import comparable
from config.manual.chapters import manual_in
from config.manual.prose_parser import parse
from config.manual.search import Index, likeness

# Section, and the question as people type it in each language, some without accents.
QUESTIONS = {
    "account#sign-up": (
        "how do I sign up", "как зарегистрироваться", "nasıl üye olurum",
    ),
    "start#guest": (
        "can I play without registering", "можно играть без регистрации",
        "üye olmadan oynayabilir miyim",
    ),
    "account#email": ("I did not get the email", "не пришло письмо", "e-posta gelmedi"),
    "account#password": ("I forgot my password", "забыла пароль", "sifremi unuttum"),
    "table#turn": ("how do I move a checker", "как ходить шашкой", "pul nasıl oynanır"),
    "table#refused": (
        "why can't I make this move", "почему нельзя пойти этим ходом",
        "neden bu hamleyi oynayamıyorum",
    ),
    "settings#sounds": (
        "how do I turn off the sound", "как выключить звук", "sesi nasıl kapatırım",
    ),
    "table#cube": ("what does the cube do", "зачем нужен куб", "vido nedir"),
    "table#clock": ("when do I lose on time", "проиграл по времени", "süreden kaybettim"),
    "table#connection": (
        "my internet dropped during a match", "пропал интернет во время игры",
        "maçta internetim koptu",
    ),
    "table#resign": ("how do I resign", "как сдаться", "nasıl pes ederim"),
    "people#friend": (
        "how do I play with a friend", "как сыграть с другом", "arkadaşımla nasıl oynarım",
    ),
    "people#newcomers": (
        "why can I only stake 25 credits", "почему нельзя поставить больше 25",
        "neden 25 krediden fazla koyamıyorum",
    ),
    "credits#gifts": ("I have no credits left", "кончились кредиты", "kredim bitti"),
    "credits#what": (
        "can I withdraw credits as money", "можно ли вывести деньги",
        "kredileri paraya çevirebilir miyim",
    ),
    "dice#fair": ("are the dice rigged", "кости подкручены", "zarlar hileli mi"),
    "community#report": (
        "somebody is insulting me", "меня оскорбляют", "biri bana küfrediyor",
    ),
    "community#block": (
        "how do I block a player", "как заблокировать игрока", "bir oyuncuyu nasıl engellerim",
    ),
    "progress#rating": (
        "how is the rating calculated", "как считается рейтинг", "puan nasıl hesaplanıyor",
    ),
    "start#language": (
        "how to switch to dark mode", "как включить тёмную тему", "karanlık mod nasıl açılır",
    ),
    "training#opponents": (
        "play against the computer", "играть с компьютером", "bilgisayara karşı oyna",
    ),
    "dice#review": (
        "where can I see my mistakes", "где посмотреть мои ошибки", "hatalarımı nerede görürüm",
    ),
    "help#trouble": (
        "the board does not load", "доска не загружается", "tahta yüklenmiyor",
    ),
    "help#close": ("how to delete my account", "удалить аккаунт", "hesabımı silmek istiyorum"),
}  # fmt: skip
CASES = [
    (language, section, question)
    for section, asked in QUESTIONS.items()
    for language, question in zip(("en", "ru", "tr"), asked, strict=True)
]
# More questions, also about other sections.
CASES += [
    ("en", "table#connection", "what happens if my opponent leaves the game"),
    ("ru", "table#connection", "что будет, если соперник вышел из игры"),
    ("tr", "table#connection", "rakip oyundan çıkarsa ne olur"),
    ("en", "progress#rating", "why do I have no rating"),
    ("ru", "progress#rating", "почему у меня нет рейтинга"),
    ("tr", "progress#rating", "puanım neden yok"),
    ("en", "table#start", "my opponent did not show up"),
    ("ru", "table#start", "соперник не пришёл"),
    ("tr", "table#start", "rakip gelmedi"),
    ("en", "table#dice", "how do I roll the dice"),
    ("ru", "table#dice", "как бросить кубики"),
    ("tr", "table#dice", "zar nasıl atılır"),
    ("en", "table#turn", "can I take back a move"),
    ("ru", "table#turn", "как отменить ход"),
    ("tr", "table#turn", "hamleyi geri al"),
    ("ru", "table#chat", "как написать сопернику"),
    ("tr", "table#chat", "rakibe mesaj yazmak"),
    ("en", "table#chat", "write to my opponent"),
    ("en", "people#conduct", "why am I banned"),
    ("ru", "people#conduct", "почему меня отстранили от игры"),
    ("tr", "people#conduct", "neden oynamam engellendi"),
    ("en", "account#email", "how do I change my email"),
    ("ru", "account#email", "как сменить почту"),
    ("tr", "account#email", "e-postamı nasıl değiştiririm"),
    ("en", "settings#identity", "change my nickname"),
    ("ru", "settings#identity", "сменить ник"),
    ("tr", "settings#identity", "takma adımı değiştirmek"),
    ("en", "settings#looks", "flip the board"),
    ("ru", "settings#looks", "перевернуть доску"),
    ("tr", "settings#looks", "tahtayı çevirmek"),
    ("tr", "table#resign", "oyundan nasıl çıkarım"),
]


@pytest.mark.parametrize(("language", "section", "question"), CASES)
def test_question_of_a_newcomer_finds_its_section(language, section, question):
    manual = manual_in(language)
    (wanted,) = (
        each
        for chapter in manual.chapters
        for each in chapter.sections
        if f"{chapter.slug}#{each.anchor}" == section
    )
    first_two = [result.heading for result in manual.index.find(question)[:2]]
    assert wanted.heading in first_two


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "what should I do when my checker is hit"),
        ("ru", "что делать, когда шашку сбили"),
        ("tr", "pul kırılınca ne yapmalıyım"),
    ],
)
def test_question_about_the_game_finds_a_section_of_the_rules(language, question):
    first = manual_in(language).index.find(question)[0]
    assert (first.slug, first.anchor) == ("rules_short", "entering")


@pytest.mark.parametrize(
    ("language", "question", "section"),
    [
        ("en", "what is a gammon", "scoring"),
        ("ru", "что такое марс", "scoring"),
        ("tr", "mars nedir", "scoring"),
        ("en", "how to set up the board", "board"),
        ("ru", "как расставить шашки", "board"),
        ("tr", "taşlar nasıl dizilir", "board"),
        ("en", "how to bear off checkers", "bearing-off"),
        ("ru", "как выбрасывать шашки", "bearing-off"),
        ("tr", "pul nasıl toplanır", "bearing-off"),
        ("en", "how many checkers can I take from the head", "head"),
        ("ru", "сколько шашек можно снять с головы", "head"),
        ("tr", "baştan kaç pul alınır", "head"),
    ],
)
def test_question_of_a_beginner_finds_the_rule(language, question, section):
    found = manual_in(language).index.find(question)[:2]
    assert section in [each.anchor for each in found if each.slug.startswith("rules_")]


def test_parts_that_both_pages_of_rules_have_are_found_once():
    found = [each for each in manual_in("en").index.find("Jacoby") if each.anchor == "money"]
    assert [each.slug for each in found] == ["rules_short"]


def test_letters_are_compared_without_case_and_accents():
    assert comparable("ЁЛКА") == comparable("елка")
    assert comparable("Iğdır İZMİR ŞİFRE") == comparable("ığdır izmir sifre") == "igdir izmir sifre"


def test_forms_of_a_word_are_alike_and_other_words_are_not():
    assert likeness("пароль", "пароль") == 1
    assert 0 < likeness("паролем", "пароль") < 1
    assert 0 < likeness("зар", "зары") < 1
    assert likeness("arkadasimla", "arkadas") > 0
    assert likeness("rating", "rated") == 0
    assert likeness("зар", "заранее") == 0


def index_of(*sections, ignored=""):
    """Return the index of a page; a section is (heading, further attributes of <h2>, text)."""
    html = "<h1>T</h1><p>S</p>" + "".join(
        f'<h2 id="s{at}"{words}>{heading}</h2><p>{text}</p>'
        for at, (heading, words, text) in enumerate(sections)
    )
    return Index([("one", "T", parse(html).sections)], ignored)


def anchors(results):
    return [result.anchor for result in results]


def test_heading_and_further_words_weigh_more_than_the_text():
    index = index_of(
        ("Apples", "", "about cherries"),
        ("Pears", "", "about apples, apples and apples"),
        ("Plums", ' data-words="figs"', "about plums"),
    )
    assert anchors(index.find("apples")) == ["s0", "s1"]
    assert anchors(index.find("FIGS")) == ["s2"]


def test_section_with_more_of_the_words_comes_first():
    index = index_of(("A", "", "red cars"), ("B", "", "red apples"), ("C", "", "green apples"))
    assert anchors(index.find("red apples"))[0] == "s1"


def test_ignored_words_count_only_if_there_are_no_others():
    index = index_of(("How", "", "x"), ("Apples", "", "y"), ignored="how")
    assert anchors(index.find("how apples")) == ["s1"]
    assert anchors(index.find("how")) == ["s0"]


def test_typing_error_is_tolerated():
    index = index_of(("Password", "", "x"), ("Apples", "", "y"))
    assert anchors(index.find("pasword")) == ["s0"]


def test_excerpt_of_a_long_text_shows_the_match():
    index = index_of(("A", "", "word " * 200 + "needle here " + "word " * 200))
    (result,) = index.find("needles")
    text = "".join(part for part, _ in result.excerpt)
    assert len(text) < 240
    assert ("needle", True) in result.excerpt
    assert text.startswith("… ")
    assert text.endswith("…")


def test_term_of_a_list_is_found_with_its_description_and_its_own_anchor():
    html = '<h1>T</h1><p>S</p><h2 id="s">H</h2><dl><dt id="t">Fig</dt><dd>A fruit.</dd></dl>'
    (result,) = Index([("one", "T", parse(html).sections)], "").find("fruit")
    assert result.anchor == "t"
    assert "".join(part for part, _ in result.excerpt) == "Fig: A fruit."


def test_heading_right_before_another_one_is_found_without_an_excerpt():
    html = '<h1>T</h1><p>S</p><h2 id="s">Apples</h2><h3 id="t">Pears</h3><p>Text.</p>'
    (result,) = Index([("one", "T", parse(html).sections)], "").find("apples")
    assert (result.anchor, result.heading, result.excerpt) == ("s", "Apples", ())


@pytest.mark.parametrize("query", ["", "   ", "?!", "\x00", "qqqqqq"])
def test_query_without_known_words_finds_nothing(query):
    assert manual_in("en").index.find(query) == []
