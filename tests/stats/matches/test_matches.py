"""The list of matches: its filters, pages and links."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from stats.keyset import page_of
from stats.models import PlayedMatch
from tests.accounts.factories import UserFactory, sign_in
from tests.stats.played_matches import played

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna():
    return UserFactory(username="anna5", member=True)


def listed(person, **query):
    browser = sign_in(Client(), person)
    return browser.get(reverse("stats:matches", args=[person.public_id]), query)


def test_an_opponent_is_found_by_login_regardless_of_case(anna):
    boris = UserFactory(username="boris", member=True)
    won = played(anna, opponent=boris)
    played(anna, "lost", opponent=UserFactory(member=True))
    answer = listed(anna, opponent="BORIS")
    assert [row.pk for row in answer.context["page"].rows] == [won.pk]
    assert answer.context["total"].won == 1
    assert listed(anna, opponent="nobody7").context["page"].rows == []


def test_an_opponents_login_in_turkish_capitals_is_found(anna):
    won = played(anna, opponent=UserFactory(username="boris", member=True))
    assert [row.pk for row in listed(anna, opponent="BORİS").context["page"].rows] == [won.pk]


def test_browsers_do_not_correct_the_opponents_login(anna):
    attributes = listed(anna).context["form"].fields["opponent"].widget.attrs
    assert attributes["autocapitalize"] == "none"
    assert attributes["spellcheck"] == "false"


def test_a_row_links_to_replay_and_files(anna):
    short, long = played(anna), played(anna, variant="long")
    text = listed(anna).content.decode()
    for row, suffix in ((short, "mat"), (long, "text")):
        public_id = row.match.public_id
        assert reverse("games:review", args=[public_id]) in text
        assert reverse(f"games:export_{suffix}", args=[public_id]) in text
        assert reverse("games:export_json", args=[public_id]) in text


def test_void_matches_of_the_list_are_counted_apart(anna):
    for result in ("won", "void", "void"):
        played(anna, result)
    text = listed(anna).content.decode()
    assert "1 match · won 1, lost 0 · Not counted: 2" in text
    only_void = listed(anna, result="void").content.decode()
    assert "Not counted: 2" in only_void
    assert "lost 0" not in only_void


def test_pages_neither_repeat_nor_skip_matches_that_ended_at_the_same_moment(anna):
    at = timezone.now()
    ids = [played(anna, at=at - timedelta(hours=number // 3)).pk for number in range(11)]
    rows = PlayedMatch.objects.filter(user=anna)
    expected = list(rows.order_by("-finished_at", "-pk").values_list("pk", flat=True))
    seen, query = [], {}
    while True:
        page = page_of(rows, query, 4, "finished_at")
        seen += [row.pk for row in page.rows]
        if page.before is None:
            break
        query = {"before": str(page.before)}
    assert seen == expected
    assert set(seen) == set(ids)
    back = page_of(rows, {"after": str(page.after)}, 4, "finished_at")
    assert [row.pk for row in back.rows] == expected[4:8]
    first = page_of(rows, {"after": str(back.after)}, 4, "finished_at")
    assert [row.pk for row in first.rows] == expected[:4]
    assert first.after is None


@pytest.mark.parametrize("edge", ["0", "-1", "x", "9" * 30, "²"])
def test_an_id_that_is_not_in_the_list_gives_the_first_page(anna, edge):
    row = played(anna)
    other = played(UserFactory(member=True))
    for name in ("before", "after"):
        assert [each.pk for each in listed(anna, **{name: edge}).context["page"].rows] == [row.pk]
    assert [each.pk for each in listed(anna, before=other.pk).context["page"].rows] == [row.pk]


MARKUP = ['"><script>x()</script>', "<img src=x onerror=x()>", "';x()//", "{{7*7}}"]


@pytest.mark.parametrize("text", MARKUP)
def test_markup_in_a_filter_or_a_guests_name_is_escaped(anna, text):
    row = played(anna, category="friendly", against="guest")
    other = row.match.seats.exclude(pk=row.seat_id)
    other.update(bot="", guest=uuid4(), guest_name=text[:15])
    for query in ({}, {"opponent": text}, {"variant": text}, {"before": text}):
        shown = listed(anna, **query).content.decode()
        assert "<script>x" not in shown
        assert "<img src=x" not in shown
        assert ">49<" not in shown
    assert escape(text[:15]) in listed(anna).content.decode()
