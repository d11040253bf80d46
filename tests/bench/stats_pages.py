"""Measure the pages of statistics, history and leaderboards, and with a hundred times the data.

    TEST_POSTGRES_URL=postgres://... python -m tests.bench.stats_pages [--matches 100000]

There are ten ledger entries for a match, and one member for ten matches. The reader has played a
tenth of all matches, half of them against one person, and has a hundredth of all ledger entries.
Printed are the medians of some visits in both sizes of the same run, their ratio and the queries;
with `--plans` also how PostgreSQL finds the rows. Makes a database of its own and drops it.
"""

import argparse
import os
import statistics
import time
from typing import Any

from tests.load.racing import Database

os.environ["PYTEST_VERSION"] = "bench"  # the settings of the tests
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

GROWTH = 100
VISITS = 15
ENTRIES = 10  # of a match
CHUNK = 5000


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--visits", type=int, default=VISITS)
    parser.add_argument("--plans", action="store_true")
    given = parser.parse_args()
    with Database(os.environ["TEST_POSTGRES_URL"]) as database:
        os.environ["DATABASE_URL"] = database.url
        os.environ["REDIS_URL"] = ""
        import django

        django.setup()
        from django.conf import settings
        from django.db import connections
        from django.test.utils import setup_test_environment

        setup_test_environment()
        settings.ACCOUNT_RATE_LIMITS = {}
        try:
            measure(given.matches, given.visits, given.plans)
        finally:
            connections.close_all()


