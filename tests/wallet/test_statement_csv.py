"""The statement as CSV: all filtered movements, formulas escaped, streamed in chunks."""

import csv
from io import StringIO

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient
from django.urls import reverse
from django.utils import translation

from accounts.shared.transactions import write_transaction
from tests.accounts.factories import member, sign_in, staff
from tests.wallet.statements import START, account_of, give, give_all
from wallet import statement, statement_csv
from wallet.services import corrections

pytestmark = pytest.mark.django_db

FILE = reverse("wallet:statement_csv")


@pytest.fixture(autouse=True)
def _no_welcome(settings):
    settings.WELCOME_CREDITS = 0


@pytest.fixture
def owner():
    return member("owner")


@pytest.fixture
def answer(client, owner):
    sign_in(client, owner)
    return lambda query="": client.get(FILE + query)


def table(answer):
    """Return the rows of the file, its header first."""
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    return list(csv.reader(StringIO(text)))


def test_the_file_has_a_header_and_every_movement_newest_first(owner, answer):
    give_all(owner, [1000, -100])
    assert table(answer()) == [
        ["Time", "Cause", "Code", "Reason", "Credits", "Balance"],
        ["2026-03-02T12:00:00+00:00", "Welcome credits", "welcome", "", "-100", "900"],
        ["2026-03-01T12:00:00+00:00", "Welcome credits", "welcome", "", "1000", "1000"],
    ]


def test_the_file_begins_with_the_byte_order_mark(owner, answer):
    assert b"".join(answer().streaming_content).startswith(b"\xef\xbb\xbf")


def test_the_file_is_an_attachment_and_not_cached(answer):
    found = answer()
    assert found["Content-Type"] == "text/csv; charset=utf-8"
    assert found["Content-Disposition"].startswith('attachment; filename="5stars-credits-')
    assert "no-store" in found["Cache-Control"]


def test_the_file_is_filtered_as_the_page_is(owner, answer):
    give_all(owner, [1000, -100, 190])
    assert [row[4:] for row in table(answer("?direction=out"))[1:]] == [["-100", "900"]]


def test_an_invalid_filter_redirects_to_the_page(answer):
    found = answer("?since=yesterday")
    assert found.status_code == 302
    assert found.url == reverse("wallet:statement") + "?since=yesterday"


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_formulas_in_reasons_are_escaped(owner, start):
    with write_transaction():
        account_id = account_of(owner).pk
        reason = f"{start}HYPERLINK('https://evil.example')"
        corrections.correct("k", account_id, 5, reason, staff("staff5").pk, START)
    chunks = statement.every_movement(account_of(owner), statement.MovementFilter())
    rows = list(csv.reader(StringIO("".join(statement_csv.csv_chunks(chunks, "en")), newline="")))
    assert rows[1][3] == "'" + reason


def test_formula_signs_inside_a_text_are_kept(owner, answer):
    with write_transaction():
        corrections.correct("k", account_of(owner).pk, 5, "1 + 1 = 2", staff("staff5").pk, START)
    assert table(answer())[1][3] == "1 + 1 = 2"


def test_the_file_is_in_the_members_language(owner):
    give(owner, 5)
    chunks = statement_csv.csv_chunks(
        statement.every_movement(account_of(owner), statement.MovementFilter()), "ru"
    )
    with translation.override("ru"):
        words = [translation.pgettext("statement", "Time"), translation.gettext("Welcome credits")]
    text = "".join(chunks)
    assert ",welcome," in text  # the code is the same in all languages
    assert all(word in text for word in words)
    assert translation.get_language() == "en"


def test_chunks_neither_skip_nor_repeat_movements(owner, answer, monkeypatch):
    monkeypatch.setattr(statement, "CHUNK", 7)
    give_all(owner, [1] * 20)
    assert [row[5] for row in table(answer())[1:]] == [str(20 - n) for n in range(20)]


def test_each_chunk_needs_two_queries(owner, monkeypatch, django_assert_num_queries):
    monkeypatch.setattr(statement, "CHUNK", 10)
    give_all(owner, [1] * 25)
    account = account_of(owner)
    with django_assert_num_queries(2 + 2 + 2 + 1):  # the last chunk is empty
        assert sum(map(len, statement.every_movement(account, statement.MovementFilter()))) == 25


def test_transfers_posted_during_the_download_do_not_shift_rows(owner, monkeypatch):
    monkeypatch.setattr(statement, "CHUNK", 2)
    give_all(owner, [1, 2, 3, 4])
    chunks = statement.every_movement(account_of(owner), statement.MovementFilter())
    first = next(chunks)
    give(owner, 100)
    read = [movement.balance for chunk in [first, *chunks] for movement in chunk]
    assert read == [10, 6, 3, 1]


def test_a_member_without_movements_gets_the_header_alone(answer):
    assert len(table(answer())) == 1


def test_the_file_has_no_movements_of_others(owner, answer):
    give(member("other"), 777)
    assert len(table(answer())) == 1


def test_a_visitor_is_redirected_to_sign_in(client):
    assert client.get(FILE).url.startswith(reverse("account_login"))


@pytest.mark.django_db(transaction=True)
def test_the_file_is_streamed_under_asgi(owner, monkeypatch):
    """Require an asynchronous iterator: Django would collect a plain one in memory."""
    monkeypatch.setattr(statement, "CHUNK", 2)
    give_all(owner, [1, 2, 3])
    client = AsyncClient()
    sign_in(client, owner)

    async def pieces():
        answer = await client.get(FILE)
        assert answer.is_async
        return [piece async for piece in answer.streaming_content]

    found = async_to_sync(pieces)()
    assert len(found) == 3  # the header and two chunks
    assert b"".join(found).decode("utf-8-sig").count("\r\n") == 4


@pytest.mark.parametrize("method", ["get", "head"])
def test_downloads_of_the_file_are_limited(client, owner, settings, method):
    """A file of twenty thousand movements takes three seconds of CPU time."""
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"export_statement": "1/h/user"}
    browser = sign_in(client, owner)
    assert browser.get(FILE).status_code == 200
    refused = getattr(browser, method)(FILE)
    assert (refused.status_code, refused["Refusal"]) == (429, "too_fast")
