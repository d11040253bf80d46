"""Boards and checkers: bought once, at the price that was agreed, and refunded by staff only."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connections
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from accounts.models import User
from accounts.models.looks import FREE_LOOKS
from accounts.profile import looks, services, table_choices
from accounts.selectors import preferences_of
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from shop import personal_data
from shop.goods import buying, refunds, selectors, wearing
from shop.models import Good, OwnedGood
from shop.services.counting import count
from tests.accounts.factories import member, sign_in, staff
from tests.shop.goods_factories import good, owned
from tests.support.lengths import length
from tests.support.patience import new_barrier
from tests.wallet.factories import NOW, freeze_credits, player
from wallet import reconciliation
from wallet.errors import Vetoed
from wallet.models import Transfer
from wallet.money import House
from wallet.selectors import funds_of
from wallet.services import accounts, corrections, transfers

PRESSES = 50  # number of presses in one test; a multiple of THREADS
THREADS = length(10, 50)  # number of presses at the same moment
DAY = timedelta(days=1)
pytestmark = pytest.mark.django_db


def credits_of(user: User) -> int:
    return funds_of(user.pk).available


def refused(user: User, wanted: Good, agreed: int = 300) -> Refused:
    before = credits_of(user), OwnedGood.objects.count(), Transfer.objects.count()
    with pytest.raises(Refused) as refusal:
        buying.buy(user, wanted, agreed, NOW)
    assert before == (credits_of(user), OwnedGood.objects.count(), Transfer.objects.count())
    return refusal.value


# --- Buying --------------------------------------------------------------------------------------


def test_the_price_goes_to_the_house_and_the_good_to_the_member():
    anna = player("anna5", credits=1000)
    row = owned(anna)
    assert credits_of(anna) == 700
    assert (row.price_credits, row.bought_at, row.good.code) == (300, NOW, "walnut")
    with write_transaction():
        house = accounts.house(House.GOODS)
    amounts = dict(row.transfer.entries.values_list("account_id", "amount_credits"))
    assert amounts == {anna.account.pk: -300, house.pk: 300}


def test_each_good_is_bought_once():
    anna = player("anna5")
    owned(anna)
    assert refused(anna, good()).code == "good_owned"
    owned(anna, "checkers", "amber", 200)
    owned(player("boris5"))
    assert OwnedGood.objects.count() == 3


def test_database_refuses_a_second_purchase_of_a_good():
    row = owned(player("anna5"))
    other = owned(player("boris5"), "checkers", "amber")
    with pytest.raises(IntegrityError), write_transaction():
        OwnedGood.objects.filter(pk=other.pk).update(user=row.user, good=row.good)


def test_member_short_of_credits_is_refused_with_the_shortfall():
    refusal = refused(player("poor5", credits=120), good())
    assert (refusal.code, refusal.details) == ("insufficient_funds", {"shortfall": 180})


def test_a_price_that_changed_meanwhile_is_not_charged():
    refusal = refused(player("anna5"), good(price=301), agreed=300)
    assert (refusal.code, refusal.details) == ("price_changed", {"price": 301})


def test_nothing_is_bought_before_activation_or_while_credits_are_frozen():
    anna = player("anna5")
    User.objects.filter(pk=anna.pk).update(activated_at=None)
    anna.refresh_from_db()
    assert refused(anna, good()).code == "not_member"
    boris = player("boris5")
    freeze_credits(NOW)
    assert refused(boris, good()).code == "credits_frozen"


@pytest.mark.parametrize(
    ("fields", "is_sold"),
    [
        ({"on_sale_from": NOW + DAY}, False),
        ({"on_sale_until": NOW}, False),
        ({"on_sale_from": NOW, "on_sale_until": NOW + DAY}, True),
    ],
)
def test_goods_are_sold_during_their_period_of_sale_only(fields: dict[str, Any], is_sold: bool):
    anna, wanted = player("anna5"), good(**fields)
    assert (wanted in [look.good for look in selectors.on_sale("board", anna.pk, NOW)]) == is_sold
    if is_sold:
        assert buying.buy(anna, wanted, 300, NOW)
    else:
        assert refused(anna, wanted).code == "not_on_sale"
        assert selectors.find_look("board", "walnut", anna.pk, NOW) is None


def test_a_bought_good_is_no_longer_offered_and_is_kept_after_the_sale_ends():
    anna, wanted = player("anna5"), good()
    assert wanted in [look.good for look in selectors.on_sale("board", anna.pk, NOW)]
    owned(anna)
    assert wanted not in [look.good for look in selectors.on_sale("board", anna.pk, NOW)]
    Good.objects.update(on_sale_until=NOW)
    found = selectors.find_look("board", "walnut", anna.pk, NOW)
    assert found is not None
    assert found.is_wearable
    assert looks.wearable(anna.pk)["board"]["walnut"] == wanted.title


def test_purchase_is_on_the_statement_of_purchases_and_in_the_data_export(client: Client):
    anna = player("anna5")
    owned(anna)
    text = sign_in(client, anna).get("/credits/?cause=purchases").content.decode()
    assert "Walnut and wine-red felt" in text
    assert "/shop/boards/walnut/" in text
    (exported,) = personal_data.of(anna.pk)["goods"]
    assert (exported["good__code"], exported["price_credits"]) == ("walnut", 300)


def test_totals_distinguish_goods_from_bought_credits():
    anna = player("anna5", credits=1000)
    owned(anna)
    found = count(NOW)
    assert (found.goods, found.bought, found.members) == (300, 0, 700)
    assert found.is_balanced


def test_title_written_by_staff_takes_precedence_over_the_catalogs():
    wanted = good(title_ru="Орех")
    assert wanted.title == "Walnut and wine-red felt"
    with override("ru"):
        assert wanted.title == "Орех"


@pytest.mark.parametrize(
    ("kind", "code"), [("board", "classic"), ("checkers", "contrast"), ("board", "plastic")]
)
def test_staff_cannot_sell_a_look_that_is_free_or_that_no_style_draws(kind: str, code: str):
    with pytest.raises(ValidationError):
        Good(kind=kind, code=code, price_credits=1).full_clean()


@pytest.mark.parametrize("lasts", [-DAY, timedelta()])
def test_sale_that_ends_before_it_begins_is_refused_with_a_reason(lasts: timedelta):
    wanted = good(on_sale_from=NOW, on_sale_until=NOW + DAY)
    wanted.full_clean()
    wanted.on_sale_until = NOW + lasts
    with pytest.raises(ValidationError) as refusal:
        wanted.full_clean()
    assert refusal.value.message_dict["on_sale_until"] == ["The sale has to end after it begins."]


def test_sale_that_ends_in_the_last_year_of_the_calendar_is_refused(client: Client):
    wanted, boss = good(), staff("boss5")
    data = {
        "price_credits": "300", "order": "0",
        "on_sale_until_0": "9999-12-31", "on_sale_until_1": "23:59",
    }  # fmt: skip
    address = reverse("admin:shop_good_change", args=[wanted.pk])
    answer = sign_in(client, boss).post(address, data)
    assert "Enter a valid date/time." in answer.content.decode()
    wanted.refresh_from_db()
    assert wanted.on_sale_until is None


def test_each_kind_has_four_free_looks_including_a_high_contrast_one():
    for kind in ("board", "checkers"):
        assert len(FREE_LOOKS[kind]) == 4
        assert "contrast" in FREE_LOOKS[kind]
        assert set(looks.wearable(None)[kind]) == set(FREE_LOOKS[kind])


# --- Wearing -------------------------------------------------------------------------------------


def test_only_free_and_owned_looks_can_be_worn():
    anna = player("anna5")
    good()
    with pytest.raises(Refused, match="not_owned"):
        wearing.wear(anna, "board", "walnut")
    with pytest.raises(table_choices.UnknownChoice):
        table_choices.change(anna.pk, {"board": "walnut", "numbers": False})
    assert preferences_of(anna).numbers
    wearing.wear(anna, "board", "night")
    owned(anna)
    wearing.wear(anna, "board", "walnut")
    assert preferences_of(anna).board == "walnut"
    with pytest.raises(Refused, match="not_owned"):
        wearing.wear(player("boris5"), "board", "walnut")


def test_profile_page_offers_and_saves_only_free_and_owned_looks(client: Client):
    anna = player("anna5")
    sign_in(client, anna)
    page = client.get(reverse("people:profile")).content.decode()
    assert 'name="board" value="sand"' in page
    assert 'name="board" value="walnut"' not in page
    owned(anna)
    assert 'name="board" value="walnut"' in client.get(reverse("people:profile")).content.decode()
    services.save(anna.pk, {}, {"board": "pearl", "checkers": "sea"}, keeps_picture=True)
    worn = preferences_of(anna)
    assert (worn.board, worn.checkers) == ("classic", "sea")


# --- Refunds -------------------------------------------------------------------------------------


def test_refund_returns_the_price_and_takes_the_good_and_the_look():
    anna, boss = player("anna5"), member("boss5")
    row = owned(anna)
    wearing.wear(anna, "board", "walnut")
    assert refunds.refund(row, "Broken colors.", boss.pk, NOW)
    assert credits_of(anna) == 1000
    assert preferences_of(anna).board == "classic"
    assert selectors.owned_by(anna.pk) == []
    assert not refunds.refund(row, "Again.", boss.pk, NOW)
    assert credits_of(anna) == 1000
    assert owned(anna).price_credits == 300  # a new purchase, paid a second time
    assert credits_of(anna) == 700
    assert not reconciliation.reconcile().differences


def test_refund_of_a_look_that_is_not_worn_keeps_the_worn_one():
    anna = player("anna5")
    row = owned(anna)
    wearing.wear(anna, "board", "night")
    refunds.refund(row, "Wish of the member.", member("boss5").pk, NOW)
    assert preferences_of(anna).board == "night"


def test_staff_cannot_reverse_the_transfer_of_a_purchase_or_of_its_refund():
    anna, boss = player("anna5"), member("boss5")
    row = owned(anna)
    with pytest.raises(Vetoed, match="Refund it under"), write_transaction():
        corrections.reverse(row.transfer_id, "Wrong.", boss.pk, NOW)
    refunds.refund(row, "Broken.", boss.pk, NOW)
    undone = Transfer.objects.get(reverses_id=row.transfer_id)
    with pytest.raises(Vetoed, match="Refund it under"), write_transaction():
        corrections.reverse(undone.pk, "Undo.", boss.pk, NOW)


def staff_who_may_refund(login: str) -> User:
    boss = member(login)
    boss.is_staff = True
    boss.save()
    names = ("view_ownedgood", "correct")
    boss.user_permissions.set(Permission.objects.filter(codename__in=names))
    return boss


def press_refund(client: Client, row: OwnedGood, reason: str = "Broken.") -> str:
    data = {
        "action": "refund",
        "_selected_action": [row.pk],
        "confirmed": "1",
        "reason": reason,
    }
    return client.post("/admin/shop/ownedgood/", data, follow=True).content.decode()


def test_staff_refund_in_the_admin_with_a_reason_in_the_log(client: Client):
    anna, boss = player("anna5"), staff_who_may_refund("boss5")
    row, own = owned(anna), bought_by_staff(boss)
    sign_in(client, boss)
    assert "Choose a ready reason, or write your own" in press_refund(client, row, reason="")
    press_refund(client, row)
    assert credits_of(anna) == 1000
    assert LogEntry.objects.filter(change_message="Refunded: Broken.").exists()
    assert Transfer.objects.get(reverses_id=row.transfer_id).reason == "Broken."
    assert "you are involved yourself" in press_refund(client, own)
    own.refresh_from_db()
    assert own.refunded_at is None


def bought_by_staff(boss: User) -> OwnedGood:
    """Give the member of staff the price of a board, and buy it for them."""
    with write_transaction():
        gifts, account = accounts.house(House.GIFTS), accounts.of_user(boss.pk)
        cause = transfers.Cause("trial")
        transfers.post("for-staff", cause, {gifts.pk: -300, account.pk: 300}, NOW)
    return owned(boss)


def test_staff_without_the_permission_cannot_refund(client: Client):
    anna, boss = player("anna5"), staff_who_may_refund("boss5")
    boss.user_permissions.set(Permission.objects.filter(codename="view_ownedgood"))
    row = owned(anna)
    sign_in(client, boss)
    press_refund(client, row)
    assert credits_of(anna) == 700


# --- At the same moment --------------------------------------------------------------------------


def at_once(acts: list[Callable[[], Any]]) -> Counter[str]:
    """Call the functions, THREADS at a time; count the answers."""
    barrier = new_barrier(THREADS)

    def run(act: Callable[[], Any]) -> str:
        try:
            barrier.wait()
            act()
            return "done"
        except (Refused, table_choices.UnknownChoice) as refusal:
            return getattr(refusal, "code", "unknown")
        finally:
            connections.close_all()

    with ThreadPoolExecutor(THREADS) as pool:
        return Counter(pool.map(run, acts))


@pytest.mark.django_db(transaction=True)
def test_many_purchases_at_once_have_one_effect():
    anna, wanted = player("anna5"), good()
    answers = at_once([lambda: buying.buy(anna, wanted, 300, NOW)] * PRESSES)
    assert answers == {"done": 1, "good_owned": PRESSES - 1}
    assert credits_of(anna) == 700
    assert OwnedGood.objects.count() == 1
    assert not reconciliation.reconcile().differences


@pytest.mark.django_db(transaction=True)
def test_different_goods_at_once_never_cost_more_than_the_balance():
    anna = player("anna5", credits=1000)
    wanted = [good(code=code) for code in ("birch", "leather", "slate", "walnut", "kilim")]
    acts = [lambda each=each: buying.buy(anna, each, 300, NOW) for each in wanted]
    answers = at_once(acts * (PRESSES // len(acts)))
    assert answers["done"] == 3
    assert set(answers) == {"done", "good_owned", "insufficient_funds"}
    assert credits_of(anna) == 100
    assert not reconciliation.reconcile().differences


@pytest.mark.django_db(transaction=True)
def test_a_refund_while_the_board_is_chosen_leaves_the_free_board_worn():
    anna, boss = player("anna5"), member("boss5")
    row = owned(anna)

    def change() -> None:
        table_choices.change(anna.pk, {"board": "walnut"})

    def undo() -> None:
        refunds.refund(row, "Broken.", boss.pk, NOW)

    answers = at_once([change] * 20 + [undo] * 5 + [change] * 25)
    assert answers["done"] + answers["unknown"] == PRESSES
    assert preferences_of(anna).board == "classic"
    assert credits_of(anna) == 1000
    assert not reconciliation.reconcile().differences
