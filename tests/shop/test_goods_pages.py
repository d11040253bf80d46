"""The shop's pages: the lists of looks, one look, buying with a confirmation, the owned goods."""

import re
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client

from accounts.models import User
from accounts.selectors import preferences_of
from shop.goods import sample_board
from shop.models import Good, OwnedGood
from tests.shop.goods_factories import good, owned
from tests.wallet.factories import NOW, freeze_credits, player
from wallet.selectors import funds_of

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

SHOP, CHECKERS, OWNED = "/shop/", "/shop/checkers/", "/shop/owned/"
WALNUT = "/shop/boards/walnut/"


def browser(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def page(user: User | None, path: str = SHOP, **query: str) -> str:
    return browser(user).get(path, query).content.decode()


def buy(user: User, path: str = WALNUT, price: str = "300") -> Any:
    return browser(user).post(f"{path}buy/", {"price": price}, follow=True)


def links(text: str) -> set[str]:
    return set(re.findall(r'href="(/shop/(?:boards|checkers)/[a-z]+/)"', text))


def test_shop_shows_what_is_on_sale_and_what_is_free():
    good()
    good("checkers", "amber")
    assert links(page(None)) >= {WALNUT, "/shop/boards/classic/", "/shop/boards/contrast/"}
    assert links(page(None, CHECKERS)) >= {"/shop/checkers/amber/", "/shop/checkers/contrast/"}
    assert "Anyone can try them here" in page(None)
    Good.objects.update(on_sale_until=NOW)
    assert links(page(None)) == {
        f"/shop/boards/{code}/" for code in ("classic", "night", "sand", "contrast")
    }
    assert "Nothing is on sale at the moment." in page(None)


def test_each_look_is_drawn_with_the_visitors_own_look_of_the_other_kind():
    anna = player("anna5")
    anna.preferences.checkers = "sea"
    anna.preferences.save()
    good()
    assert 'data-board="walnut" data-checkers="sea"' in page(anna)
    assert 'data-board="walnut" data-checkers="classic"' in page(None)


def test_confirmation_states_price_and_balance_afterwards():
    anna = player("anna5", credits=1000)
    good()
    first = page(anna, WALNUT)
    assert "You have 1,000 credits available." in first
    assert "buy/" not in first
    asked = page(anna, WALNUT, confirm="1")
    assert 'data-testid="after">700<' in asked
    assert "Buy for 300 credits" in asked
    assert 'name="price" value="300"' in asked


def test_a_bought_board_is_not_offered_again_and_can_be_worn_from_the_owned_goods():
    anna = player("anna5")
    good()
    text = buy(anna).content.decode()
    assert "It is yours: Walnut and wine-red felt. To play with it, press “Use it” below." in text
    assert WALNUT not in links(page(anna))
    mine = page(anna, OWNED)
    assert "300 credits" in mine
    assert WALNUT in mine
    answer = browser(anna).post(f"{WALNUT}wear/", {"next": OWNED}, follow=True)
    assert answer.redirect_chain == [(OWNED, 302)]
    assert "In use" in answer.content.decode()
    assert preferences_of(anna).board == "walnut"


def test_second_press_says_that_the_board_is_owned_and_charges_nothing():
    anna = player("anna5", credits=1000)
    good()
    buy(anna)
    assert "nothing was charged a second time" in buy(anna).content.decode()
    assert funds_of(anna.pk).available == 700


@pytest.mark.parametrize("price", ["299", "", "-300", "1e3", "9" * 30, "<b>"])
def test_purchase_at_a_wrong_price_is_refused(price: str):
    anna = player("anna5")
    good()
    assert "The price has changed in the meantime" in buy(anna, price=price).content.decode()
    assert not OwnedGood.objects.exists()


def test_page_leads_a_member_short_of_credits_to_the_gifts_and_back():
    poor = player("poor5", credits=120)
    good()
    text = page(poor, WALNUT)
    assert "You are 180 credits short." in text
    assert f"/shop/gifts/?next={WALNUT}" in text
    assert "?confirm=1" not in text
    answer = browser(poor).post(f"{WALNUT}buy/", {"price": "300"})
    assert answer["Refusal"] == "insufficient_funds"


def test_page_says_why_the_good_cannot_be_bought():
    good()
    visited = page(None, WALNUT).partition("<main")[2]  # the header has a link to sign up too
    assert "To buy it you need an account." in visited
    assert f"/account/signup/?next={WALNUT}" in visited
    anna = player("anna5")
    freeze_credits(NOW)
    assert "Purchases are paused while our team checks the books." in page(anna, WALNUT)
    User.objects.filter(pk=anna.pk).update(activated_at=None)
    anna.refresh_from_db()
    assert "Activate your account first" in page(anna, WALNUT)
    assert browser(anna).post(f"{WALNUT}buy/", {"price": "300"})["Refusal"] == "not_member"


def test_looks_of_others_cannot_be_worn_or_seen():
    anna, boris = player("anna5"), player("boris5")
    owned(anna)
    assert "Walnut" not in page(boris, OWNED)
    assert browser(boris).post(f"{WALNUT}wear/").status_code == 404
    assert preferences_of(boris).board == "classic"
    Good.objects.update(on_sale_until=NOW)
    assert browser(boris).get(WALNUT)["Location"] == SHOP
    assert browser(anna).get(WALNUT).status_code == 200


@pytest.mark.parametrize("kind", ["board", "checkers"])
def test_a_good_taken_off_sale_meanwhile_leads_to_the_others_and_says_why(kind: str):
    anna = player("anna5")
    code, goods_list = ("walnut", SHOP) if kind == "board" else ("amber", CHECKERS)
    good(kind, code)
    path = f"{SHOP}{'boards' if kind == 'board' else kind}/{code}/"
    Good.objects.update(on_sale_until=NOW)
    asked, bought = browser(anna).get(path, {"confirm": "1"}, follow=True), buy(anna, path)
    for answer in (asked, bought):
        assert answer.redirect_chain == [(goods_list, 302)]
        assert "This is not on sale at the moment." in answer.content.decode()
    part = browser(anna).get(path, {"confirm": "1"}, headers={"HX-Request": "true"})
    assert (part.status_code, part["HX-Redirect"]) == (204, goods_list)
    assert not OwnedGood.objects.exists()
    assert browser(anna).get(f"{SHOP}boards/unknown/").status_code == 404


def test_a_look_is_tried_with_any_look_of_the_other_kind():
    good()
    good("checkers", "amber")
    text = page(None, WALNUT, **{"with": "amber"})
    assert 'data-board="walnut" data-checkers="amber"' in text
    assert '<option value="amber"' in text
    odd = page(None, WALNUT, **{"with": '"><script>'})
    assert 'data-checkers="classic"' in odd
    assert '"><script>' not in odd


def test_titles_written_by_staff_are_escaped_and_in_the_readers_language():
    good(title_ru="<b>Орех</b>")
    client = Client(headers={"accept-language": "ru"})
    text = client.get(SHOP).content.decode()
    assert "&lt;b&gt;Орех&lt;/b&gt;" in text
    assert "<b>Орех" not in text


def test_page_of_owned_goods_leads_to_the_shop_while_nothing_is_bought():
    text = page(player("anna5"), OWNED)
    assert "You have none yet" in text
    assert f'href="{SHOP}"' in text


def test_shop_needs_few_queries(django_assert_max_num_queries: Any):
    anna = player("anna5")
    for code in ("walnut", "pearl", "kilim"):
        good(code=code)
    owned(anna, "board", "slate")
    client = browser(anna)
    client.get(SHOP)
    with django_assert_max_num_queries(22):
        client.get(SHOP)


def test_profile_offers_a_bought_look():
    anna = player("anna5")
    owned(anna)
    text = page(anna, "/profile/")
    assert 'value="walnut"' in text
    assert 'value="pearl"' not in text


@pytest.mark.parametrize("path", [SHOP, CHECKERS])
def test_the_shop_draws_its_board_once_for_all_looks_and_visitors(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    caches["pages"].clear()
    drawn, draw = [], sample_board.drawing
    monkeypatch.setattr(sample_board, "drawing", lambda: drawn.append(1) or draw())
    pages = [page(None, path) for _ in range(2)]
    assert pages[0].count('<svg class="board is-wide"') > 5
    assert pages[0].count("<svg") == pages[1].count("<svg")
    assert drawn == [1]
