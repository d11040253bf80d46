"""The page of a tournament: fee, prize, clock, organizer, closed accounts, points in play."""

import re
from datetime import timedelta

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from accounts.closing import services as closing
from accounts.models import User
from tests.tournaments.factories import TournamentRun, announced, enter, members, plan
from tournaments.models import Tournament
from tournaments.services import announcing, entering
from tournaments.services.timeline import Ruling

pytestmark = pytest.mark.django_db
NOW = timezone.now()


@pytest.fixture(autouse=True)
def _no_kept_parts() -> None:
    """Clear the cached parts: a tournament of another test may have had the same id."""
    caches["large_parts"].clear()


def page_of(tournament: Tournament) -> str:
    address = reverse("tournaments:tournament", args=[tournament.public_id])
    return Client().get(address).content.decode()


def facts_of(page: str) -> dict[str, str]:
    """Return the terms of the page's lists of facts with their values, as plain text."""
    pairs = re.findall(r"<dt>(.*?)</dt>\s*<dd[^>]*>(.*?)</dd>", page, re.DOTALL)
    return {_text(name): _text(value) for name, value in pairs}


def _text(html: str) -> str:
    return " ".join(strip_tags(html).split())


def test_fee_and_prize_are_shown_before_the_entry_and_the_prize_grows() -> None:
    made = announced(NOW, fee_credits=100, house_percent=10)
    facts = facts_of(page_of(made))
    assert (facts["Entry fee"], facts["Prize"]) == ("100", "from the entry fees")
    assert facts["Site fee"] == "10%"
    enter(made, members(3), NOW)
    assert facts_of(page_of(made))["Prize"] == "270 grows with each player"


def test_a_fixed_prize_and_a_free_entry_are_shown() -> None:
    facts = facts_of(page_of(announced(NOW, fee_credits=0, prize_credits=500)))
    assert (facts["Entry fee"], facts["Prize"]) == ("free", "500")
    facts = facts_of(page_of(announced(NOW, fee_credits=0)))
    assert (facts["Entry fee"], facts["Prize"]) == ("free", "none")


def test_the_clock_and_the_length_of_a_match_are_shown() -> None:
    made = announced(NOW, rules={"length": 5, "delay_ms": 12_000})
    facts = facts_of(page_of(made))
    assert (
        facts["Time"] == "12 seconds for each turn, then 5 minutes of reserve for the whole match"
    )
    assert facts["Length"] == "to 5 points"


def test_our_team_is_the_organizer_of_what_it_announces() -> None:
    [boss] = members(1)
    made = announcing.announce(plan(), NOW + timedelta(hours=1), NOW, boss.pk)
    for tournament in (made, announced(NOW)):
        assert facts_of(page_of(tournament))["Organizer"] == "our team"


def test_a_member_is_the_organizer_of_what_they_proposed() -> None:
    [member] = members(1)
    page = page_of(proposed_by(member))
    assert facts_of(page)["Organizer"] == member.username
    assert reverse("people:player", args=[member.public_id]) in page


def proposed_by(member: User) -> Tournament:
    made = announcing.propose(plan(fee_credits=0), NOW + timedelta(hours=3), member, NOW)
    assert announcing.approve(made.pk, Ruling("Welcome", members(1)[0].pk), NOW)
    return made


def left_by(member: User) -> Tournament:
    made = announced(NOW)
    enter(made, [member], NOW)
    assert entering.withdraw(made.public_id, member, NOW)
    return made


@pytest.mark.parametrize(
    ("named_by", "words"),
    [(proposed_by, "%s proposed the tournament."), (left_by, "%s withdrew.")],
)
def test_the_timeline_names_nobody_whose_account_was_closed(named_by, words: str) -> None:
    [member] = members(1)
    made, login = named_by(member), member.username
    assert words % login in page_of(made)
    closing.close(member.pk, NOW)
    page = page_of(made)
    assert words % "Closed account" in page
    assert login not in page


def points_in_bracket(run: TournamentRun) -> list[str]:
    bracket = page_of(run.tournament).split('class="bracket"')[1].split("</section>")[0]
    return re.findall(r'<span class="figures">(\d+)</span>', bracket)


def test_the_bracket_shows_the_points_of_a_match_in_play() -> None:
    run = TournamentRun(2, rules={"length": 3, "cube": False}).start()
    assert points_in_bracket(run) == ["0", "0"]
    match = run.tables()[0].match
    match.snapshot["score"] = [2, 1]  # of White, the first entrant, and Black
    match.save(update_fields=["snapshot"])
    assert points_in_bracket(run) == ["2", "1"]
