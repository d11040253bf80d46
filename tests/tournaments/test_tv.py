"""The TV page of a tournament shows a table of the round and goes on to the next table."""

import re

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from games.engine.sides import Side
from games.models import Match
from tests.tournaments.factories import Table, TournamentRun, announced
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def shown(client: Client, tournament: Tournament, seen: str = "") -> str | None:
    """Return the public id of the table that the page shows, or None."""
    caches["pages"].clear()
    address = reverse("tournaments:tv_table", args=[tournament.public_id])
    found = re.search(r"\?seen=(\w+)", client.get(address, {"seen": seen}).content.decode())
    return found and found[1]


@pytest.fixture
def run() -> TournamentRun:
    return TournamentRun(4, rules={"length": 5}).start()


@pytest.fixture(autouse=True)
def tables(run: TournamentRun) -> list[Table]:
    """Return the tables of the first round, each with a game in play."""
    found = run.tables()
    for table in found:
        table.sit().start_game()
    return found


def test_the_table_nearest_to_its_end_is_shown(client: Client, run: TournamentRun) -> None:
    other = run.tables()[1].match
    other.snapshot["score"] = [0, 4]
    other.save(update_fields=["snapshot"])
    assert shown(client, run.tournament) == other.public_id


def test_a_table_is_shown_until_it_is_over_and_the_next_follows(
    client: Client, run: TournamentRun, tables: list[Table]
) -> None:
    first, second = tables
    seen = second.match.public_id
    assert shown(client, run.tournament) == first.match.public_id
    assert shown(client, run.tournament, seen) == seen
    second.both_move().do("resign_match", side=second.side)
    assert shown(client, run.tournament, seen) == first.match.public_id


@pytest.mark.parametrize("hidden", [{"is_public": False}, {"is_delayed": True}], ids=str)
def test_a_match_that_spectators_may_not_see_live_is_not_shown(
    client: Client, run: TournamentRun, hidden: dict[str, bool]
) -> None:
    first, second = (table.match for table in run.tables())
    Match.objects.filter(pk=first.pk).update(**hidden)
    assert shown(client, run.tournament, first.public_id) == second.public_id


def test_page_says_that_the_tournament_is_not_in_progress(client: Client) -> None:
    made = announced()
    address = reverse("tournaments:tv", args=[made.public_id])
    assert "This tournament is not in progress." in client.get(address).content.decode()
    Tournament.objects.filter(pk=made.pk).update(state="PROPOSED")
    assert client.get(address).status_code == 404


def page_of(client: Client, run: TournamentRun, **query: str) -> str:
    address = reverse("tournaments:tv", args=[run.tournament.public_id])
    return client.get(address, query).content.decode()


def test_a_visitor_watches_the_live_table_which_leads_to_the_next(
    client: Client, run: TournamentRun
) -> None:
    text = page_of(client, run)
    [best, _] = run.tables()
    assert f'"ws": "/ws/match/{best.match.public_id}/"' in text
    assert '"side": null' in text
    address = reverse("tournaments:tv", args=[run.tournament.public_id])
    assert f'data-next="{address}"' in text
    assert f'content="0; url={address}?still=1"' in text  # without scripts


def test_a_player_of_the_table_gets_a_drawn_board_and_keeps_their_seat(run: TournamentRun) -> None:
    player, [best, _] = Client(), run.tables()
    player.force_login(best.users[Side.WHITE])
    text = page_of(player, run)
    assert "match-boot" not in text
    assert "Live now" in text


def test_the_page_without_scripts_has_a_drawn_board_and_is_loaded_again(
    client: Client, run: TournamentRun
) -> None:
    address = reverse("tournaments:tv", args=[run.tournament.public_id])
    answer = client.get(address, {"still": "1"})
    assert answer["Refresh"] == "15"
    text = answer.content.decode()
    assert "match-boot" not in text
    assert "Live now" in text


def test_a_waiting_page_is_reloaded_when_a_table_is_open(
    client: Client, run: TournamentRun
) -> None:
    address = reverse("tournaments:tv_table", args=[run.tournament.public_id])
    assert client.get(address)["HX-Refresh"] == "true"
    seen = run.tables()[0].match.public_id
    assert "HX-Refresh" not in client.get(address, {"seen": seen})
    waiting = reverse("tournaments:tv_table", args=[announced().public_id])
    assert "HX-Refresh" not in client.get(waiting)


def test_the_page_and_the_tournament_link_to_each_other(client: Client, run: TournamentRun) -> None:
    own, tv = (
        reverse(f"tournaments:{name}", args=[run.tournament.public_id])
        for name in ("tournament", "tv")
    )
    assert f'href="{tv}"' in client.get(own).content.decode()
    for query in ({}, {"still": "1"}):
        assert f'href="{own}"' in page_of(client, run, **query)
