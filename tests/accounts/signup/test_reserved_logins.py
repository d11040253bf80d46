"""Reserved and offensive logins, and harmless ones that resemble them."""

import pytest

from accounts.signup.reserved_logins import is_offensive, is_official


@pytest.mark.parametrize(
    "login",
    [
        *("admin", "Admin7", "ADMIN2026", "adm1n", "Adm1n5", "SiteAdmin", "Admin5Star", "TheStaff"),
        *(
            "Support",
            "support1",
            "SupportBot",
            "Moderator",
            "Moder77",
            "R00t1",
            "5ystem",
            "0wner",
            "4dmin1",
        ),
        *("gammon", "Gammon5", "5Stars", "fivestars", "nardy1", "Tavla", "HouseBot", "Bot12345"),
        *("sistema", "podderzhka", "yonetici", "Destek1", "misafir", "Guest99", "deleted"),
        *("Casual", "Beginner", "computer"),
    ],
)
def test_names_of_the_site_and_its_staff_are_refused(login):
    assert is_official(login)


@pytest.mark.parametrize(
    "login",
    [
        *("fuckyou", "FuckYou1", "fuuuck", "f4ggot", "n1gger", "Nigggger", "b1tch", "cunt1"),
        *(
            "D1ck99",
            "c0ck7",
            "BigShit9",
            "sh1t1",
            "5hit77",
            "Penis1",
            "NaziBoy",
            "Hitler88",
            "Max1488",
        ),
        *("xuilo", "Pizdec", "p1zda", "Pidoras", "pid0r", "blyat", "suka77", "nahuy", "mudak1"),
        *("huy12", "xuy12", "zhopa1", "ebanut99", "Zalupa"),
        *("Orospu0", "sikt1r", "amk123", "ibne1", "Yarak99", "YARRAK", "amcik", "Pezevenk"),
    ],
)
def test_offensive_words_are_refused_in_three_languages_and_with_digits_as_letters(login):
    assert is_offensive(login)


@pytest.mark.parametrize(
    "login",
    [
        *("Scunthorpe", "Penistone", "Sussex", "Essex", "Middlesex", "Cockburn", "Hancock"),
        *("Peacock", "Dickens", "Dickson", "MobyDick", "Classic", "Assassin", "Assist", "Bass77"),
        *("Analyst", "Canal", "Ana11", "Therapist", "Grape", "Sextant", "Title", "Titanic"),
        *("Shiitake", "Matsushita", "Document", "Cumbria", "Arsenal", "Parsec", "Nigeria"),
        *("Sniggers", "Raccoon", "Spice1", "Swanky", "Kikelomo", "Montenegro", "MonteNegro"),
        *("HomoSapien", "Picasso", "Epic77", "PicNic", "GotGame", "Lebanon", "Debate", "Pedikur"),
        *("Sukarno", "Chuikov", "HuiLin", "Amanda", "Slutsk", "Yaroslav", "Khabib", "Rybak"),
        *("Sikorsky", "Sikke", "Klasik", "Basik", "Amasya", "Ananas", "Musiki", "Kemal", "Deniz"),
        *("Badminton", "Supporter", "Master5", "Nardist", "GammonFan", "TavlaUsta", "Botanik"),
        *("Player7", "Stars77", "Star1990", "TheStars", "Modest", "Hostel", "Anna1990", "Boris5"),
    ],
)
def test_harmless_logins_with_the_same_letters_pass(login):
    assert not is_official(login)
    assert not is_offensive(login)
