"""The statement of credits says why a match was void, on its page and in its file.

The number of queries does not depend on the number of matches.
"""

import csv
from io import StringIO

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.engine.sides import Side
from games.services.deadlines import settle_due
from tests.games.factories import StakeSitting
from tests.wallet.factories import player
from wallet import statement
from wallet.models import Account

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    return player("owner5", 5000)


@pytest.fixture
def client(owner):
    client = Client()
    client.force_login(owner)
    return client


def give_up_before_the_first_roll(owner, login):
    sitting = StakeSitting(owner, player(login)).sit()
    sitting.do("resign_match", side=Side.BLACK)


def miss_the_start(owner, login):
    sitting = StakeSitting(owner, player(login))
    sitting.pass_time(31_000)
    settle_due(sitting.now)


def test_page_and_file_say_why_the_stake_was_returned(client, owner):
    give_up_before_the_first_roll(owner, "boris")
    miss_the_start(owner, "clara")
    page = client.get(reverse("wallet:statement")).content.decode()
    reasons = (
        "boris gave up before the first roll.",
        "A player did not come to the table in time.",
    )
    for reason in reasons:
        assert reason in page
    answer = client.get(reverse("wallet:statement_csv"))
    text = b"".join(answer.streaming_content).decode().lstrip("\ufeff")
    rows = list(csv.DictReader(StringIO(text)))
    assert {row["Reason"] for row in rows} >= set(reasons)
    assert rows[0]["Code"] == rows[0]["Code"].strip() != ""


def test_causes_of_many_void_matches_take_as_many_queries_as_one(owner):
    def queries():
        entries = statement.entries_of(Account.objects.get(user=owner), statement.MovementFilter())
        with CaptureQueriesContext(connection) as caught:
            statement.movements(entries)
        return len(caught)

    give_up_before_the_first_roll(owner, "boris")
    of_one = queries()
    for login in ("clara", "deniz", "elena"):
        give_up_before_the_first_roll(owner, login)
    assert queries() == of_one


def test_list_of_finished_matches_reads_all_causes_of_void_matches_in_one_query(owner):
    from games.models.actor import Actor
    from games.selectors import finished_matches
    from games.templatetags.games import void_reason

    def queries():
        with CaptureQueriesContext(connection) as caught:
            texts = [void_reason(match) for match in finished_matches(Actor(user_id=owner.pk))]
        assert all("gave up before the first roll." in text for text in texts)
        return len(caught)

    give_up_before_the_first_roll(owner, "boris")
    of_one = queries()
    for login in ("clara", "deniz"):
        give_up_before_the_first_roll(owner, login)
    assert queries() == of_one
