"""The end of a round: tables in play, the expected end, and the latest end by the clocks."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.times.texts import iso_of
from games.engine.rules import Rules, Variant
from games.engine.sides import Side
from games.rulebook.summary import likely_minutes
from games.services.next_deadline import NEXT_GAME_AFTER
from tests.games.factories import DELAY_MS
from tests.tournaments.factories import WINDOW, TournamentRun, settle
from tournaments.pages.open_tables import (
    OpenTable,
    RoundEnd,
    open_tables,
    round_end,
    turns_of_lengthy_games,
)

pytestmark = pytest.mark.django_db
TURN = timedelta(milliseconds=DELAY_MS)
NOW = timezone.now()
# A table that is not open yet: nothing is known of it but its two entrants.
NOT_OPEN = OpenTable(1, 2, *[None] * 10)


def long_games(games: int) -> timedelta:
    return turns_of_lengthy_games(games, Variant.SHORT) * TURN


def end_of(run: TournamentRun) -> RoundEnd | None:
    return round_end(open_tables(run.tournament), rules_of(run), run.now)


def rules_of(run: TournamentRun) -> Rules:
    return run.tournament.match_rules


def reserves_of(run: TournamentRun) -> timedelta:
    reserve_ms = rules_of(run).reserve_ms
    assert reserve_ms is not None
    return timedelta(milliseconds=2 * reserve_ms)


def likely_of(run: TournamentRun) -> timedelta:
    return timedelta(minutes=likely_minutes(rules_of(run)))


def moments_of(page: str) -> list[str]:
    """Return the moments in the sentence about the end of the round."""
    sentence = re.search(r'data-testid="round-end">.*?</p>', page, re.DOTALL)
    return re.findall(r'datetime="([^"]+)"', sentence.group()) if sentence else []


def page_of(run: TournamentRun) -> str:
    address = reverse("tournaments:tournament", args=[run.tournament.public_id])
    return Client().get(address).content.decode()


def test_a_waiting_table_is_expected_to_begin_at_the_end_of_the_join_window() -> None:
    run = TournamentRun(2).start()
    begins = run.now + WINDOW
    assert end_of(run) == (begins + likely_of(run), begins + long_games(1) + reserves_of(run))


def test_each_turn_played_brings_the_latest_end_closer() -> None:
    run = TournamentRun(2).start()
    [table] = run.tables()
    table.sit().start_game()
    before = end_of(run)
    table.pass_time(DELAY_MS // 2)
    table.both_move(1)
    after = end_of(run)
    assert before is not None
    assert after is not None
    assert after.latest_at < before.latest_at
    table.pass_time(DELAY_MS // 2)
    assert end_of(run) == after  # nothing happened


def test_the_latest_end_follows_the_score() -> None:
    rules = Rules.of("short", length=3, delay_ms=DELAY_MS)
    waits = NOT_OPEN._replace(join_by=NOW)
    reserve = 2 * timedelta(milliseconds=rules.reserve_ms or 0)
    for score, games in (([0, 0], 5), ([1, 0], 4), ([2, 2], 1)):
        end = round_end([waits._replace(score=score)], rules, NOW)
        assert end is not None
        assert end.latest_at == NOW + long_games(games) + (games - 1) * NEXT_GAME_AFTER + reserve


def test_bound_on_turns_grows_more_slowly_than_the_number_of_games() -> None:
    assert [turns_of_lengthy_games(1, variant) for variant in Variant] == [130, 115]
    # Two games of a match rarely both take 130 turns.
    assert turns_of_lengthy_games(2, Variant.SHORT) < 2 * 130


def test_the_last_table_ends_the_round_and_a_decider_counts_as_one_game() -> None:
    rules = Rules.of("short", length=5, delay_ms=DELAY_MS)
    decides = NOT_OPEN._replace(join_by=NOW, drawn_match_id=1)
    whole = NOT_OPEN._replace(join_by=NOW)
    short, long, both = (
        round_end(each, rules, NOW) for each in ([decides], [whole], [whole, decides])
    )
    assert short is not None
    assert long is not None
    assert short.latest_at < long.latest_at
    assert both == long


def test_a_game_longer_than_expected_has_a_latest_end_only() -> None:
    rules = Rules.of("short", length=1, delay_ms=DELAY_MS)
    plays = NOT_OPEN._replace(
        created_at=NOW, started_at=NOW, phase="to_roll", at_ms=0, turns=[500, 500], score=[0, 0]
    )
    end = round_end([plays], rules, NOW + likely_minutes(rules) * timedelta(minutes=1))
    assert end is not None
    assert end.expected_at is None  # it has passed
    assert end.latest_at > NOW


def test_the_page_counts_the_tables_that_play_and_names_the_end_of_the_round() -> None:
    run = TournamentRun(8).start()
    tables = run.tables()
    for left in (4, 3, 2, 1):
        page = page_of(run)
        text = f"{left} tables are still playing" if left > 1 else "1 table is still playing"
        assert text in page
        assert moments_of(page) == [iso_of(at) for at in end_of(run) or () if at]
        tables[left - 1].win(Side.WHITE)
    settle(run.now)
    assert "2 tables are still playing" in page_of(run)  # of the next round


def test_the_page_shows_no_round_end_before_the_start_and_after_the_end() -> None:
    run = TournamentRun(2)
    assert not moments_of(page_of(run))
    run.start().play()
    assert not moments_of(page_of(run))
