"""The statement: funds, every movement, the balance after each, filters and pages."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.shared.transactions import write_transaction
from tests.accounts.factories import UserFactory, member, sign_in, staff
from tests.wallet.statements import START, account_of, give, give_all, reserve
from wallet import causes, statement
from wallet.models import Account, Entry, Transfer
from wallet.services import corrections, holds
from wallet.statement import MovementFilter

pytestmark = pytest.mark.django_db

PAGE = reverse("wallet:statement")


@pytest.fixture(autouse=True)
def _no_welcome(settings):
    settings.WELCOME_CREDITS = 0


@pytest.fixture
def owner():
    return member("owner")


@pytest.fixture
def show(client, owner):
    """Return a function that reads the owner's statement for a query, as text."""
    sign_in(client, owner)

    def read(query="", status=200, **headers):
        answer = client.get(PAGE + query, headers=headers)
        assert answer.status_code == status
        return answer.content.decode()

    return read


def rows(text):
    """Return the lines of the table as shown: (amount, balance)."""
    return re.findall(r'class="number amount">([^<]+)</td>\s*<td class="number">([^<]+)<', text)


def movements(user, wanted=MovementFilter()):  # noqa: B008
    found = statement.movements(statement.entries_of(account_of(user), wanted))
    return [(movement.credits, movement.balance) for movement in found]


def test_movements_come_newest_first_with_the_balance_after_each(owner, show):
    give_all(owner, [1000, -100, 190])
    assert rows(show()) == [("+190", "1,090"), ("−100", "900"), ("+1,000", "1,000")]


def test_the_newest_balance_is_that_of_the_account(owner):
    give_all(owner, [1000, -1, 17, -300])
    assert movements(owner)[0][1] == Account.objects.get(user=owner).balance_credits


def test_available_and_reserved_are_shown_separately(owner, show):
    give(owner, 1000)
    reserve(owner, 150)
    text = show()
    assert re.search(r'purse-available">.*?850\s*</dd>', text, re.DOTALL)
    assert "Reserved now" in text
    assert re.search(r'<span class="figures">150</span>', text)


def test_no_part_of_the_page_has_the_id_of_another(owner, show):
    """Each part of an update of the header replaces every element with the same id."""
    give(owner, 1000)
    text = show()
    for name in ("funds", "purse", "movements-title", "movements-caption"):
        assert text.count(f' id="{name}"') == 1
    assert 'hx-select="#purse"' in text


def test_a_released_hold_is_no_longer_listed(owner, show):
    give(owner, 1000)
    hold = reserve(owner, 150)
    with write_transaction():
        holds.release(hold.pk, START)
    assert "Reserved now" not in show()


def test_a_movement_links_to_its_cause(owner, show, monkeypatch):
    monkeypatch.setattr(causes, "_registered", dict(causes._registered))
    causes.register("party", "A party", causes.GIFTS, lambda reference: f"/parties/{reference}/")
    give(owner, 5, "party", reference="x7")
    assert re.search(r'<a class="cause"[^>]+href="/parties/x7/">A party</a>', show())


def test_times_have_a_machine_readable_attribute(owner, show):
    give(owner, 5)
    text = show()
    assert 'datetime="2026-03-01T12:00:00Z"' in text
    assert ">1 Mar 2026, 12:00 (UTC)</time>" in text


def test_a_correction_shows_its_reason(owner, show):
    with write_transaction():
        corrections.correct(
            "k", account_of(owner).pk, 30, "Paid <late>.", staff("staff5").pk, START
        )
    text = show()
    assert "Correction by our team" in text
    assert "Paid &lt;late&gt;." in text


def test_a_reversed_movement_is_marked(owner, show):
    given = give(owner, 50)
    with write_transaction():
        corrections.reverse(given.pk, "A mistake.", staff("staff5").pk, START + timedelta(days=3))
    text = show()
    assert "Reversed: Welcome credits" in text
    assert re.search("Reversed on <time [^>]+>4 Mar 2026</time>", text)


def test_an_empty_statement_shows_a_hint(show):
    text = show()
    assert "Nothing yet. Every credit" in text
    assert "Download as CSV" not in text


def test_reading_the_statement_opens_no_account(client):
    newcomer = UserFactory(member=True)  # without an account in the ledger
    assert sign_in(client, newcomer).get(PAGE).status_code == 200
    assert not Account.objects.filter(user=newcomer).exists()


# --- Filters ---------------------------------------------------------------------------------


def test_a_filter_does_not_change_the_running_balance(owner, show):
    give_all(owner, [1000, -100, 190, -50])
    assert rows(show("?direction=out")) == [("−50", "1,040"), ("−100", "900")]


def test_movements_are_filtered_by_a_group_of_causes(owner, show):
    give(owner, 1000)
    with write_transaction():
        corrections.correct("k", account_of(owner).pk, 30, "Paid late.", staff("staff5").pk, START)
    assert rows(show("?cause=corrections")) == [("+30", "1,030")]
    assert rows(show("?cause=gifts")) == [("+1,000", "1,000")]


def test_unregistered_causes_are_in_the_group_other(owner, show):
    give(owner, 1000)
    give(owner, 7, "lottery")
    assert rows(show("?cause=other")) == [("+7", "1,007")]


def test_both_days_of_a_range_are_included(owner, show):
    give_all(owner, [1, 2, 3, 4, 5])  # one each day from the 1st of March
    assert [row[0] for row in rows(show("?since=2026-03-02&until=2026-03-04"))] == [
        "+4",
        "+3",
        "+2",
    ]