def measure(matches: int, visits: int, shows_plans: bool) -> None:
    club = Club(visits)
    club.grow_to(matches // GROWTH)
    before = club.costs()
    club.grow_to(matches)
    for name, (after, queries, plans) in club.costs().items():
        ms = [1000 * each for each in (before[name][0], after)]
        counts = f"{before[name][1]} -> {queries} queries"
        print(f"{name:28} {ms[0]:6.1f} -> {ms[1]:6.1f} ms  x {ms[1] / ms[0]:4.1f}  {counts}")
        if shows_plans:
            print(plans)


class Club:
    """Members, their matches and credits, copied within the database from one match."""

    def __init__(self, visits: int) -> None:
        from games.engine.rules import Rules
        from tests.games.factories import StakeMatchFactory
        from tests.games.played_out import play_out
        from tests.wallet.factories import player

        self.reader, self.other = player("reader", credits=1000), player("other", credits=1000)
        rules = Rules.of("short", delay_ms=20_000)
        self.original = play_out(
            StakeMatchFactory(white=self.reader, black=self.other, rules=rules)
        )
        self.visits = visits
        self.matches = self.entries = 0

    def grow_to(self, matches: int) -> None:
        """Add matches, the members who play them, and ledger entries."""
        self._add_members(max(50, matches // 10))
        self._add_matches(matches)
        self._add_entries(matches * ENTRIES)
        self._execute("ANALYZE")

    def costs(self) -> dict[str, tuple[float, int, str]]:
        """Return for each page the median seconds of a visit, its queries and their plans."""
        from django.test import Client

        from tests.accounts.factories import sign_in

        self.client = sign_in(Client(), self.reader)
        return {name: self._cost(address) for name, address in self._pages().items()}

    def _pages(self) -> dict[str, str]:
        own = f"/player/{self.reader.public_id}"
        middle = self._execute(
            "SELECT id FROM stats_playedmatch WHERE user_id = %s ORDER BY finished_at, id"
            " OFFSET %s LIMIT 1",
            [self.reader.pk, self.matches // 20],
        )[0][0]
        return {
            "statistics": f"{own}/statistics/",
            "statistics, 30 days": f"{own}/statistics/?period=month",
            "matches": f"{own}/matches/",
            "matches, a middle page": f"{own}/matches/?before={middle}",
            "matches against one": f"{own}/matches/?opponent=other",
            "matches lost, long": f"{own}/matches/?result=lost&variant=long",
            "rating changes": f"{own}/rating/",
            "opponents": "/opponents/",
            "an opponent": f"/opponents/{self.other.public_id}/",
            "achievements": f"{own}/achievements/",
            "luck and skill": "/skill/",
            "my dice": "/dice/mine/",
            "recap": f"/recap/{self._year()}/",
            "own page": f"{own}/",
            "statement": "/credits/",
            "leaders by rating": "/leaders/?by=rating&period=all",
            "leaders by wins, all": "/leaders/?by=wins&period=all",
            "leaders by winnings, week": "/leaders/?by=winnings&period=week",
        }

    def _cost(self, address: str) -> tuple[float, int, str]:
        from django.db import connection
        from django.test.utils import CaptureQueriesContext

        self.client.get(address)
        times = []
        for _ in range(self.visits):
            begun = time.perf_counter()
            assert self.client.get(address).status_code == 200, address
            times.append(time.perf_counter() - begun)
        with CaptureQueriesContext(connection) as queries:
            self.client.get(address)
        slow = sorted(queries.captured_queries, key=lambda each: -float(each["time"]))[:2]
        plans = "\n".join(self._plan(each["sql"]) for each in slow)
        return statistics.median(times), len(queries), plans

    def _plan(self, sql: str) -> str:
        if not sql.startswith("SELECT"):
            return sql
        return "\n".join(row[0] for row in self._execute(f"EXPLAIN (ANALYZE, TIMING OFF) {sql}"))

    def _year(self) -> int:
        from django.utils import timezone

        return timezone.now().year

    def _add_members(self, number: int) -> None:
        from django.utils import timezone

        from accounts.models import Preferences, Profile, User

        there = User.objects.filter(username__startswith="m").count()
        for start in range(there, number, CHUNK):
            chunk = range(start, min(start + CHUNK, number))
            now = timezone.now()
            made = User.objects.bulk_create(
                [User(username=f"m{each}", email=f"m{each}@example.org", activated_at=now)
                 for each in chunk]
            )  # fmt: skip
            profiles = [Profile.for_new(user.pk) for user in made]
            for profile, user in zip(profiles, made, strict=True):
                profile.user = user
            Profile.objects.bulk_create(profiles)
            Preferences.objects.bulk_create([Preferences(user=user) for user in made])
        self._execute(
            "INSERT INTO wallet_account (kind, user_id, code, balance_credits, held_credits)"
            " SELECT 'USER', id, '', 1000, 0 FROM accounts_user"
            " WHERE username LIKE 'm%' ON CONFLICT DO NOTHING"
        )

    def _add_matches(self, number: int) -> None:
        """Copy the played match; who plays and when follows from the number of the copy."""
        self._execute("DROP TABLE IF EXISTS copies")
        self._execute(
            """
            CREATE TEMP TABLE copies AS
            WITH people AS (
                SELECT min(id) AS first, count(*) AS many FROM accounts_user
                WHERE username LIKE 'm%%'
            )
            SELECT n, 'b' || n AS public_id, now() - n * interval '10 minutes' AS at,
                CASE WHEN n %% 10 = 0 THEN %s ELSE first + n %% many END AS white,
                CASE WHEN n %% 20 = 0 THEN %s ELSE first + (n * 7 + 1) %% many END AS black,
                CASE WHEN n %% 30 = 0 THEN 'long' ELSE 'short' END AS variant,
                CASE WHEN n %% 3 = 0 THEN 'black' ELSE 'white' END AS winner
            FROM generate_series(%s, %s) AS n, people
            """,
            [self.reader.pk, self.other.pk, self.matches + 1, number],
        )
        self._execute("DELETE FROM copies WHERE white = black")
        self._copy_rows()
        self.matches = number

    def _copy_rows(self) -> None:
        from games.models import Match, Review, Seat
        from stats.models import (
            CountedSeat,
            PlayedMatch,
            RatedMatch,
            Rating,
            RatingChange,
            ReviewedSeat,
        )  # fmt: skip

        own = {"public_id": "c.public_id", "created_at": "c.at", "finished_at": "c.at"}
        named = {"variant": "c.variant", "winner": "c.winner"}
        original = Match.objects.filter(pk=self.original.pk)
        self._insert(Match, original, own | named, "copies c")
        matches = "copies c JOIN games_match m ON m.public_id = c.public_id"
        for side in ("white", "black"):
            seat = Seat.objects.filter(match=self.original, side=side)
            self._insert(Seat, seat, {"match_id": "m.id", "user_id": f"c.{side}"}, matches)
        seats = f"{matches} JOIN games_seat s ON s.match_id = m.id"
        self._values(
            CountedSeat, {"seat_id": "s.id", "finished_at": "c.at", "place": "s.id",
                          "has_row": "true"}, seats,
        )  # fmt: skip
        won = "(s.side = c.winner)"
        self._values(
            PlayedMatch,
            {
                "seat_id": "s.id", "user_id": "s.user_id", "match_id": "m.id",
                "finished_at": "c.at", "variant": "c.variant", "category": "'credits'",
                "against": "'member'",
                "level": "''", "is_public": "true",
                "opponent_id": "CASE s.side WHEN 'white' THEN c.black ELSE c.white END",
                "result": f"CASE WHEN {won} THEN 'won' ELSE 'lost' END", "length": "1",
                "own_score": f"{won}::int", "other_score": f"1 - {won}::int",
                "games_won": f"{won}::int", "games_lost": f"1 - {won}::int", "mars_won": "0",
                "mars_lost": "0", "rolls": "30", "doublets": "5", "pips": "245",
                "all_rolls": "50 + c.n % 40",
                "net_credits": f"CASE WHEN {won} THEN 90 ELSE -100 END",
                "fee_credits": f"10 * {won}::int",
            },
            seats,
        )  # fmt: skip
        self._values(
            RatedMatch, {"match_id": "m.id", "finished_at": "c.at", "place": "m.id",
                         "rated_at": "c.at"}, matches,
        )  # fmt: skip
        self._values(
            RatingChange,
            {
                "rated_id": "r.id", "user_id": "s.user_id", "variant": "c.variant", "length": "1",
                "result": f"{won}::int", "before": "1500", "opponent_before": "1500",
                "experience_before": "50", "chance": "0.5", "weight": "1", "played_weight": "1",
                "change": f"CASE WHEN {won} THEN 4 ELSE -4 END",
                "net_credits": f"CASE WHEN {won} THEN 90 ELSE -100 END",
            },
            f"{seats} JOIN stats_ratedmatch r ON r.match_id = m.id",
        )  # fmt: skip
        self._execute(
            f"INSERT INTO {Rating._meta.db_table} (user_id, variant, rating, experience, won, lost,"
            " drawn) SELECT id, v, 1300 + id % 400, 100, 5, 5, 0 FROM accounts_user,"
            " (VALUES ('short'), ('long')) AS variants (v) ON CONFLICT DO NOTHING"
        )
        self._values(
            Review,
            {
                "match_id": "m.id", "state": "'DONE'", "asker": "''", "plies": "1",
                "judge": "'{}'", "judgments": "'{}'", "at": "1", "done": "1", "total": "1",
                "turn_at": "c.at", "asked_at": "c.at", "finished_at": "c.at",
            },
            f"{matches} WHERE c.n % 40 = 0",
        )  # fmt: skip
        self._values(
            ReviewedSeat,
            {
                "seat_id": "s.id", "review_id": "v.id", "user_id": "s.user_id",
                "variant": "c.variant", "finished_at": "c.at", "reviewed_at": "c.at",
                "is_counted": "true", "decisions": "40", "loss": "0.6", "luck": "0.1",
            },
            f"{seats} JOIN games_review v ON v.match_id = m.id",
        )  # fmt: skip

    def _add_entries(self, number: int) -> None:
        """Add transfers of two entries each; the reader is in one of fifty."""
        first, last = self.entries // 2 + 1, number // 2
        for table in ("wallet_transfer", "wallet_entry"):  # checks of each row at the commit
            self._execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        house = self._execute("SELECT id FROM wallet_account WHERE kind = 'HOUSE' LIMIT 1")[0][0]
        own = self._execute("SELECT id FROM wallet_account WHERE user_id = %s", [self.reader.pk])
        others = "SELECT array_agg(id) AS ids FROM wallet_account WHERE kind = 'USER'"
        self._execute(
            "INSERT INTO wallet_transfer (key, cause, reference, reason, created_at)"
            " SELECT 'bench-' || n, CASE WHEN n %% 250 = 0 THEN 'gift' ELSE 'stake' END, '', '',"
            " now() - n * interval '1 minute' FROM generate_series(%s, %s) AS n ORDER BY n DESC",
            [first, last],
        )
        account = f"CASE WHEN n % 50 = 0 THEN {own[0][0]} ELSE ids[1 + n % cardinality(ids)] END"
        for which, sign in ((account, ""), (str(house), "-")):
            self._execute(
                "INSERT INTO wallet_entry (transfer_id, account_id, amount_credits)"
                f" SELECT t.id, {which}, {sign}(CASE WHEN n % 100 = 0 THEN 10 ELSE -10 END)"
                f" FROM generate_series({first}, {last}) AS n JOIN wallet_transfer t"
                f" ON t.key = 'bench-' || n, ({others}) AS people ON CONFLICT DO NOTHING"
            )
        self.entries = number

    def _insert(self, model: Any, original: Any, changed: dict[str, str], source: str) -> None:
        """Copy one row for each row of the source, with some columns changed."""
        table = model._meta.db_table
        names = [f.column for f in model._meta.concrete_fields if not f.primary_key]
        values = {name: changed.get(name, f'o."{name}"') for name in names}
        joined = f"{source} CROSS JOIN {table} o WHERE o.id = {original.get().pk}"
        self._values(model, values, joined)

    def _values(self, model: Any, values: dict[str, str], source: str) -> None:
        columns = ", ".join(f'"{name}"' for name in values)
        self._execute(
            f"INSERT INTO {model._meta.db_table} ({columns})"
            f" SELECT {', '.join(values.values())} FROM {source}"
        )

    def _execute(self, sql: str, values: list[Any] | None = None) -> list[Any]:
        from django.db import connection

        with connection.cursor() as cursor:
            cursor.execute(sql, values)
            return cursor.fetchall() if cursor.description else []


if __name__ == "__main__":
    main()