def test_a_filter_without_matches_shows_a_hint(owner, show):
    give(owner, 1000)
    text = show("?direction=out")
    assert "No transactions match" in text
    assert f'href="{PAGE}"' in text


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ("?since=2026-03-05&until=2026-03-04", "This day is earlier than the start day."),
        ("?since=yesterday", "Enter a valid date."),
        ("?cause=bribes", "Select a valid choice."),
    ],
)
def test_an_invalid_filter_shows_an_error_at_its_field(show, query, error):
    assert error in show(query, status=422)


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo", "America/New_York"])
def test_the_first_and_last_day_of_the_calendar_are_accepted(client, owner, show, zone):
    client.cookies["zone"] = zone
    give(owner, 1000)
    assert rows(show("?since=0001-01-01&until=9999-12-31")) == [("+1,000", "1,000")]


@pytest.mark.parametrize("target", ["movements", "statement-movements"])  # a nudge, the filter
def test_htmx_gets_the_list_alone_with_its_length(owner, show, target):
    give_all(owner, [1000, -100])
    text = show("?direction=in", **PARTIAL | {"HX-Target": target})
    assert text.lstrip().startswith('<div id="movements"')
    assert re.search(r'hx-swap-oob="innerHTML:#movement-count">1 transaction\s*<', text)


def test_htmx_shows_an_error_where_the_list_was(show):
    text = show("?since=x", **PARTIAL)
    list_of_errors, said = text.split('hx-swap-oob="innerHTML:#movement-count">')
    assert "From: Enter a valid date." in list_of_errors
    assert said.startswith("From: Enter a valid date.")  # instead of "0 transactions"


# --- Pages -----------------------------------------------------------------------------------


def test_pages_have_fifty_movements_and_continue_the_balance(owner, show):
    give_all(owner, [1] * 120)
    first, second, last = (rows(show(f"?page={number}")) for number in (1, 2, 3))
    assert [len(found) for found in (first, second, last)] == [50, 50, 20]
    assert (first[-1], second[0], last[-1]) == (("+1", "71"), ("+1", "70"), ("+1", "1"))


def test_the_links_of_pages_keep_the_filter(owner, show):
    give_all(owner, [1] * 60)
    assert 'href="?direction=in&amp;page=2"' in show("?direction=in")


@pytest.mark.parametrize("number", ["0", "-1", "999", "x", "1" * 300])
def test_an_unknown_page_shows_the_nearest_one(owner, show, number):
    give_all(owner, [5])
    assert rows(show(f"?page={number}")) == [("+5", "5")]


# --- Access and queries ----------------------------------------------------------------------


def test_a_visitor_is_redirected_to_sign_in(client):
    answer = client.get(PAGE)
    assert answer.status_code == 302
    assert answer.url.startswith(reverse("account_login"))


def test_movements_of_others_are_not_shown(owner, show):
    give(member("other"), 777)
    give(owner, 5)
    text = show()
    assert rows(text) == [("+5", "5")]
    assert "777" not in text


def test_the_page_is_read_only_and_not_cached(client, owner):
    sign_in(client, owner)
    assert "no-store" in client.get(PAGE)["Cache-Control"]
    assert client.post(PAGE).status_code == 405


PARTIAL = {"HX-Request": "true", "HX-Target": "movements"}


def wallet_queries(show, **headers):
    with CaptureQueriesContext(connection) as captured:
        show(**headers)
    return sum('"wallet_' in query["sql"] for query in captured.captured_queries)


def test_a_full_page_needs_no_query_per_row(owner, show):
    boss = staff("staff5")
    give(owner, 1000)
    reserve(owner, 10)
    few = wallet_queries(show)
    give_all(owner, [1] * 70)
    for _ in range(5):
        reserve(owner, 10)
    with write_transaction():
        for given in Transfer.objects.filter(entries__amount_credits=1)[:5]:
            corrections.reverse(given.pk, "A mistake.", boss.pk, START)
    assert wallet_queries(show) == few
    # The part for htmx has no header: it reads account, count, movements and balances.
    assert wallet_queries(show, **PARTIAL) == 4


def test_movements_need_two_queries(owner, django_assert_num_queries):
    give_all(owner, [1] * 30)
    account = account_of(owner)
    with django_assert_num_queries(2):
        found = statement.movements(statement.entries_of(account, MovementFilter()))
    assert len(found) == 30


def many_entries(account, count):
    """Insert many movements at once; the services would take minutes."""
    house = Account.objects.get(kind=Account.Kind.HOUSE)
    made = Transfer.objects.bulk_create(
        (Transfer(key=f"many:{n}", cause="welcome", created_at=START) for n in range(count)),
        batch_size=1000,
    )
    entries = (
        (
            Entry(transfer=transfer, account=house, amount_credits=-1),
            Entry(transfer=transfer, account=account, amount_credits=1),
        )
        for transfer in made
    )
    # In batches, because each statement has a time limit.
    Entry.objects.bulk_create([entry for pair in entries for entry in pair], batch_size=1000)
    Account.objects.filter(pk=account.pk).update(balance_credits=count + 1, given_credits=count + 1)


def test_a_page_of_ten_thousand_movements_uses_the_index(owner):
    give(owner, 1)
    account = account_of(owner)
    many_entries(account, 10_000)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE wallet_entry, wallet_transfer")
    entries = statement.entries_of(account, MovementFilter())
    plan = entries.select_related("transfer")[:50].explain()
    # The query reads from the newest until it has fifty: no sort, no table scan.
    assert re.search("(Index Scan|USING INDEX)", plan)
    assert not re.search("(Sort|Seq Scan|TEMP B-TREE)", plan)
    found = statement.movements(entries[:50])
    assert found[0].balance == 10_001
    assert found[-1].balance == 9_952
